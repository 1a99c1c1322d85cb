/** Held mail of a session that another mail may open by its password. It is tried when one of the two has ended. */
import { createSemaphore } from '../../engines/threads/semaphore.ts';
import type { RedriveContext } from '../../pipeline/context.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Run } from '../../pipeline/model.ts';
import { beginWithPasswords, isClosed, passwordTries } from '../../pipeline/passwords/password-mail.ts';
import type { PasswordTry } from '../../pipeline/passwords/password-try.ts';
import type { Policy } from '../../pipeline/policy/policy.ts';
import { lastAttempt } from '../../pipeline/review/redrive.ts';
import { unfinished } from '../../pipeline/review/review.ts';
import type { Outcome } from '../outcome.ts';
import type { RunIndex } from './run-index.ts';

/** The parts that a session provides. */
export interface PasswordParts {
  readonly ctx: RedriveContext & { readonly policy: Policy };
  readonly index: Pick<RunIndex, 'list' | 'written'>;
  readonly signal: AbortSignal;
  /** Does work while no other process works on the run. */
  readonly inLock: (runId: string, work: () => Promise<Outcome | null>) => Promise<Outcome | null>;
  /** Runs an attempt to its end. */
  readonly toItsEnd: (run: Run) => Promise<Outcome>;
  /** Receives the end of held mail that was tried again because of another mail. */
  readonly onAgain: (outcome: Outcome) => Promise<void>;
}

export interface PasswordMail {
  /**
   * Makes the possible tries after a scan. If the scan held a mail, that mail is tried with earlier mail at once, and the newer outcome
   * counts. Other held mail is tried in the background. Rejects only when the scan does.
   */
  behind(scanned: Promise<Outcome>): Promise<Outcome>;
  /** Resolves when all pending tries of held mail have ended. */
  settled(): Promise<void>;
}

/** The number of held mails that are tried at the same time. An incoming mail does not wait for them, and they leave room for others. */
const AT_ONCE = 2;

/** Tries held mail of one session. */
export function createPasswordMail(parts: PasswordParts): PasswordMail {
  const inTurn = createSemaphore(AT_ONCE);
  const underWay = new Set<Promise<void>>();
  const inBackground = (work: Promise<unknown>) => {
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(ended);
    void ended.then(() => underWay.delete(ended));
  };
  const others = ({ runId, from }: PasswordTry) =>
    inBackground(
      inTurn(async () => {
        const outcome = await tryHeld(parts, runId, from);
        if (outcome !== null) await parts.onAgain(outcome);
      }),
    );
  const after = async (ended: Ledger) => {
    const tries = await passwordTries({ ...parts.ctx, runs: parts.index }, ended);
    for (const one of tries) if (one.runId !== ended.runId) others(one);
    const own = tries.find(({ runId }) => runId === ended.runId);
    return own === undefined ? null : await tryHeld(parts, own.runId, own.from);
  };
  return {
    async behind(scanned) {
      const outcome = await scanned;
      if (!('ledger' in outcome) || outcome.isEarlier || parts.signal.aborted) return outcome;
      const { ledger } = outcome;
      // The mail itself waits for no search. Its own row is in the index before the search, so of two mails one finds the other.
      if (!isClosed(ledger)) {
        inBackground(parts.index.written().then(() => (parts.signal.aborted ? null : after(ledger))));
        return outcome;
      }
      // A fault in the try of a held mail affects no other mail. The held mail stays held, and a later mail tries it again.
      const again = await after(ledger).catch(() => null);
      return again === null ? outcome : { ...again, input: outcome.input };
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Returns the outcome of the attempt that was begun; null when none was. An attempt of a killed process is completed first. */
function tryHeld(parts: PasswordParts, runId: string, from: readonly string[]): Promise<Outcome | null> {
  const { ctx, signal, inLock, toItsEnd } = parts;
  if (signal.aborted) return Promise.resolve(null);
  return inLock(runId, async () => {
    const last = await lastAttempt(ctx, runId);
    const open = last.chain?.ledger.attempt.reason === 'password' ? unfinished(last) : null;
    const earlier = open === null ? null : await toItsEnd(open);
    if (earlier !== null && earlier.state !== 'quarantined') return earlier;
    const run = await beginWithPasswords(ctx, await lastAttempt(ctx, runId), from);
    return run === null ? earlier : await toItsEnd(run);
  });
}
