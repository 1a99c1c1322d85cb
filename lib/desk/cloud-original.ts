/** The mail as it came, at the desk of a deployment: who takes it out says why, and the audit trail has that before anything of the mail is read. */
import type { Hono } from 'hono';
import type { PreviewAnswer } from '../pipeline/preview-request.ts';
import { type CloudAsk, RefusedError } from './cloud-decisions.ts';
import type { CloudPreviewParts } from './cloud-preview.ts';
import { type DecidingParts, notePage } from './desk-parts.ts';
import { addTakeOut, savedZip } from './take-out.ts';

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

/** Adds the address. */
export function addCloudOriginal(app: Hono, parts: OriginalParts): void {
  addTakeOut(app, parts, async (taking) => {
    const { c, context, runId, who } = taking;
    const { words } = context;
    const answer = await parts.takeOut(runId, who.why);
    if (answer.state === 'gone') return c.html(notePage(context, words.bytesGone), 404);
    if (answer.state !== 'original') return c.html(notePage(context, words.originalTooLarge), 413);
    return savedZip(taking, Buffer.from(answer.zip, 'base64'));
  });
}
