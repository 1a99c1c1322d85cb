/** Finds links whose text shows another address than their target. */
import { parseUrl } from '../../../formats/urls/parse-url.ts';
import { autolinks } from '../autolinks.ts';

/**
 * Returns the first address that `untrustedText` shows, if none of `targets` is on its host. `targets` are the link and its unwrapped
 * forms, normalised. Returns null otherwise, and for links that lead to no host.
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

function hostOf(url: string): string | null {
  const { protocol, hostname } = parseUrl(url) ?? { protocol: '', hostname: '' };
  return protocol === 'http:' || protocol === 'https:' ? hostname.replace(/^www\./, '') : null;
}

/** Returns true when a reader takes both hosts for one site: they are equal, or one is below the other. */
function isSameSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}
