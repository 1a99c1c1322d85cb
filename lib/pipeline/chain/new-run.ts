/**
 * Creates a run: its state, and its ledger before anything was read. This file is separate from `parse` because `quarantine` needs it
 * too, and the stage where every failure ends must not contain code that reads hostile bytes.
 */

import type { StoreContext } from '../context.ts';
import { CorruptDataError, NotFoundError } from '../errors.ts';
import { keys } from '../keys.ts';
import { FIRST_ATTEMPT } from '../ledger/attempt.ts';
import { IntakeObject } from '../ledger/intake-object.ts';
import { LEDGER_SCHEMA, type Ledger } from '../ledger/ledger.ts';
import type { Run } from '../model.ts';
import { safeJson } from '../safe-text.ts';
import { parseStored } from './ledger-store.ts';

/** Returns the state with which an attempt of a run starts. */
export function newRun(runId: string, attempt: number = FIRST_ATTEMPT): Run {
  return { runId, attempt, last: 'parse', outstanding: 0, waitSeconds: 0, polls: 0, disposition: 'undecided' };
}

/** Returns the ledger of a new run: an intake object and a deadline. */
export function newLedger(
  ctx: Pick<StoreContext, 'clock' | 'limits'>,
  { runId, attempt }: { readonly runId: string; readonly attempt: number },
  intake: IntakeObject,
): Ledger {
  const now = ctx.clock.now();
  const bornAt = new Date(now).toISOString();
  return {
    schema: LEDGER_SCHEMA,
    runId,
    attempt: { number: attempt, begunAt: bornAt, reason: null, earlier: null },
    bornAt,
    deadlineAt: new Date(now + ctx.limits.deadlineSeconds * 1000).toISOString(),
    intake,
    sha256: null,
    kind: 'email',
    message: null,
    parts: [],
    urls: [],
    urlsOverLimit: 0,
    artifacts: [],
    warnings: [],
    signatures: [],
    failure: null,
    disposition: null,
    reasons: [],
    rebuilt: null,
    terminal: null,
    stages: [],
    polls: 0,
  };
}

/** Notes the object of a run outside the ledger, so that the original is not lost when the ledger cannot be read. */
export async function noteIntake(ctx: StoreContext, runId: string, intake: IntakeObject): Promise<void> {
  const bytes = new TextEncoder().encode(safeJson(intake));
  await ctx.blobs.put('work', keys.intake(runId), bytes, { contentType: 'application/json' });
}

/** A key has at most 1,024 bytes, and a version id fewer. An envelope may have thousands of recipients. */
const MAX_INTAKE_BYTES = 4 * 1024 * 1024;

/** Returns the intake object that was noted when the run was created, or null when there is no note. Throws TransientError. */
export async function notedIntake(ctx: StoreContext, runId: string): Promise<IntakeObject | null> {
  try {
    const bytes = await ctx.blobs.get('work', keys.intake(runId), { maxBytes: MAX_INTAKE_BYTES });
    const parsed = IntakeObject.safeParse(parseStored(bytes, `intake note of run ${runId}`));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof CorruptDataError) return null;
    throw error;
  }
}
