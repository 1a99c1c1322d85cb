/** Reads the target of rewritten links, which they carry percent-encoded in a parameter or in the path. */

/** Returns the target of a rewritten link, or null for any other link. */
export type Decoder = (url: URL) => string | null;

/** Returns the text percent-decoded as UTF-8, or byte by byte when it is not UTF-8. Never throws. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

/**
 * Returns the raw value of a parameter, or null. URLSearchParams is not used, because it reads a plus sign as a blank. `&amp;name=` is also
 * found, because people copy links out of HTML source.
 */
export function parameter(url: URL, name: string): string | null {
  for (const pair of url.search.slice(1).split('&')) {
    const field = pair.replace(/^(?:amp;)+/i, '');
    if (field.toLowerCase().startsWith(`${name}=`)) return field.slice(name.length + 1);
  }
  // Some gateways write `/<token>?u=…` behind another question mark.
  const nested = new RegExp(`[?]${name}=([^&]*)`, 'i').exec(url.search.slice(1));
  return nested?.[1] ?? null;
}

/** Reads the first of these parameters that is present and not empty. */
export function fromParameter(...names: readonly string[]): Decoder {
  return (url) => {
    const found = names.map((name) => parameter(url, name)).find((value) => value !== null && value !== '');
    return found === undefined || found === null ? null : percentDecoded(found);
  };
}

/** Reads the first group of a pattern out of path and query. */
export function fromPath(pattern: RegExp): Decoder {
  return (url) => {
    const found = pattern.exec(`${url.pathname}${url.search}`)?.[1];
    return found === undefined ? null : percentDecoded(found);
  };
}
