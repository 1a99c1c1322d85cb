/** The address at which a person decides about several held mails at once. Each is decided by itself, as on its own page. */
import type { Hono } from 'hono';
import { mapBounded } from '../../pipeline/bounded.ts';
import { AuditEndError, isLostRecord } from '../../pipeline/errors.ts';
import { MAY } from '../../pipeline/review/decision.ts';
import { problemOf } from '../../pipeline/review/review.ts';
import { contextOf, type DecidingParts, notePage } from '../desk-parts.tsx';
import type { DeskWords } from '../desk-words.ts';
import { readOnlyText } from '../layout.tsx';
import { BULK_DECISIONS, type BulkDecision, type BulkResult, bulkPage, MAX_SELECTED } from '../pages/bulk.tsx';
import { decided } from './decided.ts';

/** A run and the attempt that was on the page. */
const SELECTED = /^([0-9a-f]{32})-(\d{1,6})$/;
/** The state to which a decision leads when it is carried out; a rescan may end in any. */
const ENDS_IN: Readonly<Record<BulkDecision, string | null>> = {
  release: 'delivered',
  delete: 'deleted',
  rescan: null,
};

/** Adds the address to the desk. */
export function addBulk(app: Hono, parts: DecidingParts): void {
  app.post('/selected', async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const { words } = context;
    const { run, decision, why } = await c.req.parseBody({ all: true });
    const name = BULK_DECISIONS.find((known) => known === decision);
    const reason = typeof why === 'string' ? why : '';
    if (name !== undefined && (!MAY[parts.role].includes(name) || parts.person === null))
      return c.html(notePage(context, readOnlyText(context)), 403);
    const selected = selectedIn(run);
    if (name === undefined || selected === null) return c.html(notePage(context, words.wrongSelection), 422);
    if (problemOf({ name: parts.person ?? '', why: reason }) !== null)
      return c.html(notePage(context, words.whyMissing), 422);
    const results = await mapBounded([...selected], parts.decidedAtOnce, ([runId, seen]) =>
      one(parts, words, runId, name, { why: reason, seen }),
    );
    return c.html(bulkPage(context, name, results), results.every(({ isDone }) => isDone) ? 200 : 409);
  });
}

/** Returns each run once, with the shown attempt. Returns null when nothing, too much, or something else was sent. */
function selectedIn(sent: unknown): ReadonlyMap<string, number> | null {
  const values = Array.isArray(sent) ? sent : sent === undefined ? [] : [sent];
  const found = values.flatMap((value): (readonly [string, number])[] => {
    const [, runId, attempt] = SELECTED.exec(String(value)) ?? [];
    return runId === undefined ? [] : [[runId, Number(attempt)]];
  });
  if (found.length === 0 || found.length > MAX_SELECTED || found.length !== values.length) return null;
  return new Map(found);
}

/** Decides about one mail. An obstacle there is none for the others. */
async function one(
  parts: DecidingParts,
  words: DeskWords,
  runId: string,
  name: BulkDecision,
  sent: { readonly why: string; readonly seen: number },
): Promise<BulkResult> {
  try {
    const told = await decided(parts, words, runId, name, sent);
    const row = await parts.runs.get(runId);
    const ledger = await parts.ledgerOf(runId);
    if (ledger === null)
      return { runId, row, state: null, told: words.recordLost.replace('{why}', words.recordGone), isDone: false };
    const state = ledger.terminal?.state ?? 'running';
    // On AWS it continues by itself, and the page does not wait for its end.
    const isBegun = parts.pages === 'cloud' && state === 'running';
    const isThere = isBegun || ENDS_IN[name] === null || state === ENDS_IN[name];
    return { runId, row, state, told: told ?? (isThere ? null : words.staysHeld), isDone: told === null && isThere };
  } catch (error) {
    return { runId, row: await parts.runs.get(runId), state: null, told: whyNot(words, error), isDone: false };
  }
}

/** Returns why nothing was decided about a mail, and what a person can do. */
function whyNot(words: DeskWords, error: unknown): string {
  if (error instanceof AuditEndError) return words.auditEndMissing;
  if (!isLostRecord(error)) return words.decisionFailed;
  const why = `${words.recordSays} ${error.message}`.trim();
  return words.recordLost.replace('{why}', () => why);
}
