/** Finds addresses inside another address, as redirectors contain them: plain, with percent signs, or in base64. Pure. */
import { parseUrl } from '../../formats/urls/parse-url.ts';

/** How often a text is decoded. Text with more layers is not read further, and the answer says so. */
const MAX_DECODINGS = 6;
/** The longest tail that is parsed as a separate address. The attack is an address of thousands of slashes, each with a long tail. */
const MAX_TAIL = 1_024;

export interface Within {
  /** Each as the WHATWG parser writes it, once. */
  readonly addresses: readonly URL[];
  /** Texts that may be a host without a scheme (`?to=evil.example`), to which redirectors add one. Names of files look alike. */
  readonly bareHosts: readonly URL[];
  /** True when the text may contain more than was found: another layer of percent signs, or base64 of `http` at any place. */
  readonly hasMore: boolean;
}

type WantsPath = (host: URL) => boolean;

/**
 * Finds addresses in any text. Each is read in both ways that programs have: its host ends where a browser ends it, or at the first sign
 * that no host has. Tabs and line ends are ignored, as in browsers. `wantsPath` selects the hosts whose path is also searched.
 *
 * @example
 * ```ts
 * addressesWithin('/go?u=https%3A%2F%2Fevil.example').addresses.map(({ hostname }) => hostname); // => ['evil.example']
 * ```
 */
export function addressesWithin(written: string, wantsPath: WantsPath = () => true): Within {
  const [found, bare] = [new Map<string, URL | null>(), new Map<string, URL | null>()];
  const unpacked = new Set<string>();
  let text = written;
  for (let time = 0; ; time++) {
    const plain = text.replace(/[\t\r\n]/g, '');
    collect(plain, wantsPath, found);
    collectBare(plain, wantsPath, bare);
    const more = [decodedOnce(text), ...base64In(text, unpacked)].join(' ');
    const hasMore = more !== text;
    if (!hasMore || time === MAX_DECODINGS)
      return { addresses: distinct(found), bareHosts: distinct(bare), hasMore: hasMore || HIDDEN_HTTP.test(text) };
    text = more;
  }
}

/** `http` in base64, at each of its three places in a group of three bytes, and in hexadecimal digits. */
const HIDDEN_HTTP = /aHR0c|h0dH[A-D]|odHRw|68747470/;

const START = /(?<![\\/])[\\/]{2,}|\b(?:https?|ftp):[\\/]*/gi;
/** The end of the host in a browser, and in any program: the first sign that no host has. */
const AUTHORITY = /^[^\\/?#&\s"'<>]+/;
const HOST = /^[\p{L}\p{M}\p{N}\p{Cf}._\-%\u3002\uff0e\uff61]+(?::\d+)?/u;
/** A single word behind two slashes is a piece of a path. Behind a scheme it is a host. */
const WORD = /^[a-z_-][\w-]*$/i;

function collect(text: string, wantsPath: WantsPath, found: Map<string, URL | null>): void {
  for (const match of text.matchAll(START)) {
    const from = match.index + match[0].length;
    const tail = text.slice(from, from + MAX_TAIL);
    const authority = AUTHORITY.exec(tail)?.[0] ?? '';
    if (!match[0].includes(':') && WORD.test(authority)) continue;
    for (const host of new Set([authority, HOST.exec(authority)?.[0] ?? ''])) {
      const url = parsedOnce(host, '/', found);
      if (url !== null && wantsPath(url)) parsedOnce(host, pathIn(tail.slice(host.length)), found);
    }
  }
}

/** A name of several labels at the beginning of a value. A piece of a path that looks alike only names the topic of a page. */
const BARE_HOST = /(?<=[=?&#;,|])(?:[\p{L}\p{N}_-]{1,63}\.){1,20}[\p{L}\p{N}-]{2,63}\.?(?::\d{1,5})?(?![^/\\?#&;,|])/gu;

function collectBare(text: string, wantsPath: WantsPath, found: Map<string, URL | null>): void {
  for (const match of text.matchAll(BARE_HOST)) {
    const [host] = match;
    const url = parsedOnce(host, '/', found);
    const from = match.index + host.length;
    if (url !== null && wantsPath(url)) parsedOnce(host, pathIn(text.slice(from, from + MAX_TAIL)), found);
  }
}

function pathIn(tail: string): string {
  const path = /^[^&\s"'<>]*/.exec(tail)?.[0] ?? '';
  return /^[\\/?#]/.test(path) ? path : `/${path}`;
}

function parsedOnce(host: string, path: string, found: Map<string, URL | null>): URL | null {
  const written = `https://${host}${path}`;
  const url = found.get(written) ?? (host === '' || found.has(written) ? null : parseUrl(written));
  found.set(written, url);
  return url;
}

function distinct(found: ReadonlyMap<string, URL | null>): URL[] {
  const urls = [...found.values()].flatMap((url) => url ?? []);
  return [...new Map(urls.map((url) => [url.href, url] as const)).values()];
}

/** Decodes runs of percent signs and digits into characters (UTF-8). */
export const decodedOnce = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));

/** Returns the decoded texts of runs of base64 that contain an address, each once. A slash may belong to the base64 or to the path. */
function base64In(text: string, known: Set<string>): string[] {
  const runs = [/[\w+-]{12,}/g, /[\w+/-]{12,}/g].flatMap((pattern) => text.match(pattern) ?? []);
  return runs.flatMap((run) => {
    if (known.has(run)) return [];
    known.add(run);
    const said = Buffer.from(run, 'base64').toString('utf8');
    return /[\\/]{2}|https?:/i.test(said) ? [said] : [];
  });
}
