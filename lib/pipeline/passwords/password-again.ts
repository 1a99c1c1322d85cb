/** Carries out a request to try words of other mail in a deployment of separate functions, where no session holds a lock. */
import type { ParseContext, RedriveContext } from '../context.ts';
import type { Run } from '../model.ts';
import { parse } from '../parse.ts';
import { lastAttempt } from '../review/redrive.ts';
import { beginWithPasswords } from './password-mail.ts';
import { type PasswordTry, passwordTryOf } from './password-try.ts';
import { notStarted } from './password-try-failed.ts';

/**
 * Begins the next attempt of a held run with the words of these runs. Returns null when that is not allowed, or no word is new. The request
 * is not trusted: everything is read from the chains. Safe to repeat: an attempt that was begun and never started is started. Throws
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

/**
 * Carries out the request in a message of the intake queue. Returns false when the message is something else. Throws as `tryPasswords`
 * does.
 */
export async function hasTriedPasswords(ctx: ParseContext, body: unknown): Promise<boolean> {
  const asked = passwordTryOf(body);
  if (asked !== null) await tryPasswords(ctx, asked);
  return asked !== null;
}
