/**
 * Finds shares of other machines: `\\server\share` in every spelling that Windows takes for one. Opening a share logs the user on to the
 * server. The server thereby learns the name of the user and a hash of the password.
 */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import type { TextMatch } from './html/mapped.ts';

/** `\\?\UNC\server` and `\\.\UNC\server` name the same server in the name space of devices. */
const DEVICE = /^[?.][\\/]+(?:(?:GLOBALROOT[\\/]+)?UNC[\\/]+)?/i;
/** Two or more slashes of either kind, a server, and a path on it. */
const IN_TEXT =
  /(?<![\\/\w:.])[\\/]{2,}(?:[?.][\\/]+(?:UNC[\\/]+)?)?(?:\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}][\p{L}\p{N}._-]{0,253})(?:[@:][\w@:.-]{1,253})?[\\/]+[^\s"'<>|]*/giu;
/** `/\/api\/v1/` in code is a regular expression, unless it names a host. */
const EXPRESSION = /^\/\\\/[^.\\/]*\\\//;
/** `//server/share` is a share. A name with a dot is a web site instead, and behind a quote it is code. */
const FORWARD = /^\/+(?:[^\\/.]+|\d+(?:\.\d+){3})[\\/]+[^\\/\s]/;
/** `\\d\\w` is an escape in code, and no server of one letter. */
const ONE_LETTER = /^[\\/]+\p{L}[\\/]/iu;
const SLASHES = /^[\\/]{2,}/;

/**
 * Returns true for a reference that starts like a share: with three slashes or more of either kind, or with two, one of them a backslash.
 */
export function isShare(reference: string): boolean {
  const slashes = SLASHES.exec(reference)?.[0] ?? '';
  return slashes.length > 2 || slashes.includes('\\');
}

/** Returns the share as `file://server/share`. Returns null when no server is named. `\\server@SSL@443\…` is the same server over HTTPS. */
export function shareUrl(reference: string): string | null {
  const path = reference.replace(SLASHES, '').replace(DEVICE, '').replaceAll('\\', '/');
  const server = /^[^/@?#]*/.exec(path)?.[0] ?? '';
  if (server === '') return null;
  const rest = path.slice(server.length).replace(/^@[^/]*/, '');
  const plain = `file://${server.replace(/:\d*$/, '')}${rest.startsWith('/') ? rest : `/${rest}`}`;
  return parseUrl(plain)?.href ?? `file:///${encodeURI(`${server}${rest}`.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
}

/** Shares in running text, with their places. Linear. */
export function sharesInText(text: string): TextMatch[] {
  if (!text.includes('\\') && !text.includes('//')) return [];
  const found: TextMatch[] = [];
  for (const { 0: url, index } of text.matchAll(IN_TEXT)) {
    const isForward = !/^[\\/]*\\/.test(url);
    const before = text.charAt(index - 1);
    if (isForward ? !FORWARD.test(url) || /[^\s(]/.test(before) : EXPRESSION.test(url) || ONE_LETTER.test(url))
      continue;
    found.push({ url: isForward ? `\\\\${url.replace(SLASHES, '')}` : url, start: index, end: index + url.length });
  }
  return found;
}

/** Shares inside another URL (`search-ms:…&crumb=location:\\server\share`), percent-encoded or not. Their range is the whole URL. */
export function sharesInUrl(url: string): TextMatch[] {
  if (!/[\\/]{2}|%(?:25)*(?:5c|2f)/i.test(url)) return [];
  const inside = decoded(url).matchAll(IN_URL);
  return [...inside].map((share) => ({ url: share[0], start: 0, end: url.length }));
}

const IN_URL =
  /(?<![\\/]|\b(?:https?|ftp):)(?:\\[\\/]|\/\\)[\\/]*(?:[?.][\\/]+)?[\p{L}\p{N}[][^\s"'<>|&\\/]*[\\/][^\s"'<>|&]*/gu;

function decoded(url: string): string {
  const plain = url.replace(/%(?:25)*5c/gi, '\\').replace(/%(?:25)*2f/gi, '/');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
