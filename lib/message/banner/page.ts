/**
 * Puts a banner of ours into a page and removes earlier ones. The banner must be seen, so style of the sender that could cover, move or
 * hide it is removed from the page. Every word of the sender stays. Pure.
 */

import type { Span } from '../urls/html/mapped.ts';
import { type BoxTag, boxStyle, HEAD_STYLE, isSmallAttribute } from './page-box.ts';
import { type PageStart, startOf } from './page-start.ts';
import { type Attribute, type PageWalk, walkPage } from './page-walk.ts';
import { declarationsOf, stillDeclarations, stillSheet } from './still-style.ts';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Text that looks like ours: a whole banner, or our sign in front of other words. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly isBanner: boolean;
}

export interface Marks {
  readonly find: (text: string) => readonly Mark[];
  /** Replaces our sign in front of words that are not ours. It needs no escape in HTML. */
  readonly notOurs: string;
  readonly bannerClass: string;
}

/**
 * Returns the page without banners of ours, and without our sign and class on anything else. Returns null when there is nothing to remove.
 */
export function pageWithoutMarks(html: string, marks: Marks): string | null {
  const edits = markEdits(walkPage(html), marks);
  if (edits.length === 0) return null;
  const once = applied(html, edits);
  // The texts on both sides of a removed banner can form another one. This time words replace it, so that nothing joins.
  return applied(once, markEdits(walkPage(once), asSigns(marks)));
}

/** Returns the same marks, but each is now replaced by words. */
export function asSigns<M extends Pick<Marks, 'find'>>(marks: M): M {
  return { ...marks, find: (text: string) => marks.find(text).map((mark) => ({ ...mark, isBanner: false })) };
}

function markEdits({ shown, attributes }: PageWalk, { find, notOurs, bannerClass }: Marks): Edit[] {
  const found = find(shown.text).flatMap(({ start, end, isBanner }) =>
    shown.stretchesOf(start, end).map((stretch, index): Edit => {
      return { start: stretch.start, end: stretch.end, text: isBanner || index > 0 ? '' : notOurs };
    }),
  );
  // Quoting programs put their own letters in front of a class.
  const ours = new Set(
    attributes
      .filter(({ name, value }) => name === 'class' && value.toLowerCase().includes(bannerClass))
      .map(({ tagStart }) => tagStart),
  );
  const looks = attributes.filter(({ tagStart }) => ours.has(tagStart));
  return [...found, ...looks.map(({ start, end }) => ({ start, end, text: '' }))];
}

/** Returns the page with the banner as its first or last content. The banner is one balanced piece of HTML. */
export function pageWithBanner(html: string, banner: string, place: 'top' | 'bottom'): string {
  // Comments that programs end at different places.
  const page = html.replace(/<!---?>/g, '<!-- -->').replaceAll('--!>', '-->');
  const walk = walkPage(page);
  const start = startOf(page);
  const own = [start.html, start.head, start.body].filter((span) => span !== null);
  const isOwn = ({ tagStart }: Attribute) => own.some((span) => span.start === tagStart);
  const edits: Edit[] = [
    ...walk.sheets.map(({ start: from, end }) => ({ start: from, end, text: stillSheet(page.slice(from, end)) })),
    ...walk.attributes.filter((attribute) => attribute.name === 'style' && !isOwn(attribute)).map(stillAttribute),
    ...frameEdits(page, start, walk),
  ];
  const closing = walk.open.toReversed().map((tag) => (/^[a-z][a-z0-9]*$/.test(tag) ? `</${tag}>` : ''));
  const inserted =
    place === 'top'
      ? { start: start.at, end: start.at, text: banner }
      : endEdit(page, walk, `${closing.join('')}${banner}`);
  return applied(page, [...edits, inserted]);
}

/** Returns the tags of the page, its head and its body, with style that shows the page and keeps its box. Missing tags are added. */
function frameEdits(page: string, { at, headAt, html, head, body }: PageStart, walk: PageWalk): Edit[] {
  const partsOf = (span: Span | null) => (span === null ? NO_TAG : tagParts(page.slice(span.start, span.end)));
  const [htmlTag, headTag, bodyTag] = [partsOf(html), partsOf(head), partsOf(body)];
  const sheets = walk.sheets.map(({ start, end }) => page.slice(start, end));
  const written = {
    html: writtenTag('html', htmlTag, boxStyle('html', htmlTag, sheets)),
    head: writtenTag('head', headTag, HEAD_STYLE),
    body: writtenTag('body', bodyTag, boxStyle('body', bodyTag, sheets)),
  };
  const put = (span: Span | null, where: number, text: string) => ({ ...(span ?? { start: where, end: where }), text });
  // A page whose tag is written behind the head gets the tag at the head, too. Browsers take the first style of both.
  const opening = html === null || html.start > headAt ? [put(null, headAt, written.html)] : [];
  return [
    ...opening,
    ...(html === null ? [] : [put(html, 0, written.html)]),
    put(head, headAt, written.head),
    put(body, at, written.body),
  ];
}

function endEdit(page: string, { bodyEnd }: PageWalk, text: string): Edit {
  const at = bodyEnd ?? page.length;
  return { start: at, end: at, text };
}

function stillAttribute({ value, start, end }: Attribute): Edit {
  return { start, end, text: styleAttribute(stillDeclarations(value)) };
}

const styleAttribute = (style: string) =>
  style === '' ? '' : `style="${style.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;

const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;

interface TagParts extends BoxTag {
  /** Attributes that stay unchanged, each with the blank in front of it. */
  readonly others: readonly string[];
}

const NO_TAG: TagParts = { style: '', attributes: new Map(), others: [] };

/**
 * Writes a tag of the page, its head or its body, in the plain spelling that `startOf` takes. Everything that hides it or moves its box is
 * left out.
 */
function tagParts(tag: string): TagParts {
  const name = /^<[a-z]+/i.exec(tag)?.[0] ?? '';
  let style = '';
  const others: string[] = [];
  const attributes = new Map<string, string>();
  for (const [whole, attribute = '', quoted = ''] of tag.slice(name.length).matchAll(ATTRIBUTE)) {
    const lower = attribute.toLowerCase();
    const value = quoted.replace(/^["']|["']$/g, '');
    if (lower === 'style' && style === '' && !value.includes('&')) style = stillDeclarations(value);
    else if (lower !== 'style' && !/^(?:hidden|inert|popover)$/.test(lower) && isSmallAttribute(lower, value))
      others.push(whole);
    if (!attributes.has(lower)) attributes.set(lower, value);
  }
  return { style, attributes, others };
}

function writtenTag(name: string, { style, others }: TagParts, forced: string): string {
  const kept = declarationsOf(style).filter(({ property }) => !OF_BOX.test(property));
  const own = kept.map(({ property, value }) => `${property}:${value}`);
  return `<${name} ${styleAttribute([...own, forced].join(';'))}${others.join('')}>`;
}

/** Declarations about the box are written anew. Otherwise programs that ignore `!important` would use the sender's values. */
const OF_BOX =
  /(?:^|-)(?:margin|padding|display|float|visibility|opacity|overflow|(?:min-|max-)?width|max-height)(?:-|$)|^border.*-width$/;

function applied(text: string, edits: readonly Edit[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start || one.end - other.end)) {
    if (edit.start < at) continue;
    kept.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  kept.push(text.slice(at));
  return kept.join('');
}
