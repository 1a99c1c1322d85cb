/** Carries out a request to try words of other mail, where each function does one thing and no session holds a lock. */
import type { ParseContext, RedriveContext } from '../context.ts';
import type { Run } from '../model.ts';
import { parse } from '../parse.ts';
import { type LastAttempt, lastAttempt } from '../review/redrive.ts';
import { unfinished } from '../review/review.ts';
import { beginWithPasswords } from './password-mail.ts';
import { type PasswordTry, passwordTryOf } from './password-try.ts';

/**
 * Begins the next attempt of a held run with the words of these runs. Null when that may not be, or none of them is new. The request is not
 * believed: everything is read from the chains. Safe to repeat: an attempt that was begun and never started is started. Throws
 * AttemptBegunError, TransientError.
 */
async function tryPasswords(ctx: ParseContext, { runId, from }: PasswordTry): Promise<Run | null> {
  const last = await lastAttempt(ctx, runId);
  const open = notStarted(last);
  if (open !== null) {
    await ctx.executions.start({ runId, attempt: open.attempt, input: open });
    return open;
  }
  const parseAgain: RedriveContext['parseAgain'] = (intake, attempt) => parse(ctx, intake, attempt);
  return beginWithPasswords({ ...ctx, parseAgain }, last, from);
}

/** Carries out the request in a message of the intake queue; false when the message is something else. Throws as `tryPasswords` does. */
export async function hasTriedPasswords(ctx: ParseContext, body: unknown): Promise<boolean> {
  const asked = passwordTryOf(body);
  if (asked !== null) await tryPasswords(ctx, asked);
  return asked !== null;
}

/** An attempt of this kind of which nothing is there but what `parse` read. The name of its execution keeps a second one from being started. */
function notStarted(last: LastAttempt): Run | null {
  const { chain } = last;
  const isOurs = chain?.ledger.attempt.reason === 'password' && chain.entries.length === 1;
  return isOurs ? unfinished(last) : null;
}
