/**
 * Puts a banner of ours into a page and takes earlier ones out. The banner must be seen: style of the sender that could cover, move or
 * hide it is left out of a page that gets one. Every word of the sender stays. Pure.
 */

import { startOf } from './page-start.ts';
import { type Attribute, type PageWalk, walkPage } from './page-walk.ts';
import { stillDeclarations, stillSheet } from './still-style.ts';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What looks like ours in a text: a whole banner, or our sign in front of other words. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly isBanner: boolean;
}

export interface Marks {
  readonly find: (text: string) => readonly Mark[];
  /** Takes the place of our sign in front of words that are not ours; it needs no escape in HTML. */
  readonly notOurs: string;
  readonly bannerClass: string;
}

/** The page without banners of ours, and without our sign and class on anything else. Null when it has none. */
export function pageWithoutMarks(html: string, marks: Marks): string | null {
  const edits = markEdits(walkPage(html), marks);
  if (edits.length === 0) return null;
  const once = applied(html, edits);
  // What stood on both sides of a banner can make another one. This time words take its place, which nothing joins.
  return applied(once, markEdits(walkPage(once), asSigns(marks)));
}

/** The same marks, none of which is taken out without words in its place. */
export function asSigns<M extends Pick<Marks, 'find'>>(marks: M): M {
  return { ...marks, find: (text: string) => marks.find(text).map((mark) => ({ ...mark, isBanner: false })) };
}

function markEdits({ shown, attributes }: PageWalk, { find, notOurs, bannerClass }: Marks): Edit[] {
  const found = find(shown.text).flatMap(({ start, end, isBanner }) =>
    shown.stretchesOf(start, end).map((stretch, index): Edit => {
      return { start: stretch.start, end: stretch.end, text: isBanner || index > 0 ? '' : notOurs };
    }),
  );
  // Programs that quote put letters of their own in front of a class.
  const ours = new Set(
    attributes
      .filter(({ name, value }) => name === 'class' && value.toLowerCase().includes(bannerClass))
      .map(({ tagStart }) => tagStart),
  );
  const looks = attributes.filter(({ tagStart }) => ours.has(tagStart));
  return [...found, ...looks.map(({ start, end }) => ({ start, end, text: '' }))];
}

/** On the page and its body, over every style sheet: nothing of the page is seen when they are not. */
const SHOWN =
  'display:block!important;visibility:visible!important;opacity:1!important;overflow:visible!important;max-height:none!important;position:static!important;float:none!important';

/** The page with the banner, which is one balanced piece of HTML, as the first or the last thing in it. */
export function pageWithBanner(html: string, banner: string, place: 'top' | 'bottom'): string {
  // Comments that programs end at different places.
  const page = html.replace(/<!---?>/g, '<!-- -->').replaceAll('--!>', '-->');
  const walk = walkPage(page);
  const start = startOf(page);
  const own = [start.html, start.body].filter((span) => span !== null);
  const isOwn = ({ tagStart }: Attribute) => own.some((span) => span.start === tagStart);
  const edits: Edit[] = [
    ...walk.sheets.map(({ start: from, end }) => ({ start: from, end, text: stillSheet(page.slice(from, end)) })),
    ...walk.attributes.filter((attribute) => attribute.name === 'style' && !isOwn(attribute)).map(stillAttribute),
    ...own.map((span) => ({ ...span, text: shownTag(page.slice(span.start, span.end)) })),
  ];
  const opening = `${start.html === null ? `<html style="${SHOWN}">` : ''}${start.body === null ? `<body style="${SHOWN}">` : ''}`;
  const closing = walk.open.toReversed().map((tag) => (/^[a-z][a-z0-9]*$/.test(tag) ? `</${tag}>` : ''));
  const inserted: Edit[] =
    place === 'top'
      ? [{ start: start.at, end: start.at, text: `${opening}${banner}` }]
      : [{ start: start.at, end: start.at, text: opening }, endEdit(page, walk, `${closing.join('')}${banner}`)];
  return applied(page, [...edits, ...inserted]);
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

/** A tag of the page or its body, of the plain spelling that `startOf` takes, with style that shows it. */
function shownTag(tag: string): string {
  const name = /^<([a-z]+)/i.exec(tag)?.[1] ?? '';
  let style = '';
  const others: string[] = [];
  for (const [whole, attribute = '', quoted = ''] of tag.slice(name.length + 1).matchAll(ATTRIBUTE)) {
    const lower = attribute.toLowerCase();
    const value = quoted.replace(/^["']|["']$/g, '');
    if (lower === 'style' && style === '' && !value.includes('&')) style = stillDeclarations(value);
    else if (lower !== 'style' && !/^(?:hidden|inert|popover)$/.test(lower)) others.push(whole);
  }
  return `<${name} ${styleAttribute(style === '' ? SHOWN : `${style};${SHOWN}`)}${others.join('')}>`;
}

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
