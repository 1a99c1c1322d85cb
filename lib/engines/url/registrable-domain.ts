/** Finds the owner of a host name. */
import { parse } from 'tldts';

/**
 * Suffixes of registries that belong to no country or organisation, but are sold in the same way: `uk.com`, `de.com`, `com.de`. The Public
 * Suffix List has them beside the names of hosting services, which belong to the services here.
 */
const SOLD_SUFFIX = /^(?:[a-z]{2}\.(?:com|net|org)|com\.[a-z]{2}|co\.com)$/;
const AS_HOST = { validateHostname: false, extractHostname: false } as const;

/** Returns the registrable domain of a host name by the Public Suffix List: the part that its owner registered. */
export function registrableDomain(host: string): string {
  const name = host.replace(/\.$/, '');
  const found = parse(name, { ...AS_HOST, allowPrivateDomains: true });
  const isOwners = found.isPrivate !== true || SOLD_SUFFIX.test(found.publicSuffix ?? '');
  const { domain } = isOwners ? found : parse(name, AS_HOST);
  return domain ?? name.split('.').slice(-2).join('.');
}

/** Returns whether a host is the domain or is below it. */
export const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** RFC 1035 §2.3.4. No longer name resolves. A host of thousands of labels would only keep the checks busy. */
const NAME_CHARACTERS = 253;

/** Returns the end of a host name, which shows its owner. */
export const boundedName = (host: string): string => host.slice(-NAME_CHARACTERS).replace(/\.$/, '');

/** Returns the longest suffix of the host that is in the set, or null when none is. */
export function suffixIn(host: string, domains: ReadonlySet<string>): string | null {
  let rest = boundedName(host);
  for (;;) {
    if (domains.has(rest)) return rest;
    const dot = rest.indexOf('.');
    if (dot < 0) return null;
    rest = rest.slice(dot + 1);
  }
}
