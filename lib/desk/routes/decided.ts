/** Passes on a decision of a person at the desk, when it is about the shown attempt. */
import { samePerson } from '../../pipeline/ledger/attempt.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { actionOf, type DecisionName } from '../../pipeline/review/decision.ts';
import { problemOf } from '../../pipeline/review/review.ts';
import type { DecidingParts } from '../desk-parts.tsx';
import type { DeskWords } from '../desk-words.ts';

/** The fields that were sent with a decision: the reason, and the number of the attempt on the page. */
export interface Sent {
  readonly why: string;
  readonly seen: number;
}

/** Carries out a decision. Returns in words why not, or null when the page of the mail shows the result. */
export async function decided(
  parts: DecidingParts,
  words: DeskWords,
  runId: string,
  name: DecisionName,
  { why, seen }: Sent,
): Promise<string | null> {
  const who = { name: parts.person ?? '', why };
  const problem = problemOf(who);
  if (problem !== null) return problemOf({ ...who, why: 'x' }) === null ? words.whyMissing : problem;
  const ledger = await parts.ledgerOf(runId);
  if (ledger !== null && ledger.attempt.number !== seen && !isAgain(ledger, name, { name: who.name, seen }))
    return words.changed;
  const told = await parts.decide(runId, { ...actionOf(name), who, seen });
  return told === null || words.recordSays === '' ? told : `${words.recordSays} ${told}`;
}

/**
 * Returns true when the attempt after the shown one is of the same person, with this decision: the desk was killed, and the browser sends
 * the form once more.
 */
function isAgain(
  { attempt }: Ledger,
  name: DecisionName,
  { name: person, seen }: { name: string; seen: number },
): boolean {
  const { action, form } = actionOf(name);
  const isSame = attempt.reason === action && (attempt.release === undefined || attempt.release.form === form);
  return (
    isSame && attempt.number === seen + 1 && (attempt.people ?? []).some((one) => samePerson(one, { name: person }))
  );
}
