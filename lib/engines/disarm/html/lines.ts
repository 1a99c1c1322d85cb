/** The words of a page, one line for each block. */
import type { EngineLimits } from '../../engine.ts';
import { isSafeLink } from '../safe-links.ts';
import { ACTIVE_ELEMENTS, DROPPED_ELEMENTS } from './rules.ts';
import { type HtmlElement, type HtmlNode, isElement, parseHtml } from './tree.ts';

const INLINE = /^(?:a|b|i|u|em|strong|font|span|small|big|sub|sup|mark|tt|code|s|strike|wbr|nobr)$/;

/** No text of a page contains it. */
const LINE_END = '\0';

/**
 * Returns the lines that a reader sees, without blanks around them. With `withAddresses`, the target of a link follows its words. Throws
 * EngineError `oversize`.
 */
export function linesOf(html: string, limits: EngineLimits, withAddresses = false): string[] {
  const pieces: string[] = [];
  const stack: (HtmlNode | string)[] = parseHtml(html, limits).document.childNodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === 'string') pieces.push(node);
    else if ('value' in node) pieces.push(node.value.replaceAll(LINE_END, ''));
    if (typeof node === 'string' || !isElement(node) || isHidden(node.tagName)) continue;
    const edge = INLINE.test(node.tagName) ? '' : LINE_END;
    pieces.push(edge);
    stack.push(edge, withAddresses ? addressOf(node) : '', ...node.childNodes.toReversed());
  }
  const lines = pieces.join('').split(LINE_END);
  return lines.map((line) => line.replace(/[\s\p{Cc}]+/gu, ' ').trim()).filter((line) => line !== '');
}

function isHidden(name: string): boolean {
  return DROPPED_ELEMENTS.has(name) || (ACTIVE_ELEMENTS.has(name) && name !== 'form' && name !== 'button');
}

/** Returns the target of a link, unless its words are the same. */
function addressOf(element: HtmlElement): string {
  const href = element.attrs.find(({ name }) => name === 'href')?.value.trim() ?? '';
  if (element.tagName !== 'a' || !isSafeLink(href) || /\s/.test(href)) return '';
  const shown = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
  return shown.trim() === href ? '' : ` (${href})`;
}
