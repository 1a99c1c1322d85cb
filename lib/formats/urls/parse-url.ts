/**
 * The text as a URL as browsers read it (WHATWG URL), or null when it is none. Never throws.
 *
 * `URL.canParse` must not be asked instead: in Node 20 and 22 it calls every URL with an umlaut or another letter of Latin-1 in its host
 * no URL, once it was called some thousand times in one process.
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
