/** The addresses of the page of a part, of the pictures on it, and of the texts in its frames. */
import { createHash } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { DRAWN_LIMITS } from '../../formats/drawn/draw-request.ts';
import { SIDES, type SideName } from '../../pipeline/review/preview-request.ts';
import { contextOf, type DrawingParts, notePage } from '../desk-parts.tsx';
import { oneOf } from '../one-of.ts';
import { runWords } from '../sentence.ts';
import { partPage, type SeenSide, textFrame } from './part-page.tsx';
import { type PartSides, type Side, sidesOf } from './part-sides.ts';

const PART = '/mails/:run{[0-9a-f]{32}}/parts/:path{[0-9][0-9.!]{0,199}}';
const SIDE = `:side${oneOf(SIDES)}`;

/** Pictures and frames of this desk; they load nothing. */
const PART_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; sandbox allow-forms allow-same-origin",
} as const;

const FRAME_STYLE =
  ':root{color-scheme:light dark}body{font:.9rem/1.45 system-ui,sans-serif;margin:.6rem;overflow-wrap:anywhere}.mark{border:1px solid;font-size:.8em}';
const FRAME_HASH = createHash('sha256').update(FRAME_STYLE).digest('base64');
/** A frame has a place of its own (sandbox), no network and no scripts. Only a page of this desk may hold it. */
const FRAME_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${FRAME_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`,
  'x-frame-options': 'SAMEORIGIN',
} as const;

/** Adds the addresses to the desk. */
export function addPart(app: Hono, parts: DrawingParts): void {
  const missing = (c: Context) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    return c.html(notePage(context, context.words.notFound), 404);
  };
  const sides = async (c: Context) => {
    const ledger = await parts.ledgerOf(c.req.param('run') ?? '');
    const { language } = contextOf(parts, c.req.header('accept-language'));
    return ledger === null ? null : sidesOf(ledger, c.req.param('path') ?? '', runWords(language));
  };
  const drawnOf = async (c: Context, number: number | null) => {
    const found = await sides(c);
    const seen = found === null ? null : await seenOf(parts, found[c.req.param('side') as SideName], number);
    return seen === null || typeof seen === 'string' ? null : seen;
  };
  app.get(PART, async (c) => {
    const found = await sides(c);
    if (found === null) return missing(c);
    for (const [name, value] of Object.entries(PART_HEADERS)) c.header(name, value);
    const context = contextOf(parts, c.req.header('accept-language'));
    return c.html(partPage(context, c.req.param('run'), found, await bothOf(parts, found)));
  });
  app.get(`${PART}/${SIDE}/:page{[1-${DRAWN_LIMITS.pages}]}`, async (c) => {
    const number = Number(c.req.param('page'));
    const picture = (await drawnOf(c, number))?.pictures[number - 1];
    if (picture === undefined) return missing(c);
    return c.body(new Uint8Array(picture), 200, { 'content-type': 'image/png' });
  });
  app.get(`${PART}/${SIDE}/text`, async (c) => {
    const drawn = await drawnOf(c, null);
    if (drawn === null || drawn.outcome === 'undrawable' || drawn.pictures.length > 0) return missing(c);
    for (const [name, value] of Object.entries(FRAME_HEADERS)) c.header(name, value);
    return c.html(textFrame(drawn.untrustedText, FRAME_STYLE));
  });
}

/** Draws one after the other: one thread draws them. */
async function bothOf(parts: DrawingParts, { before, after }: PartSides): Promise<Record<SideName, SeenSide>> {
  return { before: await seenOf(parts, before, null), after: await seenOf(parts, after, null) };
}

async function seenOf({ drawn }: DrawingParts, side: Side | null, page: number | null): Promise<SeenSide> {
  if (side === null) return null;
  return side.kind === null ? 'unknown' : ((await drawn(side, side.kind, page)) ?? 'gone');
}
