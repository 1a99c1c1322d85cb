/**
 * Begins a run again that ended for a temporary reason. It becomes a new attempt of the same run and keeps its history. The findings of
 * `parse` are reused while all of its artifacts exist. Otherwise the intake object is read again.
 */

import { beginningOf, mayBegin } from '../chain/beginning.ts';
import { type Chain, extended, lastOf, putChain } from '../chain/chain.ts';
import { hashOfLine } from '../chain/chain-text.ts';
import { changeBetween } from '../chain/change.ts';
import { fold } from '../chain/fold.ts';
import { timestamp } from '../chain/ledger-store.ts';
import { newRun, notedIntake } from '../chain/new-run.ts';
import { newestAttempt, newestChain } from '../chain/newest-chain.ts';
import type { RedriveContext, StoreContext } from '../context.ts';
import { AttemptBegunError, FilesAwaitedError, isLostRecord, LimitExceededError, NotFoundError } from '../errors.ts';
import { keys, runIdOf } from '../keys.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import type { Attempt } from '../ledger/attempt.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isBeginner, type Run } from '../model.ts';
import { PASSING_REASONS } from '../reason-codes.ts';

/** The end of the newest attempt of a run. */
export interface LastAttempt {
  readonly runId: string;
  readonly number: number;
  /** Null when it cannot be read. */
  readonly chain: Chain | null;
}

/** Finds the newest attempt of a run. Throws TransientError. */
export async function lastAttempt(ctx: StoreContext, runId: string): Promise<LastAttempt> {
  const number = await newestAttempt(ctx, runId);
  try {
    return { runId, number, chain: await newestChain(ctx, runId, number) };
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    return { runId, number, chain: null };
  }
}

/** Returns the reason why a run may not be begun again, in words; null when it may. With `isForced`, a lasting reason is no obstacle. */
export function obstacleTo({ chain }: LastAttempt, isForced: boolean): string | null {
  const ledger = chain?.ledger ?? null;
  if (ledger === null) return isForced ? null : 'its chain cannot be read; name the run to begin it again all the same';
  if (ledger.terminal === null) return 'it has not ended';
  if (ledger.terminal.state !== 'quarantined') return `it was ${ledger.terminal.state}`;
  if (ledger.attempt.release !== undefined)
    return 'a person released it, and that attempt was held; release it again, or rescan it';
  const codes: readonly string[] = PASSING_REASONS;
  const passing = ledger.reasons.some(({ code }) => codes.includes(code));
  return passing || isForced
    ? null
    : `its reasons do not pass by themselves (${ledger.reasons.map(({ code }) => code).join(', ')})`;
}

/**
 * Begins the next attempt, and returns the run that the state machine carries. Safe to repeat while that attempt has not ended. Throws
 * LimitExceededError over `attempts`, NotFoundError when the object of the run is not known, FilesAwaitedError, TransientError.
 */
export async function redrive(ctx: RedriveContext, last: LastAttempt): Promise<Run> {
  const { runId, chain } = last;
  const number = last.number + 1;
  if (number > ctx.limits.attempts) throw new LimitExceededError('attempts', ctx.limits.attempts, number);
  const line = chain?.lines.at(-1);
  const earlier = line === undefined ? null : hashOfLine(line);
  const attempt: Attempt = { number, begunAt: timestamp(ctx), reason: 'redrive', earlier, ...passwordsOf(chain) };
  const begun = chain === null ? null : await readBefore(ctx, chain);
  const early = chain?.ledger.early;
  // An attempt that `parse` has begun is started by `parse`.
  if (begun === null || !(await mayBegin(ctx, { runId, attempt: number }, 'begun')))
    return ctx.parseAgain(await intakeOf(ctx, runId, chain), attempt);
  return start(ctx, await begin(ctx, begun, { attempt, ...(early && { early }) }));
}

/** Returns the other mail whose passwords were tried, for the next attempt. */
export function passwordsOf(chain: Chain | null): Pick<Attempt, 'passwordsFrom'> {
  const passwordsFrom = chain?.ledger.attempt.passwordsFrom;
  return passwordsFrom === undefined ? {} : { passwordsFrom };
}

/**
 * Starts an attempt again that only has its beginning, because its process, even `review` for a person, may have ended before the start.
 * Returns true when it is such an attempt.
 */
export async function startedAgain(ctx: RedriveContext, { chain }: LastAttempt): Promise<boolean> {
  if (chain === null || chain.ledger.terminal !== null || !isBeginner(chain.entries.at(-1)?.stage)) return false;
  await start(ctx, chain);
  return true;
}

/** Starts an attempt. Has no effect on one that is running or has ended. */
async function start(ctx: RedriveContext, begun: Chain): Promise<Run> {
  const { runId, attempt } = begun;
  const run: Run = { ...newRun(runId, attempt), last: lastOf(begun) };
  await ctx.executions.start({ runId, attempt, input: run });
  return run;
}

/**
 * Returns the chain with only the entry of `parse`, as the base of the next attempt; null when the mail must be read again. A process may
 * have noted this base and been killed before it wrote the first entry. The attempt can then begin in no other way, so missing files are
 * restored. Reading the mail again stores them before it finds the note. Throws FilesAwaitedError until they exist.
 */
export async function readBefore(ctx: RedriveContext, chain: Chain): Promise<Chain | null> {
  const parsed = parsedOnly(chain);
  if (parsed === null || (await areArtifactsThere(ctx, parsed))) return parsed;
  const { runId, ledger } = chain;
  const number = chain.attempt + 1;
  if ((await beginningOf(ctx, { runId, attempt: number })) !== 'begun') return null;
  const attempt: Attempt = { number, begunAt: timestamp(ctx), reason: 'redrive', earlier: null, ...passwordsOf(chain) };
  try {
    await ctx.parseAgain(ledger.intake, attempt);
  } catch (error) {
    if (!(error instanceof AttemptBegunError)) throw error;
  }
  if (await areArtifactsThere(ctx, parsed)) return parsed;
  throw new FilesAwaitedError(AWAITED);
}

const AWAITED =
  'its files are gone, and are being read again from what came in; ask again in a minute. If this stays so, what came in is gone, too: take the original out of the quarantine, or delete it';

/** Returns the part of the chain that `parse` wrote; null when it begins with another entry. */
export function parsedOnly({ runId, attempt, lines, entries }: Chain): Chain | null {
  const [line, first] = [lines[0], entries[0]];
  if (line === undefined || first?.stage !== 'parse' || first.start === null) return null;
  return { runId, attempt, lines: [line], entries: [first], ledger: fold([first]) };
}

/** Returns true while the bytes of every artifact are in the work bucket. */
export async function areArtifactsThere(ctx: StoreContext, { ledger }: Chain): Promise<boolean> {
  for (const artifact of ledger.artifacts) {
    const ids =
      artifact.type === 'file' ? [artifact.id, ...(artifact.disarmAs === null ? [] : [artifact.disarmAs])] : [];
    for (const id of ids) if (!(await ctx.blobs.has('work', keys.artifact(hashOf(id))))) return false;
  }
  return true;
}

async function begin(
  ctx: StoreContext,
  parsed: Chain,
  { attempt, ...sent }: Pick<Ledger, 'attempt' | 'early'>,
): Promise<Chain> {
  const { runId, ledger } = parsed;
  const deadlineAt = new Date(Date.parse(attempt.begunAt) + ctx.limits.deadlineSeconds * 1000).toISOString();
  const change = changeBetween('redrive', ledger, { attempt, deadlineAt, ...sent });
  const entry = { startedAt: attempt.begunAt, durationMs: 0, policy: null, start: null, change };
  const of = { runId, attempt: attempt.number };
  const signed = await extended(ctx, of, parsed, { stage: 'redrive', ...entry });
  // If somebody else began an attempt at the same time, that attempt counts. It has the same name, and the stages continue from it.
  await putChain(ctx, signed);
  return signed;
}

async function intakeOf(ctx: StoreContext, runId: string, chain: Chain | null): Promise<Ledger['intake']> {
  const intake = (await notedIntake(ctx, runId)) ?? chain?.ledger.intake ?? null;
  if (intake === null || runIdOf(intake) !== runId) throw new NotFoundError('work', keys.intake(runId));
  return intake;
}
