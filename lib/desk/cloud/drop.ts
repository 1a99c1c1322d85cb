/**
 * Dropping a file at the desk of a deployment: it goes to `review`, which notes the person and puts the file where mail comes in. Its page
 * shows the stages by the signed chain. It reloads itself: no stream of events passes an HTTP API.
 */
import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import { fileNameOf } from '../../pipeline/contents/leaves.ts';
import { mayBlock } from '../../pipeline/review/decision.ts';
import { MAX_DROP_BYTES } from '../../pipeline/review/request.ts';
import { isSame } from '../constant-time-equal.ts';
import { contextOf, notePage, type ReadingParts } from '../desk-parts.tsx';
import { dropPage, dropRunPage } from '../drop/page.tsx';
import { dropView } from '../drop/view.ts';
import { RELOADING_HEADERS } from '../guard.ts';
import { readOnlyText } from '../layout.tsx';
import { type Upload, uploadOf } from '../upload.ts';
import { type CloudAsk, RefusedError } from './decisions.ts';
import { storedSteps } from './stored-steps.ts';

export interface CloudDropParts extends Pick<ReadingParts, 'person' | 'guard' | 'pages' | 'role' | 'ledgerOf' | 'now'> {
  /** Has a file taken in, and resolves with the id of its run. Returns null where nothing may be dropped. Throws RefusedError. */
  readonly dropIn: ((upload: Upload) => Promise<string | 'several mails'>) | null;
}

/** Passes a file on in the name of the person. */
export const dropWith =
  (ask: CloudAsk): NonNullable<CloudDropParts['dropIn']> =>
  async ({ untrustedName, bytes }) => {
    const drop = randomBytes(16).toString('hex');
    const answer = await ask({ action: 'drop', drop, untrustedName, bytes: Buffer.from(bytes).toString('base64') });
    if (answer.state === 'dropped') return answer.runId;
    if (answer.state === 'refused' && answer.code === 'several_mails') return 'several mails';
    throw new RefusedError('message' in answer ? answer.message : 'nothing was taken in');
  };

const RUN = '/drops/:run{[0-9a-f]{32}}';
/** Seconds between two loads of a page. */
const AGAIN_SECONDS = 3;
/** A busy queue keeps a file this long before it is read. Milliseconds. */
const MAX_UNREAD_MS = 30 * 60_000;

/** Adds the addresses. */
export function addCloudDrop(app: Hono, parts: CloudDropParts): void {
  const { dropIn, guard, role, person } = parts;
  const mayDrop = mayBlock(role) && person !== null;
  const context = (language: string | undefined) => contextOf(parts, language);
  app.get('/drop', (c) => {
    const here = context(c.req.header('accept-language'));
    const off = dropIn === null ? here.words.dropOff : null;
    return c.html(dropPage(here, { mayDrop: mayDrop && off === null, list: [], told: off, mostBytes: MAX_DROP_BYTES }));
  });
  app.post('/drop', async (c) => {
    const here = context(c.req.header('accept-language'));
    const { words } = here;
    if (!mayDrop) return c.html(notePage(here, readOnlyText(here)), 403);
    if (dropIn === null) return c.html(notePage(here, words.dropOff), 404);
    const again = (told: string, status: 413 | 422) =>
      c.html(dropPage(here, { mayDrop, list: [], told, mostBytes: MAX_DROP_BYTES }), status);
    const isSecret = (given: unknown) => typeof given === 'string' && isSame(given, guard.csrf);
    const upload = await uploadOf(c, isSecret, MAX_DROP_BYTES);
    if (upload === 'not ours') return c.html(notePage(here, words.formOld), 403);
    if (upload === 'no file') return again(words.noFile, 422);
    if (upload === 'too large') return again(words.fileTooLarge, 413);
    const runId = await dropIn(upload);
    if (runId === 'several mails') return again(words.severalMails, 422);
    return c.redirect(`/drops/${runId}?since=${parts.now()}`, 303);
  });
  app.get(RUN, async (c) => {
    const here = context(c.req.header('accept-language'));
    const runId = c.req.param('run');
    const ledger = await parts.ledgerOf(runId);
    // A run is unknown before its file was read, so the person who dropped it has a moment for that.
    const since = Number(c.req.query('since') ?? Number.NaN);
    if (ledger === null && !(Math.abs(parts.now() - since) < MAX_UNREAD_MS))
      return c.html(notePage(here, here.words.notFound), 404);
    const dropped = storedSteps(runId, ledger === null ? '' : fileNameOf(ledger.intake), ledger);
    const view = dropView(here, dropped, ledger);
    if (!view.isEnded) {
      for (const [name, value] of Object.entries(RELOADING_HEADERS)) c.header(name, value);
      c.header('refresh', String(AGAIN_SECONDS));
    }
    return c.html(dropRunPage(here, dropped, view, 'reloads'));
  });
}
