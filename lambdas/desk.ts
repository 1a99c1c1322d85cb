/**
 * Lambda entry point of the desk: an HTTP API. Its role reads chains and the index, writes nothing, and may call `review` and `preview`.
 */
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';
import { handle } from 'hono/aws-lambda';
import { createCloudDesk } from '../lib/desk/cloud/desk.ts';
import { createIssuer } from '../lib/desk/issuer.ts';
import { keptViews } from '../lib/desk/routes/kept-views.ts';
import { readQuotaNote } from '../lib/pipeline/analysis/quota-note.ts';
import type { Context } from '../lib/pipeline/context.ts';
import type { Policy } from '../lib/pipeline/policy/policy.ts';
import { recalls } from '../lib/pipeline/recall/recall.ts';
import { readAuditWindow } from '../lib/pipeline/review/audit-window.ts';
import { withBlocks } from '../lib/pipeline/review/block.ts';
import { tryPolicy } from '../lib/pipeline/trial/policy-trial.ts';
import { createLambdaPreview } from '../lib/storage/lambda-preview.ts';
import { createLambdaReview } from '../lib/storage/lambda-review.ts';
import { createS3Asks } from '../lib/storage/s3/asks.ts';
import { presignedGet } from '../lib/storage/s3/presign.ts';
import { blockListOf } from './shared/blocks.ts';
import { issuerSettings } from './shared/desk-issuer.ts';
import { ledgerIn } from './shared/ledger-of.ts';
import { noPorts } from './shared/ports.ts';
import { readRuns } from './shared/read-runs.ts';
import { contextOf, logger, optionalSetting, setting } from './shared/runtime.ts';
import { savedViewsIn } from './shared/saved-views.ts';
import { NO_HANGING } from './shared/secrets.ts';

const context = contextOf(noPorts);
const s3 = new S3Client({ requestHandler: NO_HANGING });
// The issuer remembers its addresses and keys.
const issuer = createIssuer(issuerSettings());
/**
 * Milliseconds. The call ends before the HTTP API gives up, and is made once. A decision may take longer, and continues without the desk.
 */
const REVIEW_TIMES = { connectionTimeout: 3_000, requestTimeout: 24_000, throwOnRequestTimeout: true };
const lambda = new LambdaClient({ requestHandler: REVIEW_TIMES, maxAttempts: 1 });

export async function handler(event: LambdaEvent, lambdaContext: LambdaContext) {
  const ctx = await context();
  const runs = readRuns(ctx);
  const desk = createCloudDesk({
    ...{ url: setting('AIRLOCK_DESK_URL'), issuer, runs, policy: ctx.policy, now: ctx.clock.now },
    ledgerOf: ledgerIn(ctx),
    quota: () => readQuotaNote(ctx),
    asks: createS3Asks({ client: s3, workBucket: setting('AIRLOCK_WORK_BUCKET'), blobs: ctx.blobs }),
    blocks: () => blockListOf(ctx).current(),
    auditWindow: (before) => readAuditWindow(ctx, before),
    recalls: async function* (since, most) {
      yield* recalls(ctx, runs, await blocking(ctx, ctx.policy), { since, most });
    },
    tryPolicy: async function* (policy, range) {
      yield* tryPolicy(ctx, runs, await blocking(ctx, policy), range);
    },
    review: createLambdaReview({ client: lambda, functionName: setting('AIRLOCK_REVIEW_FUNCTION') }),
    takesDrops: optionalSetting('AIRLOCK_DESK_DROPS') !== null,
    views: keptViews(savedViewsIn(s3)),
    addressOf: savedAddress,
    preview: createLambdaPreview({ client: lambda, functionName: setting('AIRLOCK_PREVIEW_FUNCTION') }),
    onFailure: (error) => logger.error('the desk failed', { error: error instanceof Error ? error : String(error) }),
  });
  return handle(desk)(event, lambdaContext);
}

/** Returns the policy, with the block list of people. */
async function blocking(ctx: Context, policy: Policy): Promise<Policy> {
  const list = await blockListOf(ctx).current();
  return withBlocks(
    policy,
    list.map(({ block }) => block),
  );
}

/** The time for which such an address works, in seconds. */
const ADDRESS_SECONDS = 5 * 60;

/** The address is signed with the rights of the desk's role. S3 always answers with a file to save, never with a page. */
async function savedAddress(key: string, fileName: string): Promise<string> {
  const [region, credentials] = await Promise.all([s3.config.region(), s3.config.credentials()]);
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return presignedGet({
    host: `${setting('AIRLOCK_WORK_BUCKET')}.s3.${region}.${suffix}`,
    ...{ region, credentials, key, seconds: ADDRESS_SECONDS, at: new Date() },
    answers: {
      'response-content-type': 'application/octet-stream',
      'response-content-disposition': `attachment; filename="${fileName}"`,
    },
  });
}
