/** The events that begin and end runs: of S3, of Step Functions, and of the state machine. Each is parsed once. */
import * as z from 'zod/mini';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { type Attempt, FIRST_ATTEMPT } from '../../lib/pipeline/ledger/attempt.ts';
import { isDropKey } from '../../lib/pipeline/ledger/dropped.ts';
import type { IntakeObject } from '../../lib/pipeline/ledger/intake-object.ts';
import type { FailedRun, Run } from '../../lib/pipeline/model.ts';
import { type PasswordTry, passwordTryOf } from '../../lib/pipeline/passwords/password-try.ts';
import { markedByNote } from '../../lib/pipeline/review/drop-note.ts';
import { readAgainOf } from '../../lib/pipeline/review/read-again.ts';
import type { IndexLook } from '../../lib/pipeline/runs/index-look.ts';
import { optionalSetting } from './runtime.ts';
import { AttemptNumber, RunState } from './stage-handler.ts';

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
