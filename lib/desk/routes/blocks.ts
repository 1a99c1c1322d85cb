/** The addresses at which people block and unblock, and report a false alarm. */
import type { Context, Hono } from 'hono';
import { BLOCK_ACTIONS } from '../../pipeline/review/audit.ts';
import { BLOCK_KINDS, type Block } from '../../pipeline/review/block.ts';
import { blockOf } from '../../pipeline/review/block-of.ts';
import { mayBlock } from '../../pipeline/review/decision.ts';
import { problemOf, type Who } from '../../pipeline/review/review.ts';
import { contextOf, type DecidingParts, notePage } from '../desk-parts.tsx';
import { readOnlyText } from '../layout.tsx';
import { oneOf } from '../one-of.ts';
import { blocksPage } from '../pages/blocks.tsx';

/** Adds the addresses to the desk. */
export function addBlocks(app: Hono, parts: DecidingParts): void {
  app.get('/blocks', async (c) => page(c, parts, null));
  app.post(`/blocks/:action${oneOf(BLOCK_ACTIONS)}`, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const { words } = context;
    if (!mayChange(parts)) return page(c, parts, readOnlyText(context), 403);
    const { kind, value, record, why } = await c.req.parseBody();
    const action = c.req.param('action') as 'block' | 'unblock';
    const block = action === 'block' ? typed(kind, value) : await listed(parts, record);
    const who = whoOf(parts, why);
    const problem = block === null ? words.wrongBlock : problemOf(who);
    if (block === undefined) return page(c, parts, words.sameBlock, 409);
    if (block === null || problem !== null) return page(c, parts, problem, 422);
    const isChanged = await parts.changeBlock(action, { block, who });
    return isChanged ? c.redirect('/blocks', 303) : page(c, parts, words.sameBlock, 409);
  });
  app.post('/mails/:run{[0-9a-f]{32}}/false-alarm', async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    if (!mayChange(parts)) return c.html(notePage(context, readOnlyText(context)), 403);
    const who = whoOf(parts, (await c.req.parseBody()).why);
    const ledger = await parts.ledgerOf(c.req.param('run'));
    if (ledger === null) return c.html(notePage(context, context.words.notFound), 404);
    if (problemOf(who) !== null) return c.html(notePage(context, context.words.why), 422);
    await parts.noteFalseAlarm(ledger, who);
    return c.html(notePage(context, context.words.noted));
  });
}

const SEQUENCE = /^\d{1,9}$/;

const mayChange = ({ role, person }: DecidingParts) => mayBlock(role) && person !== null;

const whoOf = ({ person }: DecidingParts, why: unknown): Who => ({ name: person ?? '', why: String(why ?? '') });

function typed(kind: unknown, value: unknown): Block | null {
  const known = BLOCK_KINDS.find((each) => each === kind);
  return known === undefined || typeof value !== 'string' ? null : blockOf(known, value);
}

/**
 * Returns the block that the record of this number set, or undefined when it is no longer on the list. A value may be longer than a form.
 */
const listed = async ({ blocks }: DecidingParts, record: unknown): Promise<Block | undefined> =>
  (await blocks()).find((blocking) => String(blocking.record.sequence) === record)?.block;

async function page(c: Context, parts: DecidingParts, told: string | null, status: 200 | 403 | 409 | 422 = 200) {
  const context = contextOf(parts, c.req.header('accept-language'));
  const asked = c.req.query('before') ?? '';
  const before = SEQUENCE.test(asked) ? Number(asked) : null;
  const contents = { blockings: await parts.blocks(), before, mayChange: mayChange(parts), told };
  return c.html(blocksPage(context, contents), status);
}
