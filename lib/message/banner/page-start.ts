/**
 * Where the shown part of a page begins. Only elements of the head of a page come before it, in plain spelling. At anything else browsers
 * begin the body by themselves (HTML Standard §13.2.6.4). A banner at that place is the first thing in the body.
 */
import type { Span } from '../urls/html/mapped.ts';

export interface PageStart {
  /** The place of the banner. */
  readonly at: number;
  /** The place where the head begins for browsers, whether its tag is written or not. */
  readonly headAt: number;
  /** The tags of the page, its head and its body; null for a tag that is missing. */
  readonly html: Span | null;
  readonly head: Span | null;
  readonly body: Span | null;
}

/** White space of HTML. Any other blank, such as a no-break space, is text to browsers and begins the body. */
const BLANK = '[ \\t\\n\\f\\r]';
const ATTRIBUTES = `(?:${BLANK}+[^\\s"'<>/=]+(?:${BLANK}*=${BLANK}*(?:"[^"]*"|'[^']*'|[^\\s"'=<>\`]+))?)*${BLANK}*/?>`;
const TAG = new RegExp(`<(html|head|meta|link|base|title|style|body)(?=[ \\t\\n\\f\\r/>])${ATTRIBUTES}`, 'iy');
/** White space, the doctype, the end of the head, and conditional comments of Outlook, which are comments to browsers. */
const PASSED = /[ \t\n\f\r]+|^\ufeff|<!doctype[^<>]*>|<(\/head)[ \t\n\f\r]*>|<!(?!--)[^>]*>|<\?[^>]*>/iy;

/** Finds the start, in time linear in the length of the text before the body. */
export function startOf(page: string): PageStart {
  let at = 0;
  let html: Span | null = null;
  let head: Span | null = null;
  let headAt: number | null = null;
  const ended = (body: Span | null): PageStart => ({ at: body?.end ?? at, headAt: headAt ?? at, html, head, body });
  for (;;) {
    const passed = matchAt(PASSED, page, at);
    // An end tag alone also makes a head.
    if (passed?.name === '/head') headAt ??= at;
    const behind = passed?.end ?? commentEnd(page, at);
    if (behind !== null) {
      at = behind;
      continue;
    }
    const tag = matchAt(TAG, page, at);
    const end = tag && contentEnd(page, tag);
    if (tag === null || end === null) return ended(null);
    const span = { start: at, end: tag.end };
    // A tag of a head counts only at the beginning of the head.
    if (tag.name === 'head' && headAt === null) head = span;
    if (tag.name === 'html') html ??= span;
    else headAt ??= at;
    if (tag.name === 'body') return ended(span);
    at = end;
  }
}

function contentEnd(page: string, { name, end }: { readonly name: string; readonly end: number }): number | null {
  return name === 'title' || name === 'style' ? elementEnd(page, end, name) : end;
}

function matchAt(pattern: RegExp, page: string, at: number): { readonly name: string; readonly end: number } | null {
  pattern.lastIndex = at;
  const match = pattern.exec(page);
  return match === null ? null : { name: (match[1] ?? '').toLowerCase(), end: pattern.lastIndex };
}

/** Returns the end of a comment that all programs end at the same place; null for any other comment. */
function commentEnd(page: string, at: number): number | null {
  if (!page.startsWith('<!--', at) || /^-?>/.test(page.slice(at + 4, at + 6))) return null;
  const end = page.indexOf('-->', at + 4);
  if (end === -1) return null;
  const content = page.slice(at + 4, end);
  return content.includes('--!>') || content.includes('<!--') ? null : end + 3;
}

function elementEnd(page: string, from: number, name: string): number | null {
  const close = new RegExp(`</${name}(?=[ \\t\\n\\f\\r/>])[^>]*>`, 'ig');
  close.lastIndex = from;
  return close.test(page) ? close.lastIndex : null;
}
