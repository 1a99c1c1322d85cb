/** The frame of the functions that work after a run has ended. They take events of EventBridge about ends from a queue. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Context } from '../../lib/pipeline/context.ts';
import type { StageName, WayOut } from '../../lib/pipeline/model.ts';
import { RunEvent } from '../../lib/pipeline/results/run-event.ts';
import { fromQueue } from './batches.ts';
import { noPorts } from './ports.ts';
import { contextOf, type MakePorts } from './runtime.ts';

const Ended = z.object({ detail: RunEvent });

/** Reads the end of a run from the body of a message. Throws ZodError when the body is no such event. */
export const endOf = (body: unknown): RunEvent => Ended.parse(body).detail;

/**
 * Makes a handler for the ends of runs. `receipts` is the number of times that the queue has given out this event. An end that cannot be
 * handled goes back to the queue, and in the end to the dead-letter queue.
 */
export function endHandler(
  way: WayOut | StageName,
  work: (ctx: Context, event: RunEvent, receipts: number) => Promise<unknown>,
  makePorts: MakePorts = noPorts,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const context = contextOf(makePorts);
  return fromQueue(way, async (body, receipts) => work(await context(), endOf(body), receipts));
}
