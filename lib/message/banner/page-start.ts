/**
 * Where the shown part of a page begins. In front of it stand only what belongs to the head of a page, in plain spelling; at anything
 * else browsers begin the body by themselves (HTML Standard §13.2.6.4), and a banner that stands there is the first thing in it.
 */
import type { Span } from '../urls/mapped.ts';

export interface PageStart {
  /** Where the banner goes. */
  readonly at: number;
  /** The tags of the page and of its body; null when they are not written. */
  readonly html: Span | null;
  readonly body: Span | null;
}

const ATTRIBUTES = `(?:\\s+[^\\s"'<>/=]+(?:\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s"'=<>\`]+))?)*\\s*/?>`;
const TAG = new RegExp(`<(html|head|meta|link|base|title|style|body)(?=[\\s/>])${ATTRIBUTES}`, 'iy');
/** White space, the doctype, the end of the head, and what is a comment to browsers and a condition to Outlook. */
const PASSED = /[\s\ufeff]+|<!doctype[^<>]*>|<\/head\s*>|<!(?!--)[^>]*>|<\?[^>]*>/iy;

/** Linear in the length of what stands in front of the body. */
export function startOf(page: string): PageStart {
  let at = 0;
  let html: Span | null = null;
  for (;;) {
    const passed = matchAt(PASSED, page, at)?.end ?? commentEnd(page, at);
    if (passed !== null) {
      at = passed;
      continue;
    }
    const tag = matchAt(TAG, page, at);
    if (tag === null) return { at, html, body: null };
    const span = { start: at, end: tag.end };
    if (tag.name === 'body') return { at: tag.end, html, body: span };
    const end = tag.name === 'title' || tag.name === 'style' ? elementEnd(page, tag.end, tag.name) : tag.end;
    if (end === null) return { at, html, body: null };
    if (tag.name === 'html') html ??= span;
    at = end;
  }
}

function matchAt(pattern: RegExp, page: string, at: number): { readonly name: string; readonly end: number } | null {
  pattern.lastIndex = at;
  const match = pattern.exec(page);
  return match === null ? null : { name: (match[1] ?? '').toLowerCase(), end: pattern.lastIndex };
}

/** The end of a comment that all programs end at the same place; null for any other. */
function commentEnd(page: string, at: number): number | null {
  if (!page.startsWith('<!--', at) || /^-?>/.test(page.slice(at + 4, at + 6))) return null;
  const end = page.indexOf('-->', at + 4);
  if (end === -1) return null;
  const content = page.slice(at + 4, end);
  return content.includes('--!>') || content.includes('<!--') ? null : end + 3;
}

function elementEnd(page: string, from: number, name: string): number | null {
  const close = new RegExp(`</${name}(?=[\\s/>])[^>]*>`, 'ig');
  close.lastIndex = from;
  return close.test(page) ? close.lastIndex : null;
}
