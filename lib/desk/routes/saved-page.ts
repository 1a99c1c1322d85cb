/** The address under which the page of a mail is saved as a file. */
import type { Hono } from 'hono';
import { contextOf, type DrawingParts, notePage } from '../desk-parts.tsx';
import { mailCostIn } from '../mail/cost.ts';
import { mailFile } from '../mail/file.ts';
import { othersOf } from '../mail/other-mail.ts';
import { seenPartsOf } from '../mail/seen-parts.ts';
import { runWords } from '../sentence.ts';
import { RUN } from './reading-desk.ts';

/**
 * A browser waits, and an HTTP API does not wait longer than half a minute. Milliseconds after which no further side of a part is drawn.
 */
const PATIENCE_MS = 10_000;

/** Adds it. */
export function addSavedPage(app: Hono, parts: DrawingParts): void {
  app.get(`${RUN}/report.html`, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const { language, words } = context;
    const ledger = await parts.ledgerOf(c.req.param('run'));
    if (ledger === null) return c.html(notePage(context, words.notFound), 404);
    const until = parts.now() + PATIENCE_MS;
    const drawing = { draw: parts.drawnSmall, isOver: () => parts.now() > until };
    const page = mailFile(ledger, await parts.headerOf(ledger), language, {
      others: await othersOf(parts.runs, ledger),
      cost: await mailCostIn(parts.runs, ledger),
      seen: await seenPartsOf(ledger, runWords(language), drawing),
    });
    return c.html(page, 200, { 'content-disposition': `attachment; filename="${ledger.runId}.html"` });
  });
}
