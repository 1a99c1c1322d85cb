/** The frame of what works after a run has ended: events of EventBridge about ends, from a queue. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Context } from '../../lib/pipeline/context.ts';
import type { StageName, WayOut } from '../../lib/pipeline/model.ts';
import { RunEvent } from '../../lib/pipeline/results/run-event.ts';
import { eachRecord } from './events.ts';
import { noPorts } from './ports.ts';
import { contextOf, type MakePorts } from './runtime.ts';

const Ended = z.object({ detail: RunEvent });

/** The end of a run in the body of a message. Throws ZodError when it is none. */
export const endOf = (body: unknown): RunEvent => Ended.parse(body).detail;

/**
 * A handler for the ends of runs; `receipts` says how often the queue has handed this one out. An end that cannot be handled goes back to the
 * queue, and at last to its dead letters.
 */
export function endHandler(
  way: WayOut | StageName,
  work: (ctx: Context, event: RunEvent, receipts: number) => Promise<unknown>,
  makePorts: MakePorts = noPorts,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const context = contextOf(makePorts);
  return (event) =>
    eachRecord(way, event.Records, async (body, receipts) => work(await context(), endOf(body), receipts));
}
