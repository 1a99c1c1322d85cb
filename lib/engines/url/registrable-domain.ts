/** Finds the owner of a host name without the public suffix list, because a short list is enough here. */

/** Suffixes under which anyone registers, one label further left. Countries' own second levels, by their usual names. */
const SECOND_LEVEL =
  /^(?:co|com|org|net|gov|ac|edu|gob|gouv|go|or|ne|nom|gv|asso|k12|sch|ltd|plc|me|info|biz|web|firm|gen|kim|nic|mil|lg|ad|ed|gr|bel|pol)\.[a-z]{2}$/;

/** The registrable domain of a host name: the part that its owner registered. */
export function registrableDomain(host: string): string {
  const labels = host.replace(/\.$/, '').split('.');
  const lastTwo = labels.slice(-2).join('.');
  return SECOND_LEVEL.test(lastTwo) ? labels.slice(-3).join('.') : lastTwo;
}

/** Whether a host is the domain or is below it. */
export const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** RFC 1035 §2.3.4. No longer name resolves; a host of thousands of labels would only keep the checks busy. */
const NAME_CHARACTERS = 253;

/** The end of a host name, which is what says whose it is. */
export const boundedName = (host: string): string => host.slice(-NAME_CHARACTERS).replace(/\.$/, '');

/** The suffix of the host that is in the set, the longest first; null when none is. */
export function suffixIn(host: string, domains: ReadonlySet<string>): string | null {
  let rest = boundedName(host);
  for (;;) {
    if (domains.has(rest)) return rest;
    const dot = rest.indexOf('.');
    if (dot < 0) return null;
    rest = rest.slice(dot + 1);
  }
}
