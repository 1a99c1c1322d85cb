/**
 * Parses a text as a URL as browsers do (WHATWG URL). Returns null when it is none. Never throws.
 *
 * `URL.canParse` must not be used instead. In Node 20 and 22, after some thousand calls in one process, it rejects every URL with an umlaut
 * or another Latin-1 letter in its host.
 *
 * @example
 * ```ts
 * parseUrl('https://bücher.example/')?.hostname; // => 'xn--bcher-kva.example'
 * parseUrl('not a url'); // => null
 * ```
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
