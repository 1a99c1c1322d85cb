/**
 * The forms in which a person may release a held message, and the reasons that still hold it then. These rules apply when a person decides,
 * when `decide` has the new results, and again in `deliver`. Pure.
 */
import { MAX_WHY_LENGTH, type Person, samePerson } from '../ledger/attempt.ts';
import type { Ledger, Reason } from '../ledger/ledger.ts';
import type { ReleaseForm } from '../model.ts';
import { ALWAYS_QUARANTINED, type Policy } from '../policy/policy.ts';
import { PEOPLE_NEEDED } from '../policy/release.ts';
import { onlyAsOriginal } from '../reason-codes.ts';

/** Returns true when the message must be delivered byte for byte, because people released its original. */
export function isOriginalReleased({ attempt }: Ledger): boolean {
  return attempt.release?.form === 'original';
}

/** Returns the reason why policy lets nobody release the message in this form, in words; null when it allows the release. */
export function refusalOf(policy: Policy, ledger: Ledger, form: ReleaseForm): string | null {
  const { release } = policy;
  if (release[form] === 'nobody') return `policy lets nobody release ${WHAT[form]} (release.${form})`;
  if (ledger.failure !== null || ledger.sha256 === null)
    return `it could not be read (${ledger.failure?.detail ?? 'nothing of it is known'}), so nobody can say what would be released`;
  const isTooMuch = release.malicious === 'nothing' || (release.malicious === 'rebuilt' && form === 'original');
  if (isTooMuch && isMalicious(ledger))
    return `something in it is malicious, and policy does not let ${WHAT[form]} be released then (release.malicious)`;
  return form === 'rebuilt' ? unfitToRebuild(ledger) : null;
}

const WHAT = { rebuilt: 'what was rebuilt', original: 'the original' } as const;

const isMalicious = ({ reasons, artifacts }: Ledger) =>
  reasons.some(({ code }) => code === 'malicious') || artifacts.some(({ verdict }) => verdict === 'malicious');

function unfitToRebuild({ warnings, reasons }: Ledger): string | null {
  const codes: readonly string[] = ALWAYS_QUARANTINED;
  const unread = warnings.find(({ code }) => codes.includes(code));
  const only = 'only its original could be released';
  if (unread !== undefined)
    return `it was not read completely (${unread.code}), so what was rebuilt could hold something unseen; ${only}`;
  const why = reasons.map(({ code }) => onlyAsOriginal(code)).find((text) => text !== null);
  return why === undefined ? null : `${why}; ${only}`;
}

/** Returns true when enough different people released it, and none of them too long before the last. */
export function areEnough(policy: Policy, form: ReleaseForm, people: readonly Releasing[]): boolean {
  const different = people.filter((person, at) => !people.slice(0, at).some((other) => samePerson(other, person)));
  const lastAt = Math.max(...people.map(({ at }) => Date.parse(at)));
  return (
    different.filter((person) => lastAt <= countsUntil(policy, person)).length >= PEOPLE_NEEDED[policy.release[form]]
  );
}

type Releasing = Pick<Person, 'name' | 'id' | 'at'>;
const HOUR_MS = 3_600_000;

/** Returns the time until which the release of a first person counts. Milliseconds since the epoch. */
export function countsUntil({ release }: Policy, { at }: Pick<Person, 'at'>): number {
  return Date.parse(at) + release.secondWithinHours * HOUR_MS;
}

/** Returns the reason why the release that began this attempt does not count, in words; null when it counts, and without a release. */
export function voidRelease(policy: Policy, ledger: Ledger): string | null {
  const { release, people = [] } = ledger.attempt;
  if (release === undefined) return null;
  const refusal = refusalOf(policy, ledger, release.form);
  if (refusal !== null) return refusal;
  if (!areEnough(policy, release.form, people)) return `policy asks for more people (release.${release.form})`;
  const unknown = ledger.reasons.map(({ code }) => code).filter((code) => !release.covers.includes(code));
  return unknown.length === 0 ? null : `nobody knew of it at the release: ${[...new Set(unknown)].join(', ')}`;
}

/** Returns the reasons that still hold the message: none when a release covers them all. */
export function reasonsDespiteRelease(policy: Policy, ledger: Ledger): Reason[] {
  if (ledger.attempt.release === undefined) return [...ledger.reasons];
  const why = voidRelease(policy, ledger);
  if (why === null) return [];
  return [
    { code: 'release_refused', text: `the release does not count: ${why}`.slice(0, MAX_WHY_LENGTH) },
    ...ledger.reasons,
  ];
}
