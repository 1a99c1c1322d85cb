/**
 * Lambda entry point of the pages of recipients: an HTTP API whose callers have only a signed link. Its role may read chains and the public
 * key of links, and write requests of recipients. It may do nothing else.
 */
import { S3Client } from '@aws-sdk/client-s3';
import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';
import { handle } from 'hono/aws-lambda';
import { publishedReader } from '../lib/desk/recipients/links.ts';
import { createRecipientPages } from '../lib/desk/recipients/recipients.ts';
import { createS3Asks } from '../lib/storage/s3/asks.ts';
import { ledgerIn } from './shared/ledger-of.ts';
import { noPorts } from './shared/ports.ts';
import { contextOf, logger, setting } from './shared/runtime.ts';
import { NO_HANGING } from './shared/secrets.ts';

const context = contextOf(noPorts);
const client = new S3Client({ requestHandler: NO_HANGING });

export async function handler(event: LambdaEvent, lambdaContext: LambdaContext) {
  const ctx = await context();
  const pages = createRecipientPages({
    origin: setting('AIRLOCK_RECIPIENTS_URL'),
    links: () => publishedReader(ctx.blobs),
    policy: ctx.policy,
    asks: createS3Asks({ client, workBucket: setting('AIRLOCK_WORK_BUCKET'), blobs: ctx.blobs }),
    ledgerOf: ledgerIn(ctx),
    now: ctx.clock.now,
    onFailure: (error) =>
      logger.error('a page of a recipient failed', { error: error instanceof Error ? error : String(error) }),
  });
  return handle(pages)(event, lambdaContext);
}
