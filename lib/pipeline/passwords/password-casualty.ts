/** What becomes of a request to try words of other mail that failed each time it was handed out: the mail stays held. */
import { lastOf } from '../chain/chain.ts';
import { newRun } from '../chain/new-run.ts';
import type { NoticeContext } from '../context.ts';
import type { Run } from '../model.ts';
import { quarantine } from '../quarantine.ts';
import { type LastAttempt, lastAttempt } from '../review/redrive.ts';
import type { PasswordTry } from './password-try.ts';

const FAILED = { Error: 'dead_lettered', Cause: 'trying words of other mail on it failed, even after several tries' };

/**
 * Ends the attempt that the request had begun and never started, so that the mail is held as before, and people see it. Null when there is
 * none: the mail is still held by the attempt before. Safe to repeat. Throws TransientError.
 */
export async function holdHalfTried(ctx: NoticeContext, { runId }: PasswordTry): Promise<Run | null> {
  const open = notStarted(await lastAttempt(ctx, runId));
  return open && quarantine(ctx, { ...open, failure: FAILED });
}

/** An attempt of this kind of which nothing is there but what `parse` read. The name of its execution keeps a second one from being started. */
export function notStarted({ runId, number, chain }: LastAttempt): Run | null {
  if (chain?.ledger.attempt.reason !== 'password' || chain.entries.length !== 1) return null;
  if (chain.ledger.terminal !== null) return null;
  return { ...newRun(runId, number), last: lastOf(chain), polls: chain.ledger.polls };
}
