/** The rules by which people take the original mail out of a desk, and its form. The same rules hold on one machine and on AWS. */
import type { Context, Hono } from 'hono';
import { mayBlock } from '../../pipeline/review/decision.ts';
import { problemOf, type Who } from '../../pipeline/review/review.ts';
import { contextOf, notePage, type ReadingParts } from '../desk-parts.tsx';
import { type PageContext, readOnlyText } from '../layout.tsx';
import { RUN } from './reading-desk.ts';

/** A person who may, with the reason. */
export interface Taking {
  readonly c: Context;
  readonly context: PageContext;
  readonly runId: string;
  readonly who: Who;
}

/**
 * Adds the address. It is a form, because it writes into the audit trail. `give` records who takes the original out before it returns any
 * of it.
 */
export function addTakeOut(app: Hono, parts: ReadingParts, give: (taking: Taking) => Promise<Response>): void {
  app.post(`${RUN}/original.zip`, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    if (!mayBlock(parts.role) || parts.person === null) return c.html(notePage(context, readOnlyText(context)), 403);
    const who: Who = { name: parts.person, why: String((await c.req.parseBody()).why ?? '') };
    const problem = problemOf(who);
    if (problem !== null) return c.html(notePage(context, problem), 422);
    return give({ c, context, runId: c.req.param('run'), who });
  });
}

/** Returns a zip that the browser saves. No name of the mail is in the answer or the zip. */
export const savedZip = ({ c, runId }: Taking, zip: ReadableStream | Uint8Array<ArrayBuffer>): Response =>
  c.body(zip, 200, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${runId}.zip"`,
  });
