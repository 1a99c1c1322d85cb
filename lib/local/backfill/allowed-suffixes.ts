/** Finds hosts in an operator's list that would allow everybody: suffixes below which anybody can get a name (publicsuffix.org). */
import { parse } from 'tldts';
import type { ListEntry } from '../../pipeline/ledger/list-entry.ts';

const AS_HOST = { validateHostname: false, extractHostname: false, allowPrivateDomains: true } as const;

/** Returns the faults of entries that allow such a host, as `NAME:LINE: what`. An entry that blocks such a host is no fault. */
export function allowedSuffixes(entries: readonly ListEntry[]): string[] {
  return entries
    .filter(({ verdict, kind, value }) => verdict === 'allow' && kind === 'domain' && isPublicSuffix(value))
    .map(
      ({ list, line, value }) =>
        `${list}:${line}: "${value}" would allow everybody below it, because anybody gets a name there: name the hosts that are meant`,
    );
}

/** Returns true for `co.uk` and `github.io`, which the Public Suffix List names; false for a suffix that it does not know. */
function isPublicSuffix(host: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(host, AS_HOST);
  return publicSuffix === host && (isIcann === true || isPrivate === true);
}
