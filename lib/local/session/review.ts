/** The decisions of a person about a held run of a session. The pipeline carries out each decision, and its attempt is run to its end. */

import type { ReviewContext } from '../../pipeline/context.ts';
import { samePerson } from '../../pipeline/ledger/attempt.ts';
import type { IntakeObject } from '../../pipeline/ledger/intake-object.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { ReleaseForm, Run } from '../../pipeline/model.ts';
import { type LastAttempt, lastAttempt } from '../../pipeline/review/redrive.ts';
import { type Decided, discard, release, rescan, unfinished, type Who } from '../../pipeline/review/review.ts';
import type { DirectoryBlobs } from '../../storage/directory/directory.ts';
import type { Outcome } from '../outcome.ts';

export const ACTIONS = ['release', 'delete', 'rescan'] as const;
export type Action = (typeof ACTIONS)[number];

export interface Decision {
  readonly action: Action;
  /** The form of a release. */
  readonly form: ReleaseForm;
  readonly who: Who;
  /** The attempt that the person has seen. @default the newest */
  readonly seen?: number;
}

/** The result of a decision: the outcome of its attempt, or the fact that it began none. */
export type Reviewed =
  | Outcome
  | { readonly input: string; readonly state: 'asked'; readonly runId: string; readonly message: string }
  | { readonly input: string; readonly state: 'deleted'; readonly runId: string; readonly message: string };

/** The parts that a session provides. */
export interface ReviewParts {
  readonly ctx: ReviewContext;
  /** Runs an attempt to its end. */
  readonly toItsEnd: (run: Run) => Promise<Outcome>;
  /** Updates the index and the quarantine from the chain, and returns the outcome of an ended run. */
  readonly settled: (runId: string) => Promise<Outcome>;
}

/** Carries out a decision, and runs its attempt. An attempt of a killed process is completed first. */
export async function reviewed(parts: ReviewParts, runId: string, decision: Decision): Promise<Reviewed> {
  const last = await lastAttempt(parts.ctx, runId);
  const open = decision.action === 'delete' ? null : unfinished(last);
  if (open !== null) {
    const outcome = await parts.toItsEnd(open);
    const isTheSame = last.chain?.ledger.attempt.reason === decision.action;
    if (isTheSame || outcome.state !== 'quarantined') return outcome;
    return reviewed(parts, runId, decision);
  }
  const before = await deliveredBefore(parts, last, decision);
  if (before !== null) return before;
  if (decision.seen !== undefined && decision.seen !== last.number)
    return { input: runId, state: 'rejected', code: 'not_seen', message: 'something was decided since; look again' };
  const decided = await decide(parts.ctx, last, decision);
  if (decided.state === 'begun') {
    // If this process is killed now, the list says that the run is under way, and not that it is held.
    await parts.settled(runId);
    return parts.toItsEnd(decided.run);
  }
  if (decided.state === 'deleted') await parts.settled(runId);
  return told(runId, decided);
}

/**
 * Returns the outcome of the delivery that this person requested before; null when there was none. Its process may have been killed after
 * the end of the attempt, before it updated the index or removed the held copy. The next decision does both.
 */
async function deliveredBefore(parts: ReviewParts, last: LastAttempt, decision: Decision): Promise<Outcome | null> {
  const { attempt, terminal } = last.chain?.ledger ?? {};
  if (attempt?.people === undefined || terminal?.state !== 'delivered') return null;
  const outcome = await parts.settled(last.runId);
  const { action, form, who, seen } = decision;
  const isTheSame = attempt.reason === action && (action !== 'release' || attempt.release?.form === form);
  const isTheirs = attempt.people.some((person) => samePerson(person, who));
  const hasSeen = seen === undefined || seen === last.number || seen === last.number - 1;
  return isTheSame && isTheirs && hasSeen ? outcome : null;
}

function decide(ctx: ReviewContext, last: LastAttempt, { action, form, who }: Decision): Promise<Decided> {
  if (action === 'release') return release(ctx, last, form, who);
  return action === 'rescan' ? rescan(ctx, last, who) : discard(ctx, last, who);
}

function told(runId: string, decided: Exclude<Decided, { state: 'begun' }>): Reviewed {
  if (decided.state === 'refused')
    return { input: runId, state: 'rejected', code: 'not_decided', message: decided.why };
  if (decided.state === 'deleted') {
    const message = 'Deleted: the held original is removed, and the record of what was found stays.';
    return { input: runId, state: 'deleted', runId, message };
  }
  return { input: runId, state: 'asked', runId, message: decided.message };
}

/** Returns the reason why a mail that came in again is not scanned: a person decided about it. Returns null when nobody did. */
export function decidedBefore(ledger: Ledger | null): string | null {
  const { terminal, attempt } = ledger ?? {};
  const { people = [], reason } = attempt ?? {};
  const isReleased = reason === 'release' && terminal?.state === 'delivered';
  if (!isReleased && terminal?.state !== 'deleted') return null;
  const names = people.map(({ name }) => name).join(' and ');
  const word = isReleased ? 'released' : 'deleted';
  return `${names} ${word} this mail at ${terminal?.at}, and a scan would undo that. Scan it into another folder with --out.`;
}

/** Removes the held copy of a run below the folder. */
export async function removeHeld(blobs: DirectoryBlobs, runId: string, intake: IntakeObject | null): Promise<void> {
  await blobs.remove('quarantine', runId);
  if (intake !== null) await blobs.remove('intake', intake.untrustedKey);
}
