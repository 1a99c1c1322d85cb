/** Stage `rebuild`: writes the clean message of a decided run to the work bucket (composed.ts), and checks it. */

import { onLedger } from './chain/ledger-store.ts';
import type { RebuildContext } from './context.ts';
import { StageOrderError } from './errors.ts';
import type { Run } from './model.ts';
import { forRun } from './policy/for-recipients.ts';
import { composed } from './rebuilding/composed.ts';

/**
 * Writes the rebuilt message or file to the work bucket. Throws HeldError, RebuildMismatchError, StageOrderError.
 *
 * @example
 * ```ts
 * import type { Run } from './lib/pipeline/model.ts';
 * import type { DeliverContext, RebuildContext } from './lib/pipeline/context.ts';
 * import { deliver } from './lib/pipeline/deliver.ts';
 *
 * async function finish(ctx: RebuildContext & DeliverContext, run: Run): Promise<Run> {
 *   return await deliver(ctx, await rebuild(ctx, run));
 * }
 * ```
 */
export async function rebuild(ctx: RebuildContext, run: Run): Promise<Run> {
  const done = await onLedger(ctx, 'rebuild', run, async (ledger) => {
    if (ledger.disposition !== 'deliver') throw new StageOrderError(`run ${run.runId} is not to be delivered`);
    return composed(forRun(ctx, ledger), ledger);
  });
  return done.run;
}
