/**
 * Writes a page anew from its tree, with nothing but what the allow-lists name. Serialised by hand: every text and value is
 * escaped, no element with raw text is ever written, so what is read back is what was meant.
 */
import { placeOf, type RemovalList } from './active.ts';
import { safeStyle } from './css.ts';
import { isSafeImage, isSafeLink } from './links.ts';
import { ALLOWED_ATTRIBUTES, ALLOWED_ELEMENTS, DROPPED_ELEMENTS, VOID_ELEMENTS } from './rules.ts';
import { HTML_NAMESPACE, type HtmlDocument, type HtmlElement, type HtmlNode, isElement } from './tree.ts';

/** Every control character but tab and line ends: what a page does not need, other programs may trip over. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;
/** Where text directly inside would be moved elsewhere by the next parser: white space there says nothing. */
const TABLE_PARTS = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'colgroup']);

function escapeText(text: string): string {
  return (
    text
      .replace(CONTROLS, '')
      .replaceAll('&', '&amp;')
      .replaceAll('\u00a0', '&nbsp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // `+ADw-` would be a bracket to a program that takes the page for UTF-7.
      .replace(/\+(?=[A-Za-z0-9+/]{2})/g, '&#43;')
  );
}

function escapeValue(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;').replaceAll('`', '&#96;');
}

/** The safe form of one attribute, or null. */
function safeAttribute(element: HtmlElement, name: string, value: string, removals: RemovalList): string | null {
  if (name === 'style') return safeStyle(value) || null;
  if (name === 'href')
    return (element.tagName === 'a' || element.tagName === 'area') && isSafeLink(value) ? value : null;
  if (name === 'usemap') return value.startsWith('#') ? value : null;
  // Markup inside a title or alt text serves only those who hope that a parser falls out of the value.
  if (name !== 'src') return ALLOWED_ATTRIBUTES.has(name) && !value.includes('<') ? value : null;
  if (element.tagName !== 'img') return null;
  if (isSafeImage(value)) return value;
  if (/^\s*(?:https?:|\/\/)/i.test(value)) removals.add('remote picture', placeOf(element, 'src'));
  return null;
}

function openingTag(element: HtmlElement, removals: RemovalList): string {
  const attributes: string[] = [];
  for (const { name, value, prefix } of element.attrs) {
    const safe = prefix ? null : safeAttribute(element, name, value, removals);
    if (safe !== null) attributes.push(` ${name}="${escapeValue(safe)}"`);
  }
  return `<${element.tagName}${attributes.join('')}>`;
}

type Fate = 'keep' | 'unwrap' | 'drop';

function fateOf(element: HtmlElement): Fate {
  if (element.namespaceURI !== HTML_NAMESPACE || DROPPED_ELEMENTS.has(element.tagName)) return 'drop';
  return ALLOWED_ELEMENTS.has(element.tagName) ? 'keep' : 'unwrap';
}

/** Writes nodes in document order without recursion: the string entries of the stack are closing tags. */
function write(nodes: readonly HtmlNode[], removals: RemovalList): string {
  const out: string[] = [];
  const stack: (HtmlNode | string)[] = nodes.toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'string') out.push(next);
    else if (isElement(next)) writeElement(next, out, stack, removals);
    else if (next.nodeName === '#text' && 'value' in next) out.push(escapeText(next.value));
  }
  return out.join('');
}

function writeElement(element: HtmlElement, out: string[], stack: (HtmlNode | string)[], removals: RemovalList): void {
  const fate = fateOf(element);
  if (fate === 'drop') return;
  if (fate === 'keep') {
    const tag = openingTag(element, removals);
    // Nothing is left of a picture that was only a place to load from.
    if (tag === '<img>') return;
    out.push(tag);
    // A parser drops the first line feed of a pre: without a second one, each rewriting would lose one.
    if (element.tagName === 'pre') out.push('\n');
    if (element.tagName === 'head') out.push('<meta charset="utf-8">');
    if (VOID_ELEMENTS.has(element.tagName)) return;
    stack.push(`</${element.tagName}>`);
  }
  const isTablePart = fate === 'keep' && TABLE_PARTS.has(element.tagName);
  for (const child of element.childNodes.toReversed()) if (!isTablePart || isElement(child)) stack.push(child);
}

/** The page as new HTML in UTF-8 spelling, with what was left out because of where it led added to `removals`. */
export function rebuildHtml(page: HtmlDocument, removals: RemovalList): string {
  // Layout differs between the two modes of browsers, so the page stays in its own.
  const doctype = page.mode === 'quirks' ? '' : '<!DOCTYPE html>\n';
  return doctype + write(page.childNodes, removals);
}
