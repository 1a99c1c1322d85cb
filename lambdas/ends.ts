/** The frame of what works after a run has ended: events of EventBridge about ends, from a queue. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { StoreContext } from '../lib/pipeline/context.ts';
import type { WayOut } from '../lib/pipeline/model.ts';
import { RunEvent } from '../lib/pipeline/run-event.ts';
import { eachRecord } from './events.ts';
import { noPorts } from './ports.ts';
import { contextOf } from './runtime.ts';

const Ended = z.object({ detail: RunEvent });

/**
 * A handler for the ends of runs; `receipts` says how often the queue has handed this one out. An end that cannot be handled goes back to the
 * queue, and at last to its dead letters.
 */
export function endHandler(
  way: WayOut,
  work: (ctx: StoreContext, event: RunEvent, receipts: number) => Promise<unknown>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const context = contextOf(noPorts);
  return (event) =>
    eachRecord(way, event.Records, async (body, receipts) => work(await context(), Ended.parse(body).detail, receipts));
}
