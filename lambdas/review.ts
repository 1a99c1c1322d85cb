/**
 * Lambda entry point of `review`. It carries out the decisions of people at the desk. The caller passes the token of the person, and
 * `review` checks it once more. No other statement of the caller about a person counts. It reads no mail. Its queue tells it of runs that
 * were deleted a while ago.
 */
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse } from 'aws-lambda';
import * as z from 'zod/mini';
import { changeViews } from '../lib/desk/cloud/views.ts';
import { createIssuer } from '../lib/desk/issuer.ts';
import { keptViews } from '../lib/desk/routes/kept-views.ts';
import { ConfigError } from '../lib/pipeline/errors.ts';
import type { Blobs } from '../lib/pipeline/ports.ts';
import type { BlockKind } from '../lib/pipeline/review/block.ts';
import type { BlockList } from '../lib/pipeline/review/block-list.ts';
import { dropIn } from '../lib/pipeline/review/drop-in.ts';
import { removalOf, removalRequest, removeDeleted } from '../lib/pipeline/review/removal.ts';
import {
  type CarryOutContext,
  carryOut,
  type DropRequest,
  type ReviewAnswer,
  type Reviewer,
  ReviewRequest,
  type ViewRequest,
} from '../lib/pipeline/review/request.ts';
import { withArtifactNames } from '../lib/storage/s3/artifact-names.ts';
import { createS3HeldRemoval } from '../lib/storage/s3/held-removal.ts';
import { createSqsIndexLook } from '../lib/storage/sqs/index-look.ts';
import { createSqsReadAgain } from '../lib/storage/sqs/read-again.ts';
import { eachRecord, isBatch } from './shared/batches.ts';
import { blockListOf } from './shared/blocks.ts';
import { issuerSettings } from './shared/desk-issuer.ts';
import { goOn } from './shared/go-on.ts';
import { executionPorts } from './shared/ports.ts';
import { TELLS } from './shared/recheck-request.ts';
import { contextOf, logged, logger, optionalSetting, setting } from './shared/runtime.ts';
import { savedViewsIn } from './shared/saved-views.ts';
import { NO_HANGING } from './shared/secrets.ts';

const Event = z.strictObject({ token: z.string(), request: ReviewRequest });

const context = contextOf(executionPorts);
const aws = { requestHandler: NO_HANGING };
const [s3, sqs] = [new S3Client(aws), new SQSClient(aws)];
// The issuer remembers its addresses and keys.
const issuer = createIssuer(issuerSettings());

export function handler(event: unknown): Promise<ReviewAnswer | SQSBatchResponse> {
  if (isBatch(event))
    return eachRecord('review', event.Records, async (body) => removeDeleted(await reviewContext(), removalOf(body)));
  return logged('review', null, async () => {
    const { token, request } = requestOf(event);
    const reviewer = await issuer.whoHas(token);
    if (reviewer === null) return { state: 'refused', code: 'not_signed_in', message: 'sign in again' };
    const ctx = await reviewContext();
    if ('values' in request) return changed(reviewer, request);
    const list = blockListOf(ctx);
    if ('drop' in request) return dropped(ctx, list, reviewer, request);
    const answer = await carryOut(ctx, list, reviewer, request);
    if (answer.state !== 'refused') await summarised(list);
    if (answer.state === 'done' && request.action === 'block') await tellOf(request.kind);
    const about = 'runId' in request ? { runId: request.runId } : {};
    logger.info('decided', { action: request.action, ...about, by: reviewer.id, state: answer.state });
    return answer;
  });
}

/** Takes in a copy of the mail. Its run begins by itself, because the intake bucket sends an event. */
async function dropped(
  ctx: CarryOutContext,
  list: BlockList,
  reviewer: Reviewer,
  request: DropRequest,
): Promise<ReviewAnswer> {
  const takesDrops = optionalSetting('AIRLOCK_DESK_DROPS') !== null;
  const dropsInto = takesDrops ? setting('AIRLOCK_INTAKE_BUCKET') : null;
  const answer = await dropIn({ ...ctx, dropsInto }, reviewer, request);
  if (answer.state === 'dropped') await summarised(list);
  logger.info('dropped', { by: reviewer.id, state: answer.state });
  return answer;
}

/** A decision counts even when nobody can sum up the trail just now. */
const summarised = (list: BlockList): Promise<void> =>
  list.summarise().catch((error) => logger.warn('no summary', { error: String(error) }));

/** Changes the saved views, which no record and no stage knows. */
async function changed(reviewer: Reviewer, request: ViewRequest): Promise<ReviewAnswer> {
  const answer = await changeViews(keptViews(savedViewsIn(s3)), reviewer, request);
  logger.info('views', { action: request.action, by: reviewer.id, state: answer.state });
  return answer;
}

/** People are told at once of delivered mail with a blocked file. If that request fails, the next daily recheck tells them. */
async function tellOf(kind: BlockKind): Promise<void> {
  const queue = optionalSetting('AIRLOCK_RECHECK_QUEUE');
  if (kind !== 'file' || queue === null) return;
  await goOn(queue, TELLS).catch((error) => logger.warn('nobody is told yet', { error: String(error) }));
}

function requestOf(event: unknown): z.infer<typeof Event> {
  const read = Event.safeParse(event);
  if (read.success) return read.data;
  const issues = read.error.issues.map(({ path, message }) => `${path.join('.') || 'the event'}: ${message}`);
  throw new ConfigError('this request to review', issues);
}

/** Kept for each context, by its blobs: they identify the trail that is remembered. */
const naming = new WeakMap<Blobs, Blobs>();

function namingArtifacts(blobs: Blobs): Blobs {
  const known =
    naming.get(blobs) ?? withArtifactNames(blobs, { client: s3, workBucket: setting('AIRLOCK_WORK_BUCKET') });
  naming.set(blobs, known);
  return known;
}

/** Asks for the index entry and the page of a run to be written anew. */
async function told(runId: string, attempt: number): Promise<void> {
  const queues = [setting('AIRLOCK_INDEX_QUEUE'), optionalSetting('AIRLOCK_PAGES_QUEUE')];
  for (const queueUrl of queues)
    if (queueUrl !== null) await createSqsIndexLook({ client: sqs, queueUrl })(runId, attempt);
}

async function reviewContext(): Promise<CarryOutContext> {
  const [quarantineBucket, intakeBucket] = [setting('AIRLOCK_QUARANTINE_BUCKET'), setting('AIRLOCK_INTAKE_BUCKET')];
  const ctx = await context();
  return {
    ...ctx,
    blobs: namingArtifacts(ctx.blobs),
    parseAgain: createSqsReadAgain({ client: sqs, queueUrl: setting('AIRLOCK_INTAKE_QUEUE') }),
    removeHeld: createS3HeldRemoval({ client: s3, quarantineBucket, intakeBucket }),
    removeAgain: (runId) => goOn(setting('AIRLOCK_REMOVALS_QUEUE'), removalRequest(runId)),
    noted: told,
  };
}
