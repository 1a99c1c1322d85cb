/** Notes in the index of runs that a run began and how it has ended. It works beside the stages, and without the rights of any. */

import { newestChain } from '../chain/newest-chain.ts';
import type { StoreContext } from '../context.ts';
import { isLostRecord, TransientError } from '../errors.ts';
import type { Runs } from '../ports.ts';
import { mayBeNotedAgain, notedEnd } from '../results/ended-run.ts';
import type { RunEvent } from '../results/run-event.ts';
import type { IndexLook } from './index-look.ts';
import { indexedRunOf } from './indexed-run.ts';

export interface IndexRunContext extends StoreContext {
  readonly runs: Pick<Runs, 'put'>;
}

/**
 * Puts the run of an event into the index, as its signed chain says it. Safe to repeat, and in any order: a later attempt stays. A held run whose
 * chain is lost is not listed, because anybody on the bus could say so of any run. `receipts` says how often the queue has handed out the event.
 * Throws TransientError while the end is not noted yet, or may be noted again.
 *
 * @example
 * ```ts
 * import { type IndexRunContext, indexRun } from './lib/pipeline/runs/index-run.ts';
 * import type { RunEvent } from './lib/pipeline/results/run-event.ts';
 *
 * const onEvent = (ctx: IndexRunContext, event: RunEvent, receipts: number) => indexRun(ctx, event, receipts);
 * ```
 */
export async function indexRun(ctx: IndexRunContext, event: RunEvent, receipts: number): Promise<void> {
  const { runId, attempt } = event;
  const ledger = await notedEnd(ctx, event, receipts);
  if (ledger === null) return ctx.log.warn('the run is not in the index', { runId, reason: 'its chain has no end' });
  await ctx.runs.put(await indexedRunOf(ctx, ledger));
  ctx.log.info('run indexed', { runId, attempt });
  if (mayBeNotedAgain(ledger, receipts)) throw new TransientError(`the delivery of run ${runId} may be noted again`);
}

/**
 * Puts a run into the index as the chain of this attempt says it just now, ended or not. Safe to repeat, and in any order. Anybody on the bus may ask
 * for any run, and changes nothing by it. Throws TransientError.
 */
export async function lookAtRun(ctx: IndexRunContext, { runId, attempt }: IndexLook): Promise<void> {
  try {
    const { ledger } = await newestChain(ctx, runId, attempt);
    await ctx.runs.put(await indexedRunOf(ctx, ledger));
    ctx.log.info('run indexed', { runId, attempt });
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    ctx.log.warn('the run is not in the index', { runId, reason: error.message });
  }
}
