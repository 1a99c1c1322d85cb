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
  if (base === undefined && !HAS_SCHEME.test(text)) return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * A text without a scheme needs a base (WHATWG URL §4.4). A page can have a million such links, and an exception for each costs more than the
 * rest of the search. The parser skips controls in front, and tabs and line ends anywhere.
 */
const HAS_SCHEME = /^[\0-\x20]*[a-z][a-z0-9+.\t\n\r-]*:/i;
