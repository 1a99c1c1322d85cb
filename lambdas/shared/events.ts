/**
 * The shapes that AWS passes to a lambda: S3 and Step Functions events, SQS batches, the state of the state machine. Each is parsed once.
 */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { AttemptBegunError, TransientError } from '../../lib/pipeline/errors.ts';
import { type Attempt, FIRST_ATTEMPT } from '../../lib/pipeline/ledger/attempt.ts';
import { isDropKey } from '../../lib/pipeline/ledger/dropped.ts';
import type { IntakeObject } from '../../lib/pipeline/ledger/intake-object.ts';
import { RunId } from '../../lib/pipeline/ledger/run-id.ts';
import {
  type Door,
  type FailedRun,
  MESSAGE_DISPOSITIONS,
  type Run,
  type Scheduled,
  type StageName,
  type WayOut,
  type Writer,
} from '../../lib/pipeline/model.ts';
import { type PasswordTry, passwordTryOf } from '../../lib/pipeline/passwords/password-try.ts';
import { markedByNote } from '../../lib/pipeline/review/drop-note.ts';
import { readAgainOf } from '../../lib/pipeline/review/read-again.ts';
import type { IndexLook } from '../../lib/pipeline/runs/index-look.ts';
import { OUTSTANDING } from './embedded-metrics.ts';
import { contextOf, logged, logger, type MakePorts, optionalSetting } from './runtime.ts';

const Count = z.number().check(z.nonnegative());

const AttemptNumber = z.int().check(z.positive());

const RunState = z.object({
  runId: RunId,
  attempt: AttemptNumber,
  last: z.string(),
  outstanding: Count,
  waitSeconds: Count,
  polls: Count,
  disposition: z.enum([...MESSAGE_DISPOSITIONS, 'undecided']),
});

/** Executions that began before attempts existed end in quarantine, too. */
const EndingRunState = z.extend(RunState, {
  attempt: z._default(AttemptNumber, FIRST_ATTEMPT),
  last: z._default(z.string(), 'parse'),
});

const FailedRunState = z.extend(EndingRunState, { failure: z.object({ Error: z.string(), Cause: z.string() }) });

/** EventBridge "Object Created" of S3. Keys are not percent-encoded, as they are in S3's own notifications. */
const ObjectCreated = z.object({
  detail: z.object({
    bucket: z.object({ name: z.string() }),
    object: z.object({
      key: z.string(),
      size: z.optional(z.int()),
      'version-id': z.optional(z.string()),
      etag: z.optional(z.string()),
      sequencer: z.optional(z.string()),
    }),
  }),
});

/** An execution is named after its run and attempt. An old one is named after its run alone. */
const EXECUTION_NAME = /^([0-9a-f]{32})(?:-([1-9]\d{0,3}))?$/;

/** EventBridge "Step Functions Execution Status Change". */
const ExecutionEnded = z.object({
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({
    name: z.string().check(z.regex(EXECUTION_NAME)),
    status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
    error: z.nullish(z.string()),
    cause: z.nullish(z.string()),
  }),
});

const ExecutionBegun = z.object({
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({ name: z.string().check(z.regex(EXECUTION_NAME)), status: z.literal('RUNNING') }),
});

/** The name of such an end in a failure. A stage of the run may still be working, and quarantine checks for that. */
const ENDED = { FAILED: 'ExecutionFailed', TIMED_OUT: 'ExecutionTimedOut', ABORTED: 'ExecutionAborted' } as const;

/** Reads an S3 event. Throws ZodError for anything else. */
export function intakeObjectOf(event: unknown): IntakeObject {
  const { bucket, object } = ObjectCreated.parse(event).detail;
  const dropped = isDrop(bucket.name, object.key) && { dropped: true as const };
  const found = { bucket: bucket.name, untrustedKey: object.key, size: object.size ?? null, ...dropped };
  const versionId = object['version-id'] ?? NO_VERSION;
  const { etag, sequencer } = object;
  if (versionId !== NO_VERSION) return { ...found, versionId, ...(etag !== undefined && { etag }) };
  return { ...found, versionId: '', ...(etag !== undefined && { upload: { etag, sequencer: sequencer ?? '' } }) };
}

/**
 * Returns true for an object that a person dropped at the desk. The prefix tells it, because the policy of the bucket lets nobody else
 * write there, even when the desk takes no drops any more. In other buckets a note tells it (`withDrop`).
 */
function isDrop(bucket: string, key: string): boolean {
  const isSealed = optionalSetting('AIRLOCK_DROPS_SEALED') !== null;
  return isSealed && bucket === optionalSetting('AIRLOCK_INTAKE_BUCKET') && isDropKey(key);
}

/** The input of `parse`: a new object, or an object that a redrive names, as an attempt of its run. */
export interface ParseInput {
  readonly intake: IntakeObject;
  /** Null for the first attempt. */
  readonly again: Attempt | null;
}

/** Reads a message of the intake queue. Throws ZodError for anything else. */
export function parseInputOf(body: unknown): ParseInput {
  const readAgain = readAgainOf(body);
  if (readAgain === null) return { intake: intakeObjectOf(body), again: null };
  return { intake: readAgain.intake, again: readAgain.attempt };
}

/**
 * Returns the context, and the input. The object is marked if a note says that a person dropped it. Mail that is read again keeps its
 * earlier mark. Throws TransientError.
 */
export async function withDrop<Input extends object>(
  context: Promise<Context>,
  input: Input | ParseInput,
): Promise<[Context, Input | ParseInput]> {
  const ctx = await context;
  if (!('intake' in input) || input.again !== null) return [ctx, input];
  const isOfIntake = input.intake.bucket === optionalSetting('AIRLOCK_INTAKE_BUCKET');
  return [ctx, isOfIntake ? { ...input, intake: await markedByNote(ctx, input.intake) } : input];
}

/** The version id of an object that was put while its bucket had versions suspended. The next upload replaces such an object. */
const NO_VERSION = 'null';

/** The input of quarantine: a run, or an intake object for which no run could be made. */
export type QuarantineInput = { readonly run: Run | FailedRun } | { readonly passwordTry: PasswordTry } | ParseInput;

/** Reads any of the shapes that lead to quarantine. Throws ZodError for every other one. */
export function quarantineInputOf(event: unknown): QuarantineInput {
  const passwordTry = passwordTryOf(event);
  if (passwordTry !== null) return { passwordTry };
  const failed = FailedRunState.safeParse(event);
  if (failed.success) return { run: failed.data };
  const run = EndingRunState.safeParse(event);
  if (run.success) return { run: run.data };
  const ended = ExecutionEnded.safeParse(event);
  if (!ended.success) return parseInputOf(event);
  const { name, status, error, cause } = ended.data.detail;
  const [, runId = '', attempt = FIRST_ATTEMPT] = EXECUTION_NAME.exec(name) ?? [];
  const failure = { Error: ENDED[status], Cause: [error, cause].filter(Boolean).join(': ') || 'no cause given' };
  return { run: { ...newRun(runId, Number(attempt)), failure } };
}

/** Returns the run whose execution began, as EventBridge tells it; null for other events. */
export function begunOf(event: unknown): IndexLook | null {
  const begun = ExecutionBegun.safeParse(event);
  if (!begun.success) return null;
  const [, runId = '', attempt = FIRST_ATTEMPT] = EXECUTION_NAME.exec(begun.data.detail.name) ?? [];
  return { runId, attempt: Number(attempt) };
}

/** Stages behind which a run may wait for analyses. */
const WAITING: readonly StageName[] = ['submit', 'poll'];

/** Makes the handler of a stage that the state machine runs: it takes the state and returns the next one. */
export function stageHandler(
  stage: StageName,
  run: (ctx: Context, state: Run) => Promise<Run>,
  makePorts: MakePorts,
): (event: unknown) => Promise<Run> {
  const context = contextOf(makePorts);
  return async (event) => {
    const state = RunState.parse(event);
    return logged(stage, state.runId, async () => {
      const ctx = await context();
      const next = await run(ctx, state);
      if (WAITING.includes(stage)) ctx.log.info(OUTSTANDING, { outstanding: next.outstanding });
      return next;
    });
  };
}

/** The pauses before a record is tried again in the same invocation, in milliseconds. The queue gives it out again only after minutes. */
const PAUSES_MS = [1_000, 5_000];

type Pause = (ms: number) => Promise<unknown>;
const waitFor: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Handles an SQS batch in order. A fault that passes is tried again after seconds. Only records that still fail go back to the queue. */
export async function eachRecord(
  stage: Writer | WayOut | Door | Scheduled,
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
