/** The addresses at which a person drops a mail or a file, and watches its stages. */
import type { Context, Hono } from 'hono';
import { contextOf, type DeskParts, notePage } from '../desk-parts.tsx';
import { DROP_LIMITS, type Dropped, type Place } from '../drops.ts';
import { LIVE_HEADERS } from '../guard.ts';
import type { PageContext } from '../layout.tsx';
import { addScripts } from '../live-script.ts';
import { type Upload, uploadOf } from '../upload.ts';
import { streamOf, type Watchers } from './events.ts';
import { dropPage, dropRunPage } from './page.tsx';
import { type DropView, dropView } from './view.ts';

const RUN = '/drops/:run{[0-9a-f]{32}}';

/** Adds the addresses to the desk. */
export function addDrop(app: Hono, parts: DeskParts): void {
  const watchers: Watchers = { count: 0 };
  const mayDrop = parts.role !== 'reader' && parts.person !== null;
  const context = (c: Context) => contextOf(parts, c.req.header('accept-language'));
  const form = (c: Context, told: string | null, status: 200 | 409 | 413 | 422) =>
    c.html(dropPage(context(c), { mayDrop, list: parts.drops.list(), told, mostBytes: DROP_LIMITS.fileBytes }), status);
  addScripts(app);
  app.get('/drop', (c) => form(c, null, 200));
  app.post('/drop', async (c) => {
    const { words } = context(c);
    if (!mayDrop) return c.html(notePage(context(c), words.readOnly), 403);
    // The form is read only when no other is: two files at once would be twice the memory.
    const place = parts.drops.enter();
    if (place === null) return form(c, words.dropBusy, 409);
    const dropped = await takenIn(c, parts, place);
    if (dropped === 'not ours') return c.html(notePage(context(c), words.formOld), 403);
    if (dropped === 'no file') return form(c, words.noFile, 422);
    if (dropped === 'too large') return form(c, words.fileTooLarge, 413);
    if (dropped === 'several mails') return form(c, words.severalMails, 422);
    return c.redirect(`/drops/${dropped.runId}`, 303);
  });
  app.get(RUN, async (c) => {
    const runId = c.req.param('run');
    const dropped = parts.drops.of(runId);
    // It was dropped at an earlier desk, or long ago: its mail is in the lists.
    if (dropped === null) return c.redirect(`/mails/${runId}`, 303);
    const view = await viewOf(parts, context(c), dropped);
    if (!view.isEnded) for (const [name, value] of Object.entries(LIVE_HEADERS)) c.header(name, value);
    return c.html(dropRunPage(context(c), dropped, view, 'streams'));
  });
  app.get(`${RUN}/events`, (c) => {
    const dropped = parts.drops.of(c.req.param('run'));
    if (dropped === null) return c.text('There is no such page.', 404);
    return streamOf(c, watchers, dropped, async () => JSON.stringify(await viewOf(parts, context(c), dropped)));
  });
}

/** Reads the form and begins the run. The place is freed when it is not begun. */
async function takenIn(
  c: Context,
  { guard, takeIn }: DeskParts,
  place: Place,
): Promise<Dropped | Exclude<Awaited<ReturnType<typeof uploadOf>>, Upload> | 'several mails'> {
  let isBegun = false;
  try {
    const upload = await uploadOf(c, guard.isSecret, DROP_LIMITS.fileBytes);
    if (typeof upload === 'string') return upload;
    const { untrustedName, bytes } = upload;
    const taken = await takeIn(untrustedName, bytes);
    if (taken === null) return 'several mails';
    isBegun = true;
    return place.begin(untrustedName, bytes.length, taken);
  } finally {
    if (!isBegun) place.leave();
  }
}

/** One reading of the chain serves all viewers. */
const READ = new WeakMap<Dropped, { readonly version: number; readonly ledger: ReturnType<DeskParts['ledgerOf']> }>();

async function viewOf({ ledgerOf }: DeskParts, context: PageContext, dropped: Dropped): Promise<DropView> {
  let read = READ.get(dropped);
  if (read?.version !== dropped.version) {
    // A damaged ledger is reported when the run has ended. Meanwhile its stages are shown.
    read = { version: dropped.version, ledger: ledgerOf(dropped.runId).catch(() => null) };
    READ.set(dropped, read);
  }
  return dropView(context, dropped, await read.ledger);
}
