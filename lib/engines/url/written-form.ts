/** Checks the URL as written. Parsers normalise URLs, and attacks use that to hide. */
import type { Finding } from '../engine.ts';
import { urlFinding } from './findings.ts';
import { isBrandHost } from './look-alikes.ts';

/** From this many encoded plain letters and digits on, the encoding is no accident. */
const NEEDLESS_CODES = 4;

/** Returns the host as written, without user information and port, or null for a URL without one. */
export function rawHostOf(text: string): string | null {
  const authority = rawAuthority(text);
  if (authority === null) return null;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.replace(/:[0-9]*$/, '').toLowerCase();
}

function rawAuthority(text: string): string | null {
  const match = /^[a-z][a-z0-9+.-]*:[/\\]*/i.exec(text);
  if (!match) return null;
  const rest = text.slice(match[0].length);
  const end = rest.search(/[/\\?#]/);
  return end < 0 ? rest : rest.slice(0, end);
}

/** Returns the findings of the written form alone, for HTTP and HTTPS URLs. */
export function checkWriting(text: string, url: URL): Finding[] {
  const findings: Finding[] = [];
  const visible = text.replace(/[\t\n\r]/g, '');
  if (isConfused(visible)) findings.push(urlFinding('confused-authority', 'host', visible));
  if (visible !== text || hasInvisible(text)) findings.push(urlFinding('hidden-characters', null));
  if (url.username !== '' || url.password !== '') findings.push(...checkUser(url));
  const needless = visible.match(/%(?:3[0-9]|[46][1-9a-f]|[57][0-9a])/gi)?.length ?? 0;
  const authority = /^[a-z]+:\/\/([^/?#]{0,300})/i.exec(visible)?.[1] ?? '';
  if (needless >= NEEDLESS_CODES || /[\u3002\uff0e\uff61]/.test(authority))
    findings.push(urlFinding('needless-encoding', null));
  return findings;
}

/** Finds user information that looks like a host: `https://www.paypal.com@evil.example`. */
function checkUser({ username, hostname }: URL): Finding[] {
  const user = username.replace(/%2f/gi, '/');
  const brand = isBrandHost(user) ? [urlFinding('borrowed-brand', 'user information', user)] : [];
  return [urlFinding('user-information', 'user information', `${user}@${hostname}`), ...brand];
}

/**
 * Returns whether the slashes are odd: `https://good.example\@evil.example`, `https:evil.example`, `https:/\evil.example`,
 * `https://good.example%2f@evil.example`.
 */
function isConfused(text: string): boolean {
  const slashes = /^(?:https?|ftp):([/\\]*)/i.exec(text)?.[1] ?? '//';
  if (slashes !== '//') return true;
  const afterSlashes = text.slice(text.indexOf('://') + 3);
  const end = afterSlashes.search(/[/?#]/);
  const authority = end < 0 ? afterSlashes : afterSlashes.slice(0, end);
  return authority.includes('\\') || /%(?:2f|5c|40|3f|23|00|3a)/i.test(authority);
}

/** Returns whether there are zero-width letters, soft hyphens and direction marks, as themselves or as their UTF-8 codes. */
function hasInvisible(text: string): boolean {
  return (
    /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u180e]/.test(text) ||
    /%e2%80%(?:8[b-f]|a[a-e])|%e2%81%a[0-9]|%ef%bb%bf|%c2%ad/i.test(text)
  );
}
