/**
 * Lambda entry point of `mail-page`: ends of runs, from a queue. It writes the page of each mail beside its chain, and its role reads chains and no mail.
 */
import { languageOf } from '../lib/desk/desk-words.ts';
import { mailFile } from '../lib/desk/mail-file.ts';
import { notedEnd } from '../lib/pipeline/ended-run.ts';
import { keys } from '../lib/pipeline/keys.ts';
import { endHandler } from './ends.ts';
import { logger, setting } from './runtime.ts';

export const handler = endHandler('mail-page', async (ctx, event, receipts) => {
  const { runId } = event;
  // A later attempt has another end, and its page takes the place of this one.
  const ledger = await notedEnd(ctx, event, receipts);
  if (ledger === null) return logger.warn('no page: its chain does not say how it ended', { runId });
  const page = new TextEncoder().encode(mailFile(ledger, null, languageOf(setting('AIRLOCK_PAGE_LANGUAGE'))));
  await ctx.blobs.put('work', keys.mailPage(runId), page, { contentType: 'text/html; charset=utf-8' });
  logger.info('page of the mail', { runId, bytes: page.length });
});
