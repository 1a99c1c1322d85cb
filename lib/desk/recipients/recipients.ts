/**
 * The pages of recipients, for people who have nothing but a link from a digest. It is not the desk: it shows one message to one recipient,
 * and writes only the request of the recipient. A GET changes nothing, because scanners open every link of a mail.
 */
import { type Context, Hono } from 'hono';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Policy } from '../../pipeline/policy/policy.ts';
import type { Asks } from '../../pipeline/ports.ts';
import { languageOfReader } from '../../pipeline/rebuilding/recipient-texts.ts';
import { MAX_ASK_LENGTH } from '../../pipeline/review/ask.ts';
import { safeText } from '../../pipeline/safe-text.ts';
import { wordsIn } from '../../words/in-language.ts';
import type { Language } from '../../words/words.ts';
import { isSame } from '../constant-time-equal.ts';
import { HEADERS } from '../guard.ts';
import { STYLE_PATH } from '../layout.tsx';
import { DESK_STYLE } from '../style.ts';
import { formSecret, type Link, type ReadLink } from './links.ts';
import { recipientNote, recipientPage } from './page.tsx';

/** The parts with which the pages work. */
export interface RecipientParts {
  /** The origin under which browsers reach them: `https://airlock.example`. */
  readonly origin: string;
  /** Reads links with the key of today. */
  readonly links: () => Promise<ReadLink>;
  readonly policy: Policy;
  readonly asks: Asks;
  /** Returns the ledger of a run, or null when there is no such run. Throws CorruptDataError when its chain was changed. */
  readonly ledgerOf: (runId: string) => Promise<Ledger | null>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Called for errors here that are not for the recipient. */
  readonly onFailure: (error: unknown) => void;
}

const MAX_FORM_BYTES = 10_000;
/** A browser that was here once comes over TLS only. */
const ANSWERS = Object.entries({ ...HEADERS, 'strict-transport-security': 'max-age=31536000' });

/** Makes the pages as a function from request to response. */
export function createRecipientPages(parts: RecipientParts): Hono {
  const app = new Hono({ strict: true });
  const host = new URL(parts.origin).host;
  app.use(async (c, next) => {
    for (const [name, value] of ANSWERS) c.header(name, value);
    if (c.req.header('host') !== host) return c.text('These pages have another address.', 421);
    if (c.req.method !== 'GET' && c.req.method !== 'POST') return c.text('Only GET and POST.', 405);
    return next();
  });
  app.get(STYLE_PATH, (c) => c.body(DESK_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/r/:token', (c) => onLink(c, parts, (link, ledger) => page(c, parts, link, ledger)));
  app.post('/r/:token', (c) => onLink(c, parts, (link, ledger) => asked(c, parts, link, ledger)));
  app.notFound((c) => c.html(noteIn(languageFor(c, parts.policy, ''), 'invalid'), 404));
  app.onError((error, c) => {
    parts.onFailure(error);
    return c.html(recipientNote('en', 'Mail Airlock failed.'), 500);
  });
  return app;
}

/** Returns the language of the recipient, as far as it is known; for an unknown address, the language of the browser. */
const languageFor = (c: Context, policy: Policy, recipient: string): Language =>
  languageOfReader(policy, recipient, c.req.header('accept-language') ?? '');

const noteIn = (language: Language, says: 'invalid' | 'expired'): string =>
  recipientNote(language, wordsIn(language).own[says]);

/** Answers with the result of `work` for the link and its message, or says that there is none. */
async function onLink(
  c: Context,
  { links, policy, ledgerOf, now }: RecipientParts,
  work: (link: Link, ledger: Ledger) => Promise<Response>,
): Promise<Response> {
  const read = await links();
  const link = read(c.req.param('token') ?? '', now());
  if (link === 'invalid' || link === 'expired')
    return c.html(noteIn(languageFor(c, policy, ''), link), link === 'expired' ? 410 : 404);
  const ledger = await ledgerOf(link.runId);
  return ledger === null ? c.html(noteIn(languageFor(c, policy, link.recipient), 'invalid'), 404) : work(link, ledger);
}

async function page(c: Context, parts: RecipientParts, link: Link, ledger: Ledger): Promise<Response> {
  const { asks, policy } = parts;
  const token = c.req.param('token') ?? '';
  const ask = (await asks.of(link.runId)).find(({ recipient }) => recipient === link.recipient) ?? null;
  const language = languageFor(c, policy, link.recipient);
  return c.html(recipientPage({ language, ledger, ask, path: `/r/${token}`, formSecret: formSecret(token) }));
}

/** Records the request of the recipient, when the form belongs to the page of this link. */
async function asked(c: Context, parts: RecipientParts, link: Link, ledger: Ledger): Promise<Response> {
  const { asks, origin, now } = parts;
  const token = c.req.param('token') ?? '';
  const length = Number(c.req.header('content-length') ?? Number.NaN);
  const isForm = /^application\/x-www-form-urlencoded(?:;|$)/.test(c.req.header('content-type') ?? '');
  if (c.req.header('origin') !== origin || !isForm || !(length <= MAX_FORM_BYTES))
    return c.text('This form does not come from its page.', 403);
  const { form, why } = await c.req.parseBody();
  if (typeof form !== 'string' || !isSame(form, formSecret(token)))
    return c.text('This form does not come from its page.', 403);
  if (ledger.terminal?.state === 'quarantined') {
    const untrustedWhy = safeText(typeof why === 'string' ? why : '', MAX_ASK_LENGTH);
    const at = new Date(now()).toISOString();
    await asks.put({ schema: 'mail-airlock/ask/1', runId: link.runId, recipient: link.recipient, untrustedWhy, at });
  }
  return c.redirect(`/r/${token}`, 303);
}
