/** Reads links of Proofpoint URL Defense, versions 1 to 3 (https://help.proofpoint.com, "URL Defense decoder"). */
import { parameter, percentDecoded } from './wrapped-parts.ts';

/** Lengths of runs in version 3: the letter A means 2, B for 3, and so on. */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SHORTEST_RUN = 2;

/** Returns the target of a link of any version, or null. */
export function fromProofpoint(url: URL): string | null {
  const version = /^\/v([123])\//.exec(url.pathname)?.[1];
  const wrapped = parameter(url, 'u');
  if (version === '1') return wrapped === null ? null : percentDecoded(wrapped);
  if (version === '2') return wrapped === null ? null : fromVersion2(wrapped);
  return version === '3' ? fromVersion3(`${url.pathname}${url.search}${url.hash}`) : null;
}

/** Reads `https-3A__example.com_x`: a dash means a percent sign, an underscore for a slash. */
function fromVersion2(wrapped: string): string {
  return percentDecoded(wrapped.replaceAll('-', '%').replaceAll('_', '/'));
}

/**
 * Reads `/v3/__URL__;BYTES!!…$`. Stars in the URL replace characters that could be damaged on the way. BYTES holds these characters in
 * order (base64url of UTF-8). `**X` means a run of them.
 */
function fromVersion3(path: string): string | null {
  const match = /^\/v3\/__(.+?)__;([A-Za-z0-9_=-]*)/s.exec(path);
  if (match === null) return null;
  const characters = [...Buffer.from(match[2] ?? '', 'base64').toString('utf8')];
  let next = 0;
  const take = (count: number) => {
    const taken = characters.slice(next, next + count).join('');
    next += count;
    return taken;
  };
  // A browser percent-encodes some characters of a path that were not encoded in the wrapped link.
  const plain = percentDecoded(match[1] ?? '').replace(/\*(?:\*([A-Za-z0-9_-]))?/g, (star, run: string | undefined) => {
    if (run !== undefined) return take(RUN_LENGTHS.indexOf(run) + SHORTEST_RUN);
    return take(1) || star;
  });
  return plain.replace(/^([a-z][a-z0-9+.-]*:\/)(?=[^/])/i, '$1/');
}
