/** Notes the beginning and the end of a run in the index of runs. It works beside the stages, without the rights of any stage. */

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
 * Puts the run of an event into the index, by its signed chain. Safe to repeat, and in any order: a later attempt stays. A held run whose
 * chain is lost is not listed, because anybody on the bus could claim this of any run. `receipts` is how often the queue has given out the
 * event. Throws TransientError while the end is not noted yet, or may be noted again.
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
 * Puts a run into the index, by the present chain of this attempt, ended or not. Safe to repeat, and in any order. Anybody on the bus may
 * request any run, and changes nothing by that. Throws TransientError.
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
