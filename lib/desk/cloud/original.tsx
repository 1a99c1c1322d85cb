/** @jsxRuntime automatic @jsxImportSource #markup */
/**
 * The original mail, at the desk of a deployment: a person who takes it out gives a reason, and the audit trail has it before anything of
 * the mail is read.
 */

import type { Hono } from 'hono';
import { keys } from '../../pipeline/keys.ts';
import type { PreviewAnswer } from '../../pipeline/review/preview-request.ts';
import { outsideAddress } from '../../service/server/markup/values.ts';
import { type DecidingParts, notePage } from '../desk-parts.tsx';
import { SAVING_HEADERS } from '../guard.ts';
import { type PageContext, pageText } from '../layout.tsx';
import { addTakeOut, savedZip } from '../routes/take-out.ts';
import { type CloudAsk, RefusedError } from './decisions.ts';
import type { CloudPreviewParts } from './preview.ts';

export interface OriginalParts extends DecidingParts {
  /** Returns the original of a run for this person; `reason` goes into the trail. Throws RefusedError. */
  readonly takeOut: (runId: string, reason: string) => Promise<TakenOut>;
}

/** The answer of `preview`, and for a stored original an address under which a browser saves it. */
export type TakenOut =
  | Exclude<PreviewAnswer, { readonly state: 'stored' }>
  | { readonly state: 'elsewhere'; readonly address: string };

/** Returns an address that works for minutes, under which its bearer saves an object of the work bucket as a file of this name. */
export type AddressOf = (key: string, fileName: string) => Promise<string>;

/** Records who takes it out, and then requests it with the number of the record. */
export function takeOutWith(
  ask: CloudAsk,
  { preview, addressOf }: Pick<CloudPreviewParts, 'preview'> & { readonly addressOf: AddressOf },
): OriginalParts['takeOut'] {
  return async (runId, why) => {
    const noted = await ask({ action: 'download', runId, why });
    if (noted.state !== 'noted') throw new RefusedError('message' in noted ? noted.message : 'nothing was noted');
    const { record } = noted;
    const answer = await preview({ what: 'original', runId, record });
    if (answer.state !== 'stored') return answer;
    // The key is made here: code that reads hostile bytes must not choose the links for people.
    return { state: 'elsewhere', address: await addressOf(keys.takeOut(runId, record), `${runId}.zip`) };
  };
}

/** Adds the address. */
export function addCloudOriginal(app: Hono, parts: OriginalParts): void {
  addTakeOut(app, parts, async (taking) => {
    const { c, context, runId, who } = taking;
    const { words } = context;
    const answer = await parts.takeOut(runId, who.why);
    if (answer.state === 'elsewhere') return c.html(readyPage(context, answer.address), 200, SAVING_HEADERS);
    if (answer.state === 'gone') return c.html(notePage(context, words.bytesGone), 404);
    if (answer.state !== 'original') return c.html(notePage(context, words.originalUnread), 413);
    return savedZip(taking, Buffer.from(answer.zip, 'base64'));
  });
}

/**
 * Changes the policy of the page. A form may lead to our own place alone, and so may an answer to it. A link that a person follows may lead
 * elsewhere.
 */
const readyPage = (context: PageContext, address: string): string =>
  pageText(
    context,
    'Mail Airlock',
    <section>
      <h1>{context.words.originalReady}</h1>
      <p class="note">
        {context.words.downloadText} {context.words.originalReadyText}
      </p>
      <p class="acts">
        <a href={outsideAddress(address)} rel="noreferrer">
          {context.words.download}
        </a>
      </p>
    </section>,
  );
