/**
 * The original mail, for people who give a reason: in a zip with the password that analysts expect, so that nothing on the way opens it.
 */
import type { Hono } from 'hono';
import { sampleZip } from '../../service/server/v3/sample-zip.ts';
import { type DeskParts, notePage } from '../desk-parts.tsx';
import { addTakeOut, savedZip } from './take-out.ts';

/** Adds the address to the desk. */
export function addOriginal(app: Hono, parts: DeskParts): void {
  addTakeOut(app, parts, async (taking) => {
    const { c, context, runId, who } = taking;
    const ledger = await parts.ledgerOf(runId);
    if (ledger === null) return c.html(notePage(context, context.words.notFound), 404);
    const bytes = await parts.originalOf(ledger);
    if (bytes === null) return c.html(notePage(context, context.words.bytesGone), 404);
    // An original is not given when that cannot be noted.
    await parts.noteDownload(ledger, who);
    const entry = `${runId}.${ledger.kind === 'email' ? 'eml' : 'bin'}`;
    const stream = () => ReadableStream.from([bytes]);
    return savedZip(taking, sampleZip(entry, { size: bytes.length, stream }));
  });
}
