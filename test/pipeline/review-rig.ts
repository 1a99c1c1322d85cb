/** Held mail in a rig, and people who decide about it as a session does. */
import type { Action, Decision } from '../../lib/local/session/review.ts';
import { type ReviewParts, reviewed } from '../../lib/local/session/review.ts';
import { createWorkflow } from '../../lib/local/session/workflow.ts';
import { readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import type { Context, ReviewContext } from '../../lib/pipeline/context.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import type { MemoryBlobs } from '../../lib/storage/memory.ts';
import type { Rig } from './rig.ts';

export const PAT = { name: 'pat', why: 'the sender called' };
export const KIM = { name: 'kim', why: 'checked with pat' };

/** What a session does with a decision, over the stores of a rig. */
export function partsOf(ctx: Context, blobs: MemoryBlobs): ReviewParts {
  const names = Object.keys(STAGES) as (keyof typeof STAGES)[];
  const stages = Object.fromEntries(names.map((name) => [name, (state: Run) => STAGES[name](ctx, state)]));
  const workflow = createWorkflow({ stages: stages as never, retryIntervalMs: 0 });
  const review: ReviewContext = {
    ...ctx,
    parseAgain: (intake, attempt) => parse(ctx, intake, attempt),
    removeHeld: async (runId, intake) => {
      // Asked through the port: a process that is dead removes nothing.
      await ctx.blobs.has('quarantine', keys.quarantinedOriginal(runId));
      for (const key of blobs.list('quarantine')) if (key.startsWith(runId)) blobs.remove('quarantine', key);
      if (intake !== null) blobs.remove('intake', intake.untrustedKey);
    },
  };
  const settled: ReviewParts['settled'] = async (runId) => {
    const ledger: Ledger = await readLedger(ctx, runId);
    const state = ledger.terminal?.state === 'delivered' ? 'delivered' : 'quarantined';
    return { input: runId, state, runId, ledger, written: {} as never };
  };
  return {
    ctx: review,
    toItsEnd: async (run) => {
      await workflow.run(run, new AbortController().signal);
      return settled(run.runId);
    },
    settled,
  };
}

/** Decides about a run. */
export function decided(rig: Rig, runId: string, action: Action, decision: Partial<Decision> = {}) {
  return reviewed(partsOf(rig.ctx, rig.blobs), runId, { action, form: 'rebuilt', who: PAT, ...decision });
}
