/** Whether the text of a link shows another address than the link leads to. */
import { autolinks } from './autolinks.ts';

function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? hostname.replace(/^www\./, '') : null;
}

/** The same site as far as a reader can tell: one host is the other, or lies below it. */
function isSameSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

/**
 * The first address that `untrustedText` shows, when none of `targets` (the link and what it was rewritten from, normalised) is
 * on its host; null otherwise, and for links that lead to no host.
 */
export function showsAnother(untrustedText: string, targets: readonly string[]): string | null {
  if (!untrustedText.includes('.')) return null;
  const hosts = targets.map(hostOf).filter((host) => host !== null);
  if (hosts.length === 0) return null;
  const shown = autolinks(untrustedText)[0];
  const shownHost = shown === undefined ? null : hostOf(shown.url);
  if (shown === undefined || shownHost === null || hosts.some((host) => isSameSite(host, shownHost))) return null;
  return shown.url;
}
