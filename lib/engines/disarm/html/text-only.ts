/** The second way for HTML: the words of the page, in paragraphs, and no markup of the page's own. */

import { readingsOf } from '../../../formats/charsets/page-readings.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { EngineLimits, FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { ACTIVE_ELEMENTS, DROPPED_ELEMENTS } from './rules.ts';
import { type HtmlNode, isElement, parseHtml } from './tree.ts';

const INLINE = /^(?:a|b|i|u|em|strong|font|span|small|big|sub|sup|mark|tt|code|s|strike|wbr|nobr)$/;

/** Writes the text of the page anew. Throws EngineError `oversize`. */
export async function disarmAsText(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const lines: string[] = [''];
  const stack: HtmlNode[] = parseHtml(readingsOf(input.bytes)[0], limits).document.childNodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('value' in node) lines[lines.length - 1] += node.value;
    if (!isElement(node) || isHidden(node.tagName)) continue;
    if (!INLINE.test(node.tagName)) lines.push('');
    stack.push(...node.childNodes.toReversed());
  }
  const paragraphs = lines.map((line) => line.replace(/[\s\p{Cc}]+/gu, ' ').trim()).filter((line) => line !== '');
  const body = paragraphs.map((line) => `<p>${escaped(line)}</p>`).join('');
  const page = `<html><head></head><body>${body}</body></html>`;
  const details = [{ kind: 'markup', action: 'removed', where: 'page' }] as const;
  return { outcome: 'disarmed', bytes: new TextEncoder().encode(page), type, details };
}

function isHidden(name: string): boolean {
  return DROPPED_ELEMENTS.has(name) || (ACTIVE_ELEMENTS.has(name) && name !== 'form' && name !== 'button');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\+(?=[A-Za-z0-9+/]{2})/g, '&#43;');
}
