/** The shapes AWS hands to a lambda, parsed once: S3 and Step Functions events, SQS batches, the state of the state machine. */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Context } from '../lib/pipeline/context.ts';
import type { IntakeObject } from '../lib/pipeline/ledger.ts';
import { type FailedRun, MESSAGE_DISPOSITIONS, type Run, type StageName } from '../lib/pipeline/model.ts';
import { contextOf, logged, logger, type MakePorts } from './runtime.ts';

const RunId = z.string().check(z.regex(/^[0-9a-f]{32}$/));
const Count = z.number().check(z.nonnegative());

const RunState = z.object({
  runId: RunId,
  outstanding: Count,
  waitSeconds: Count,
  polls: Count,
  disposition: z.enum([...MESSAGE_DISPOSITIONS, 'undecided']),
});

const FailedRunState = z.extend(RunState, { failure: z.object({ Error: z.string(), Cause: z.string() }) });

/** EventBridge "Object Created" of S3. Keys come as they are, not percent-encoded as in S3's own notifications. */
const ObjectCreated = z.object({
  detail: z.object({
    bucket: z.object({ name: z.string() }),
    object: z.object({ key: z.string(), size: z.optional(z.int()), 'version-id': z.optional(z.string()) }),
  }),
});

/** EventBridge "Step Functions Execution Status Change". An execution is named after its run. */
const ExecutionEnded = z.object({
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({
    name: RunId,
    status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
    error: z.nullish(z.string()),
    cause: z.nullish(z.string()),
  }),
});

/** What such an end is called in a failure. A stage of the run may still be at work: quarantine looks out for that. */
const ENDED = { FAILED: 'ExecutionFailed', TIMED_OUT: 'ExecutionTimedOut', ABORTED: 'ExecutionAborted' } as const;

/** Reads an S3 event. Throws ZodError when it is none. */
export function intakeObjectOf(event: unknown): IntakeObject {
  const { bucket, object } = ObjectCreated.parse(event).detail;
  return {
    bucket: bucket.name,
    untrustedKey: object.key,
    versionId: object['version-id'] ?? '',
    size: object.size ?? null,
  };
}

/** What quarantine is asked for: a run, or an intake object that no run could be made for. */
export type Casualty = { readonly run: Run | FailedRun } | { readonly intake: IntakeObject };

/** Reads whichever of the shapes that lead to quarantine this is. Throws ZodError when it is none of them. */
export function casualtyOf(event: unknown): Casualty {
  const failed = FailedRunState.safeParse(event);
  if (failed.success) return { run: failed.data };
  const run = RunState.safeParse(event);
  if (run.success) return { run: run.data };
  const ended = ExecutionEnded.safeParse(event);
  if (!ended.success) return { intake: intakeObjectOf(event) };
  const { name: runId, status, error, cause } = ended.data.detail;
  const failure = { Error: ENDED[status], Cause: [error, cause].filter(Boolean).join(': ') || 'no cause given' };
  return { run: { runId, outstanding: 0, waitSeconds: 0, polls: 0, disposition: 'undecided', failure } };
}

/** The handler of a stage that the state machine runs: state in, state out. */
export function stageHandler(
  stage: StageName,
  run: (ctx: Context, state: Run) => Promise<Run>,
  makePorts: MakePorts,
): (event: unknown) => Promise<Run> {
  const context = contextOf(makePorts);
  return async (event) => {
    const state = RunState.parse(event);
    return logged(stage, state.runId, async () => run(await context(), state));
  };
}

/** Works through an SQS batch in order. What fails is handed back to the queue alone; its neighbours are done. */
export async function eachRecord(
  stage: StageName,
  records: readonly SQSRecord[],
  work: (body: unknown) => Promise<unknown>,
): Promise<SQSBatchResponse> {
  const batchItemFailures: { itemIdentifier: string }[] = [];
  for (const record of records) {
    try {
      await logged(stage, null, async () => work(JSON.parse(record.body)));
    } catch {
      // `logged` has written why. The queue tries again, then dead-letters it, and quarantine takes it from there.
      logger.warn('handed back to the queue', { messageId: record.messageId });
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures };
}

/** A handler for work that comes from a queue, or by itself from the state machine or from EventBridge. */
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

function isBatch(event: unknown): event is SQSEvent {
  return typeof event === 'object' && event !== null && 'Records' in event && Array.isArray(event.Records);
}
