/**
 * The page of a mail that is kept beside its chain. It is written at each end of the run, and at every other change of the end of the mail.
 */

import { newestAttempt, newestChain } from '../../pipeline/chain/newest-chain.ts';
import type { StoreContext } from '../../pipeline/context.ts';
import { isLostRecord } from '../../pipeline/errors.ts';
import { keys } from '../../pipeline/keys.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { notedEnd } from '../../pipeline/results/ended-run.ts';
import type { RunEvent } from '../../pipeline/results/run-event.ts';
import type { IndexLook } from '../../pipeline/runs/index-look.ts';
import { indexedRunOf } from '../../pipeline/runs/indexed-run.ts';
import type { DeskLanguage } from '../desk-words.ts';
import { runWords } from '../sentence.ts';
import { mailCost } from './cost.ts';
import { mailFile } from './file.ts';
import { type SmallDrawing, seenPartsOf } from './seen-parts.ts';

export interface KeptPageContext extends StoreContext {
  readonly language: DeskLanguage;
  /** Returns the header of the original, or null when it cannot be read. */
  readonly headerOf: (ledger: Ledger) => Promise<string | null>;
  /** Returns a drawer for the parts of one page. */
  readonly newDrawing: () => SmallDrawing;
}

/**
 * Writes the page of the run by its newest attempt: a late report of an earlier end does not restore the earlier state. `receipts` is how
 * often the queue has delivered the report. Throws TransientError while the end is not noted yet.
 */
export async function keepMailPage(ctx: KeptPageContext, asked: RunEvent | IndexLook, receipts: number): Promise<void> {
  const { runId } = asked;
  const ended = 'bucket' in asked ? await notedEnd(ctx, asked, receipts) : null;
  const ledger = await newestLedger(ctx, asked, ended);
  if (ledger === null) return ctx.log.warn('no page: its chain does not say how it ended', { runId });
  const { row } = await indexedRunOf(ctx, ledger);
  const seen = await seenPartsOf(ledger, runWords(ctx.language), ctx.newDrawing());
  const found = { cost: mailCost(ledger, row), seen };
  const page = new TextEncoder().encode(mailFile(ledger, await ctx.headerOf(ledger), ctx.language, found));
  await ctx.blobs.put('work', keys.mailPage(runId), page, { contentType: 'text/html; charset=utf-8' });
  ctx.log.info('page of the mail', { runId, bytes: page.length });
}

async function newestLedger(
  ctx: StoreContext,
  { runId, attempt }: Pick<IndexLook, 'runId' | 'attempt'>,
  ended: Ledger | null,
): Promise<Ledger | null> {
  const newest = await newestAttempt(ctx, runId);
  if (ended !== null && newest <= attempt) return ended;
  try {
    return (await newestChain(ctx, runId, newest)).ledger;
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    return ended;
  }
}
