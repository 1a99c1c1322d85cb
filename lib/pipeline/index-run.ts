/** Notes in the index of runs how a run has ended. It works after a run has ended, and without the rights of any stage. */
import type { StoreContext } from './context.ts';
import { endedRun } from './ended-run.ts';
import type { Runs } from './ports.ts';
import type { RunEvent } from './run-event.ts';
import { indexedRun } from './run-row.ts';

export interface IndexRunContext extends StoreContext {
  readonly runs: Pick<Runs, 'put'>;
}

/**
 * Puts the run of an event into the index, as its signed chain says it. Safe to repeat, and in any order: a later attempt stays. A held run whose
 * chain is lost is not listed, because anybody on the bus could say so of any run. Throws TransientError while a delivery is not noted yet.
 *
 * @example
 * ```ts
 * import { type IndexRunContext, indexRun } from './lib/pipeline/index-run.ts';
 * import type { RunEvent } from './lib/pipeline/run-event.ts';
 *
 * const onEvent = (ctx: IndexRunContext, event: RunEvent) => indexRun(ctx, event);
 * ```
 */
export async function indexRun(ctx: IndexRunContext, event: RunEvent): Promise<void> {
  const { runId, attempt } = event;
  const ledger = await endedRun(ctx, event);
  if (ledger === null) return ctx.log.warn('the run is not in the index', { runId, reason: 'its chain has no end' });
  await ctx.runs.put(indexedRun(ledger));
  ctx.log.info('run indexed', { runId, attempt });
}
