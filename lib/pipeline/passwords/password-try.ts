/** The request to `parse` to read a held mail again with words of other mail. It waits in the queue of the events about new objects. */
import * as z from 'zod/mini';
import { RunId } from '../ledger/run-id.ts';
import { DEFAULT_LIMITS } from '../limits.ts';

/** A held run, and the runs of other mail that may tell its password, the newest first. */
export const PasswordTry = z.object({
  runId: RunId,
  from: z.array(RunId).check(z.minLength(1), z.maxLength(DEFAULT_LIMITS.earlierPasswordMails)),
});
export type PasswordTry = z.infer<typeof PasswordTry>;

const Asked = z.object({ passwordTry: PasswordTry });

/** Returns the text of a request. It names mail, and contains no word of any. */
export function passwordTryText(passwordTry: PasswordTry): string {
  return JSON.stringify({ passwordTry } satisfies z.infer<typeof Asked>);
}

/** Reads the request in the body of a message; null when it is something else. */
export function passwordTryOf(body: unknown): PasswordTry | null {
  const found = Asked.safeParse(body);
  return found.success ? found.data.passwordTry : null;
}
