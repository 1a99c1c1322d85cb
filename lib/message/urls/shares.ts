/**
 * Shares of other machines: `\\server\share` in every spelling that Windows takes for one. Opening one logs the user on to the
 * server, so that it learns who they are and a hash of their password.
 */
import type { TextMatch } from './mapped.ts';

/** `\\?\UNC\server`, `\\.\UNC\server`: the same server in the name space of devices. */
const DEVICE = /^[?.][\\/]+(?:(?:GLOBALROOT[\\/]+)?UNC[\\/]+)?/i;
/** Two slashes of either kind or more, a server, and what is on it. */
const IN_TEXT =
  /(?<![\\/\w:.])[\\/]{2,}(?:[?.][\\/]+(?:UNC[\\/]+)?)?(?:\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}][\p{L}\p{N}._-]{0,253})(?:[@:][\w@:.-]{1,253})?[\\/]+[^\s"'<>|]*/giu;
/** `/\/api\/v1/` in code: an expression, unless it names a host. */
const EXPRESSION = /^\/\\\/[^.\\/]*\\\//;
/** `//server/share` is a share to people; with a dot in it, it is a link to the web, and behind a quote code. */
const FORWARD = /^\/+(?:[^\\/.]+|\d+(?:\.\d+){3})[\\/]+[^\\/\s]/;
/** `\\d\\w`: what code writes for one letter. */
const ONE_LETTER = /^[\\/]+\p{L}[\\/]/iu;
const SLASHES = /^[\\/]{2,}/;

/** True for a reference that starts like a share: two slashes or more, of either kind, with a backslash or a third among them. */
export function isShare(reference: string): boolean {
  const slashes = SLASHES.exec(reference)?.[0] ?? '';
  return slashes.length > 2 || slashes.includes('\\');
}

/** `file://server/share`, whatever the slashes; null when no server is named. `\\server@SSL@443\…` is the same server over HTTPS. */
export function shareUrl(reference: string): string | null {
  const path = reference.replace(SLASHES, '').replace(DEVICE, '').replaceAll('\\', '/');
  const server = /^[^/@?#]*/.exec(path)?.[0] ?? '';
  if (server === '') return null;
  const rest = path.slice(server.length).replace(/^@[^/]*/, '');
  const plain = `file://${server.replace(/:\d*$/, '')}${rest.startsWith('/') ? rest : `/${rest}`}`;
  return URL.canParse(plain)
    ? new URL(plain).href
    : `file:///${encodeURI(`${server}${rest}`.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
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

/** Shares inside another URL (`search-ms:…&crumb=location:\\server\share`), percent-encoded or not. The span is the whole. */
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
