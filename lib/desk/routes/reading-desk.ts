/** The pages on which a person reads: the list of mail, a mail, and the overview. None of them changes anything. */
import type { Hono } from 'hono';
import { refusalOf } from '../../pipeline/chain/release.ts';
import { AuditEndError } from '../../pipeline/errors.ts';
import type { RunPage, RunQuery } from '../../pipeline/ports.ts';
import { REASON_CODES } from '../../pipeline/reason-codes.ts';
import { askOf, isClear, queryOf } from '../ask.ts';
import { contextOf, notePage, type ReadingParts } from '../desk-parts.tsx';
import { SAVING_HEADERS } from '../guard.ts';
import type { PageContext } from '../layout.tsx';
import { mailCostIn } from '../mail/cost.ts';
import { othersOf } from '../mail/other-mail.ts';
import { mailPage } from '../mail/page.tsx';
import { MAX_SELECTED } from '../pages/bulk.tsx';
import { type ListContents, listPage, type ReasonCount } from '../pages/list.tsx';
import { addOverview } from '../pages/overview.tsx';

const COUNTED = 1_000;
/** Filters that never meet, in an index of years. Pages without a mail that are passed over before a person is asked to go on. */
const PAGES_ASKED = 10;
export const RUN = '/mails/:run{[0-9a-f]{32}}';

/** Adds the addresses of these pages. */
export function addReading(app: Hono, parts: ReadingParts): void {
  app.get('/', (c) => c.redirect('/mails', 303));
  app.get('/mails', async (c) => {
    const contents = await listContents(parts, new URL(c.req.url).searchParams);
    return c.html(listPage(contextOf(parts, c.req.header('accept-language')), contents, parts.role));
  });
  app.get(RUN, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const page = await mailOf(parts, context, c.req.param('run'), null);
    if (page === null) return c.html(notePage(context, context.words.notFound), 404);
    return c.html(page, 200, SAVING_HEADERS);
  });
  addOverview(app, parts);
}

/** Adds the pages for an unknown address and for an error. */
export function addEnds(app: Hono, parts: ReadingParts, onFailure: (error: unknown) => void): void {
  app.notFound((c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    return c.html(notePage(context, context.words.notFound), 404);
  });
  app.onError((error, c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    if (error.name === 'RefusedError') return c.html(notePage(context, error.message), 403);
    const isDamaged = error.name === 'CorruptDataError' || error.name === 'LimitExceededError';
    if (!isDamaged) onFailure(error);
    const { auditEndMissing, damaged, deskFailed } = context.words;
    const told = error instanceof AuditEndError ? auditEndMissing : isDamaged ? damaged : deskFailed;
    return c.html(notePage(context, told), 500);
  });
}

/** Returns the page of a mail, with the message about a decision, or null when there is no such mail. */
export async function mailOf(
  parts: ReadingParts,
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
    cost: await mailCostIn(parts.runs, ledger),
    others: await othersOf(parts.runs, ledger),
    untrustedHeader: await parts.headerOf(ledger),
    asks: await parts.asks.of(runId),
    offered: { role: parts.role, refusals, told },
  });
}

async function listContents(parts: ReadingParts, query: URLSearchParams): Promise<ListContents> {
  const ask = askOf(query);
  const page = isClear(ask) ? await firstFilled(parts, queryOf(ask, MAX_SELECTED)) : { rows: [], next: null };
  return {
    ask,
    page,
    counts: await countsOf(parts),
    isIncomplete: parts.isIncomplete(),
    views: await parts.views.list(),
  };
}

/** Returns the first page with a mail on it: several filters may find nothing for a long time. */
async function firstFilled({ runs }: ReadingParts, query: RunQuery): Promise<RunPage> {
  let page = await runs.list(query);
  for (let asked = 1; page.rows.length === 0 && page.next !== null && asked < PAGES_ASKED; asked += 1)
    page = await runs.list({ ...query, after: page.next });
  return page;
}

async function countsOf({ runs }: ReadingParts): Promise<ReasonCount[]> {
  const counts = await Promise.all(
    REASON_CODES.map(async (code) => ({ code, count: await runs.count({ kind: 'reason', value: code }, COUNTED) })),
  );
  const found = counts.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
  return found.map((each) => ({ ...each, isMore: each.count === COUNTED }));
}
