/** The mail as it came, for whoever decides: in a zip with the password that analysts expect, so that nothing on the way opens it. */
import type { Hono } from 'hono';
import { sampleZip } from '../service/server/v3/sample-zip.ts';
import { contextOf, type DeskParts, notePage } from './desk-parts.ts';
import { readOnlyText } from './layout.ts';
import { RUN } from './reading-desk.ts';

/** Adds the address to the desk. Names of the mail are in neither the answer nor the zip. */
export function addOriginal(app: Hono, parts: DeskParts): void {
  app.get(`${RUN}/original.zip`, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    if (parts.role === 'reader' || parts.person === null) return c.html(notePage(context, readOnlyText(context)), 403);
    const runId = c.req.param('run');
    const ledger = await parts.ledgerOf(runId);
    const bytes = ledger === null ? null : await parts.originalOf(ledger);
    if (ledger === null || bytes === null)
      return c.html(notePage(context, ledger === null ? context.words.notFound : context.words.bytesGone), 404);
    const entry = `${runId}.${ledger.kind === 'email' ? 'eml' : 'bin'}`;
    const stream = () => ReadableStream.from([bytes]);
    return c.body(sampleZip(entry, { size: bytes.length, stream }), 200, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${runId}.zip"`,
    });
  });
}
