/** The mail as it came, at the desk of a deployment: who takes it out says why, and the audit trail has that before anything of the mail is read. */
import type { Hono } from 'hono';
import { mayBlock } from '../pipeline/decision.ts';
import type { PreviewAnswer } from '../pipeline/preview-request.ts';
import { problemOf } from '../pipeline/review.ts';
import { type CloudAsk, RefusedError } from './cloud-decisions.ts';
import type { CloudPreviewParts } from './cloud-preview.ts';
import { contextOf, type DecidingParts, notePage } from './desk-parts.ts';
import { readOnlyText } from './layout.ts';
import { RUN } from './reading-desk.ts';

export interface OriginalParts extends DecidingParts {
  /** The original of a run for this person; `reason` goes into the trail. Throws RefusedError. */
  readonly takeOut: (runId: string, reason: string) => Promise<PreviewAnswer>;
}

/** Notes who takes it out, and then asks for it with the number of the record. */
export function takeOutWith(ask: CloudAsk, preview: CloudPreviewParts['preview']): OriginalParts['takeOut'] {
  return async (runId, why) => {
    const answer = await ask({ action: 'download', runId, why });
    if (answer.state === 'noted') return preview({ what: 'original', runId, record: answer.record });
    throw new RefusedError('message' in answer ? answer.message : 'nothing was noted');
  };
}

/** Adds the address. Names of the mail are in neither the answer nor the zip. */
export function addCloudOriginal(app: Hono, parts: OriginalParts): void {
  app.post(`${RUN}/original.zip`, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const { words } = context;
    const { role, person } = parts;
    if (!mayBlock(role) || person === null) return c.html(notePage(context, readOnlyText(context)), 403);
    const runId = c.req.param('run');
    const why = String((await c.req.parseBody()).why ?? '');
    const problem = problemOf({ name: person, why });
    if (problem !== null) return c.html(notePage(context, problem), 422);
    const answer = await parts.takeOut(runId, why);
    if (answer.state === 'gone') return c.html(notePage(context, words.bytesGone), 404);
    if (answer.state !== 'original') return c.html(notePage(context, words.originalTooLarge), 413);
    return c.body(Buffer.from(answer.zip, 'base64'), 200, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${runId}.zip"`,
    });
  });
}
