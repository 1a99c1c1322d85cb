/**
 * How a run is born: its state, and the ledger it has before anything was read. Apart from `parse`, because `quarantine` needs
 * it too, and the stage where every failure ends must hold no code that reads hostile bytes.
 */
import type { StoreContext } from './context.ts';
import { runIdOf } from './keys.ts';
import { type IntakeObject, LEDGER_SCHEMA, type Ledger } from './ledger.ts';
import { createLedger, readLedger } from './ledger-store.ts';
import type { Run } from './model.ts';

/** The state a run starts with. */
export function newRun(runId: string): Run {
  return { runId, outstanding: 0, waitSeconds: 0, polls: 0, disposition: 'undecided' };
}

/** The ledger of a run that has only just been born: an intake object and a deadline. */
export function newLedger(ctx: Pick<StoreContext, 'clock' | 'limits'>, runId: string, intake: IntakeObject): Ledger {
  const now = ctx.clock.now();
  return {
    schema: LEDGER_SCHEMA,
    runId,
    bornAt: new Date(now).toISOString(),
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
    failure: null,
    disposition: null,
    reasons: [],
    rebuilt: null,
    terminal: null,
    stages: [],
    polls: 0,
  };
}

/**
 * Files an intake object for which no run could be made (its events ended in the dead-letter queue): gives it a ledger
 * that says so, unless it has one.
 */
export async function ledgerForLostIntake(ctx: StoreContext, intake: IntakeObject, detail: string): Promise<Ledger> {
  const runId = runIdOf({ bucket: intake.bucket, key: intake.untrustedKey, versionId: intake.versionId });
  const ledger: Ledger = { ...newLedger(ctx, runId, intake), failure: { class: 'unreadable', detail } };
  if (await createLedger(ctx, ledger)) return ledger;
  return readLedger(ctx, runId);
}
