/**
 * Lambda entry point of `mail-page`. It takes ends of runs and later decisions from a queue, and writes the page of each mail beside its
 * chain. Its role reads chains and no mail. The function `preview` reads the header and draws the parts for it.
 */
import { LambdaClient } from '@aws-sdk/client-lambda';
import { cloudPreview } from '../lib/desk/cloud/preview.ts';
import { languageOf } from '../lib/desk/desk-words.ts';
import { type KeptPageContext, keepMailPage } from '../lib/desk/mail/kept-page.ts';
import type { Clock } from '../lib/pipeline/ports.ts';
import { indexLookOf } from '../lib/pipeline/runs/index-look.ts';
import { createLambdaPreview } from '../lib/storage/lambda-preview.ts';
import { fromQueue } from './shared/batches.ts';
import { endOf } from './shared/ends.ts';
import { noPorts } from './shared/ports.ts';
import { contextOf, logger, setting } from './shared/runtime.ts';
import { NO_HANGING } from './shared/secrets.ts';

/** A function lives for two minutes. Milliseconds after which it has no further side of a part drawn. */
const PATIENCE_MS = 45_000;

const client = new LambdaClient({ requestHandler: NO_HANGING });
const context = contextOf(noPorts);

export const handler = fromQueue('mail-page', async (body, receipts) => {
  const ctx = { ...(await context()), language: languageOf(setting('AIRLOCK_PAGE_LANGUAGE')) };
  await keepMailPage({ ...ctx, ...seen(ctx.clock) }, indexLookOf(body) ?? endOf(body), receipts);
});

/** Returns the parts of the mail that another function reads. A page without a header or a picture is better than none. */
function seen(clock: Clock): Pick<KeptPageContext, 'headerOf' | 'newDrawing'> {
  const preview = createLambdaPreview({ client, functionName: setting('AIRLOCK_PREVIEW_FUNCTION') });
  const onFailure = (error: unknown) => logger.warn('a page without a part of the mail', { error: String(error) });
  const { headerOf, drawnSmall } = cloudPreview({ preview, onFailure });
  const newDrawing = () => {
    const until = clock.now() + PATIENCE_MS;
    return { draw: drawnSmall, isOver: () => clock.now() > until };
  };
  return { headerOf, newDrawing };
}
