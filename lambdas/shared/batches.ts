/** Work that comes in batches from a queue. */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { AttemptBegunError, TransientError } from '../../lib/pipeline/errors.ts';
import { RunId } from '../../lib/pipeline/ledger/run-id.ts';
import type { Scheduled, StageName, WayIn, WayOut, Writer } from '../../lib/pipeline/model.ts';
import { logged, logger } from './runtime.ts';

/** The pauses before a record is tried again in the same invocation, in milliseconds. The queue gives it out again only after minutes. */
export const PAUSES_MS = [1_000, 5_000];

type Pause = (ms: number) => Promise<unknown>;
const waitFor: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Handles an SQS batch in order. A fault that passes is tried again after seconds. Only records that still fail go back to the queue. */
export async function eachRecord(
  stage: Writer | WayOut | WayIn | Scheduled,
  records: readonly SQSRecord[],
  work: (body: unknown, receipts: number) => Promise<unknown>,
  pause: Pause = waitFor,
): Promise<SQSBatchResponse> {
  const batchItemFailures: { itemIdentifier: string }[] = [];
  for (const record of records) {
    try {
      await logged(stage, null, () =>
        triedAgain(() => unlessBegun(async () => work(JSON.parse(record.body), receiptsOf(record))), pause),
      );
    } catch {
      // `logged` has written the reason. The queue tries again, then sends the record to the dead-letter queue of quarantine.
      logger.warn('handed back to the queue', { messageId: record.messageId });
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures };
}

/** Makes a handler for work that comes in batches from a queue (`eachRecord`). */
export const fromQueue =
  (
    stage: Writer | WayOut | WayIn | Scheduled,
    work: (body: unknown, receipts: number) => Promise<unknown>,
  ): ((event: SQSEvent) => Promise<SQSBatchResponse>) =>
  (event) =>
    eachRecord(stage, event.Records, work);

const receiptsOf = ({ attributes }: SQSRecord) => Number(attributes.ApproximateReceiveCount);

/** A record needs no more work when another event has already begun the attempt that it asks for. */
async function unlessBegun(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AttemptBegunError)) throw error;
    logger.warn('begun in another way', { reason: error.message });
  }
}

async function triedAgain<T>(work: () => Promise<T>, pause: Pause): Promise<T> {
  for (const ms of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      logger.warn('tried again', { reason: error.message, afterMs: ms });
      await pause(ms);
    }
  }
  return await work();
}

/** Makes a handler for work that comes in batches from a queue, or one by one from the state machine or from EventBridge. */
export function queueOrDirect<Result>(
  stage: StageName,
  work: (event: unknown) => Promise<Result>,
): (event: unknown) => Promise<Result | SQSBatchResponse> {
  return async (event) => {
    if (isBatch(event)) return eachRecord(stage, event.Records, work);
    const run = z.object({ runId: RunId }).safeParse(event);
    return logged(stage, run.success ? run.data.runId : null, () => work(event));
  };
}

/** Returns true for an event that comes from a queue. */
export const isBatch = (event: unknown): event is SQSEvent =>
  z.object({ Records: z.array(z.unknown()) }).safeParse(event).success;
