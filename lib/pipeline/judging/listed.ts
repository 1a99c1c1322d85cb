/**
 * Judges by the lists of the operator. They are a source of verdicts beside the analyses. A list makes no analysis unnecessary, and never
 * restores what the disarm removed. Pure.
 */

import type { ListEntry } from '../ledger/list-entry.ts';
import type { Verdict } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import type { Place } from './body-removals.ts';
import { dispositionOf, type Judgement, removalCodeOf, worseOf } from './judge.ts';

/** Returns the judgement of an artifact that is on a list. A failed analysis stays a failure in spite of any list. */
export function judgeListed(policy: Policy, judged: Judgement, listed: ListEntry | null, place: Place): Judgement {
  if (listed === null) return judged;
  const { artifact, hasFailed } = judged;
  const verdict = verdictOf(policy, artifact.verdict, listed, hasFailed);
  const isOverruled = listed.verdict === 'allow' && verdict !== 'benign';
  const why = isOverruled ? `${wordsOf(listed)}; that does not count beside what was found` : wordsOf(listed);
  const reasons = [...artifact.reasons, why];
  if (hasFailed || verdict === artifact.verdict)
    return { ...judged, artifact: { ...artifact, verdict, reasons, listed } };
  const disposition = dispositionOf(policy, artifact, verdict, place);
  const removedFor = disposition === 'remove' ? removalCodeOf(artifact, verdict) : null;
  return { ...judged, artifact: { ...artifact, verdict, disposition, removedFor, reasons, listed } };
}

function verdictOf(policy: Policy, found: Verdict, { verdict }: ListEntry, hasFailed: boolean): Verdict {
  if (verdict !== 'allow') return worseOf(found, verdict);
  const isMalicious = found === 'malicious' && !policy.lists.allowMalicious;
  return hasFailed || isMalicious ? found : 'benign';
}

function wordsOf({ list, line, verdict, source, since, reason }: ListEntry): string {
  const says = verdict === 'allow' ? 'allowed' : verdict;
  return `on a list as ${says}: ${reason} (${source}, since ${since}; ${list}, line ${line})`;
}
