/**
 * The desk: pages on which a person sees what came in and decides about what is held. Every page is made here, works without scripts, and
 * loads nothing but its style; the one of a run that is under way has a script of ours beside it. A GET changes nothing.
 */
import { Hono } from 'hono';
import type { Ledger } from '../pipeline/ledger.ts';
import { REASON_CODES } from '../pipeline/reason-codes.ts';
import { refusalOf } from '../pipeline/release.ts';
import type { RunRow } from '../pipeline/run-row.ts';
import { askOf, queryOf } from './ask.ts';
import { addAsks } from './asks-page.ts';
import { addBlocks } from './blocks.ts';
import { addBulk } from './bulk.ts';
import { MOST_SELECTED } from './bulk-page.ts';
import { decided } from './decided.ts';
import { DECISIONS, type DecisionName, MAY } from './decisions.ts';
import { contextOf, type DeskParts, notePage } from './desk-parts.ts';
import { addDrop } from './drop.ts';
import { type PageContext, STYLE_PATH } from './layout.ts';
import { type ListContents, listPage, type ReasonCount } from './list-page.ts';
import { mailPage } from './mail-page.ts';
import { addOverview } from './overview-page.ts';
import { addPart } from './part.ts';
import { addPolicyTry } from './policy-try.ts';
import { addRecall } from './recall-page.ts';
import { DESK_STYLE } from './style.ts';
import { addViews } from './views.ts';

const COUNTED = 1_000;
/** Files of a mail for which others are searched, and how many others are shown of each. */
const [FILES_SEARCHED, OTHERS_OF_EACH] = [10, 6];
const RUN = '/mails/:run{[0-9a-f]{32}}';

/** Makes the desk as a function from request to response. */
export function createDesk(parts: DeskParts): Hono {
  const app = new Hono({ strict: true });
  app.use(parts.guard.middleware);
  app.get('/', (c) => c.redirect('/mails', 303));
  app.get(STYLE_PATH, (c) => c.body(DESK_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  // Browsers ask for it beside a page that may load pictures.
  app.get('/favicon.ico', (c) => c.body(null, 204));
  app.get('/mails', async (c) => {
    const contents = await listContents(parts, (name) => c.req.query(name));
    return c.html(listPage(contextOf(parts, c.req.header('accept-language')), contents, parts.role));
  });
  app.get(RUN, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const page = await mail(parts, context, c.req.param('run'), null);
    return page === null ? c.html(notePage(context, context.words.notFound), 404) : c.html(page);
  });
  app.post(`${RUN}/:decision{${DECISIONS.join('|')}}`, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const [runId, name] = [c.req.param('run'), c.req.param('decision') as DecisionName];
    if (!MAY[parts.role].includes(name) || parts.person === null)
      return c.html(notePage(context, context.words.readOnly), 403);
    const { why, attempt } = await c.req.parseBody();
    const told = await decided(parts, context.words, runId, name, { why: String(why ?? ''), seen: Number(attempt) });
    // What happened shows on the page, and loading it again decides nothing.
    if (told === null) return c.redirect(`/mails/${runId}`, 303);
    const page = await mail(parts, context, runId, told);
    return page === null ? c.html(notePage(context, context.words.notFound), 404) : c.html(page, 409);
  });
  addBulk(app, parts);
  addDrop(app, parts);
  addPart(app, parts);
  addViews(app, parts);
  addOverview(app, parts);
  addAsks(app, parts);
  addBlocks(app, parts);
  addRecall(app, parts);
  addPolicyTry(app, parts);
  app.notFound((c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    return c.html(notePage(context, context.words.notFound), 404);
  });
  app.onError((error, c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const isDamaged = error.name === 'CorruptDataError' || error.name === 'LimitExceededError';
    return c.html(notePage(context, isDamaged ? context.words.damaged : 'airlock desk failed'), 500);
  });
  return app;
}

async function listContents(parts: DeskParts, query: (name: string) => string | undefined): Promise<ListContents> {
  const ask = askOf(query);
  const page = await parts.runs.list(queryOf(ask, MOST_SELECTED));
  return {
    ask,
    page,
    counts: await countsOf(parts),
    isIncomplete: parts.isIncomplete(),
    views: await parts.views.list(),
  };
}

async function countsOf({ runs }: DeskParts): Promise<ReasonCount[]> {
  const counts = await Promise.all(
    REASON_CODES.map(async (code) => ({ code, count: await runs.count({ kind: 'reason', value: code }, COUNTED) })),
  );
  const found = counts.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
  return found.map((each) => ({ ...each, isMore: each.count === COUNTED }));
}

async function mail(
  parts: DeskParts,
  context: PageContext,
  runId: string,
  told: string | null,
): Promise<string | null> {
  const ledger = await parts.ledgerOf(runId);
  if (ledger === null) return null;
  const refusals = {
    release: refusalOf(parts.policy, ledger, 'rebuilt'),
    original: refusalOf(parts.policy, ledger, 'original'),
  };
  return mailPage(context, {
    ledger,
    others: await othersOf(parts, ledger),
    untrustedHeader: await parts.headerOf(ledger),
    asks: await parts.asks.of(runId),
    offered: { role: parts.role, refusals, told },
  });
}

/** Other mail with a file of this one. Texts are left out: many mails have the same. */
async function othersOf({ runs }: DeskParts, { runId, parts }: Ledger): Promise<RunRow[]> {
  const files = parts.filter(({ role, sha256 }) => role !== 'body' && sha256 !== null).slice(0, FILES_SEARCHED);
  const found = new Map<string, RunRow>();
  for (const { sha256 } of files) {
    const facts = [{ kind: 'hash', value: sha256 as string }] as const;
    const { rows } = await runs.list({ facts, since: null, until: null, after: null, most: OTHERS_OF_EACH });
    for (const row of rows) if (row.runId !== runId) found.set(row.runId, row);
  }
  return [...found.values()];
}
