/** Ends a request to try words of other mail that failed each time. The mail stays held. */
import { lastOf } from '../chain/chain.ts';
import { newRun } from '../chain/new-run.ts';
import type { NoticeContext } from '../context.ts';
import type { Run } from '../model.ts';
import { quarantine } from '../quarantine.ts';
import { type LastAttempt, lastAttempt } from '../review/redrive.ts';
import type { PasswordTry } from './password-try.ts';

const FAILED = { Error: 'dead_lettered', Cause: 'trying words of other mail on it failed, even after several tries' };

/**
 * Ends the attempt that the request had begun and never started. The mail is then held as before, and people see it. Returns null when
 * there is no such attempt, because the earlier attempt still holds the mail. Safe to repeat. Throws TransientError.
 */
export async function holdHalfTried(ctx: NoticeContext, { runId }: PasswordTry): Promise<Run | null> {
  const open = notStarted(await lastAttempt(ctx, runId));
  return open && quarantine(ctx, { ...open, failure: FAILED });
}

/** Returns an attempt of this kind that only has the entry of `parse`. The name of its execution prevents a second start. */
export function notStarted({ runId, number, chain }: LastAttempt): Run | null {
  if (chain?.ledger.attempt.reason !== 'password' || chain.entries.length !== 1) return null;
  if (chain.ledger.terminal !== null) return null;
  return { ...newRun(runId, number), last: lastOf(chain), polls: chain.ledger.polls };
}
