/**
 * Lambda entry point of `mail-page`. It takes ends of runs and later decisions from a queue, and writes the page of each mail beside its
 * chain. Its role reads chains and no mail. In a stack with a desk, the function `preview` reads the header for it.
 */
import { LambdaClient } from '@aws-sdk/client-lambda';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { cloudPreview } from '../lib/desk/cloud/cloud-preview.ts';
import { languageOf } from '../lib/desk/desk-words.ts';
import { type KeptPageContext, keepMailPage } from '../lib/desk/mail/kept-page.ts';
import { indexLookOf } from '../lib/pipeline/runs/index-look.ts';
import { createLambdaPreview } from '../lib/storage/lambda-preview.ts';
import { endOf } from './shared/ends.ts';
import { eachRecord } from './shared/events.ts';
import { noPorts } from './shared/ports.ts';
import { contextOf, logger, optionalSetting, setting } from './shared/runtime.ts';
import { NO_HANGING } from './shared/secrets.ts';

const client = new LambdaClient({ requestHandler: NO_HANGING });
const context = contextOf(noPorts);

export function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return eachRecord('mail-page', event.Records, async (body, receipts) => {
    const ctx = { ...(await context()), language: languageOf(setting('AIRLOCK_PAGE_LANGUAGE')), headerOf };
    await keepMailPage(ctx, indexLookOf(body) ?? endOf(body), receipts);
  });
}

/** A page without a header is better than none. */
const headerOf: KeptPageContext['headerOf'] = async (ledger) => {
  const functionName = optionalSetting('AIRLOCK_PREVIEW_FUNCTION');
  if (functionName === null) return null;
  const preview = createLambdaPreview({ client, functionName });
  const onFailure = (error: unknown) => logger.warn('a page without a header', { error: String(error) });
  return cloudPreview({ preview, onFailure }).headerOf(ledger);
};
