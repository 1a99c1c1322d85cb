/** Reads the credential from the place that each interface uses. */
import { CDR_TOKEN_HEADER } from '../../contract/cdr.ts';
import type { RouteDefinition } from '../../contract/common.ts';
import { V1_COOKIE } from '../../contract/v1-words.ts';

/** Returns the key of a request, or an empty text. */
export function presentedKey(headers: Headers, auth: RouteDefinition['auth']): string {
  if (auth === 'api-token') return headers.get(CDR_TOKEN_HEADER)?.trim() ?? '';
  // RFC 9110 §11.1: the scheme is case-insensitive.
  const bearer = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  return bearer === '' && auth === 'bearer-or-cookie' ? cookieOf(headers) : bearer;
}

/** RFC 6265 §5.4: pairs are separated by `; `. When two have the same name, the first counts. */
function cookieOf(headers: Headers): string {
  const pairs = (headers.get('cookie') ?? '').slice(0, 8_192).split(';');
  const found = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${V1_COOKIE}=`));
  const value = found?.slice(V1_COOKIE.length + 1) ?? '';
  return value.replace(/^"(.*)"$/, '$1');
}
