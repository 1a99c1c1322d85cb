/**
 * Writes a page anew from its tree, with nothing but what the allow-lists name. Serialised by hand: every text and value is
 * escaped, no element with raw text is ever written, so what is read back is what was meant.
 */
import { placeOf, type RemovalList } from './active.ts';
import { safeStyle } from './css.ts';
import { isPlaceInPage, writtenLink, writtenPicture } from './links.ts';
import { noteAttribute, noteElement } from './passive.ts';
import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_ELEMENTS,
  AUTHOR_NAMES,
  DROPPED_ELEMENTS,
  PASSIVE,
  VOID_ELEMENTS,
} from './rules.ts';
import { HTML_NAMESPACE, type HtmlElement, type HtmlNode, type HtmlPage, isElement } from './tree.ts';

/** Every control character but tab and line ends: what a page does not need, other programs may trip over. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;
/** What is escaped or left out; most texts hold none of it. */
const SPECIAL = /[&<>+\u00a0]|[^\P{Cc}\t\n\r]/u;
/** Where text directly inside would be moved elsewhere by the next parser: white space there says nothing. */
const TABLE_PARTS = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'colgroup']);

function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
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
function safeAttribute({ tagName }: HtmlElement, name: string, value: string): string | null {
  if (name === 'style') return safeStyle(value) || null;
  if (name === 'href') return tagName === 'a' || tagName === 'area' ? writtenLink(value) : null;
  if (name === 'usemap') return isPlaceInPage(value) ? value : null;
  if (name === 'src') return tagName === 'img' ? writtenPicture(value) : null;
  // Markup inside a title or alt text serves only those who hope that a parser falls out of the value.
  return ALLOWED_ATTRIBUTES.has(name) && !value.includes('<') ? value : null;
}

interface Writing {
  readonly removals: RemovalList;
  readonly keepsAuthor: boolean;
}

function openingTag(element: HtmlElement, removals: RemovalList): string {
  const attributes: string[] = [];
  for (const { name, value, prefix } of element.attrs) {
    const safe = prefix ? null : safeAttribute(element, name, value);
    noteAttribute(element, { name, value, isKept: safe === value }, removals);
    if (safe !== null) attributes.push(` ${name}="${escapeValue(safe)}"`);
  }
  return `<${element.tagName}${attributes.join('')}>`;
}

/** Nothing of a stray is written; where it is no more than what may stand in a page, nothing is lost with it. */
function noteStray(stray: HtmlElement, removals: RemovalList): void {
  if (fateOf(stray) === 'keep') openingTag(stray, removals);
  else noteElement(stray, removals);
}

type Fate = 'keep' | 'unwrap' | 'drop';

function fateOf(element: HtmlElement): Fate {
  if (element.namespaceURI !== HTML_NAMESPACE || DROPPED_ELEMENTS.has(element.tagName)) return 'drop';
  return ALLOWED_ELEMENTS.has(element.tagName) ? 'keep' : 'unwrap';
}

/** Writes nodes in document order without recursion: the string entries of the stack are closing tags. */
function write(nodes: readonly HtmlNode[], writing: Writing): string {
  const out: string[] = [];
  const stack: (HtmlNode | string)[] = nodes.toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'string') out.push(next);
    else if (isElement(next)) writeElement(next, out, stack, writing);
    else if (next.nodeName === '#text' && 'value' in next) out.push(escapeText(next.value));
    else if (next.nodeName === '#comment') writing.removals.addOnce(PASSIVE.comment, 'page');
  }
  return out.join('');
}

function writeElement(
  element: HtmlElement,
  out: string[],
  stack: (HtmlNode | string)[],
  { removals, keepsAuthor }: Writing,
): void {
  const fate = fateOf(element);
  if (fate === 'drop' && keepsAuthor && isAuthor(element)) out.push(authorTag(element));
  else if (fate !== 'keep') noteElement(element, removals);
  if (fate === 'drop') return;
  if (fate === 'keep') {
    const tag = openingTag(element, removals);
    // A picture that was only an address to load from is removed.
    if (tag === '<img>') {
      removals.addOnce(PASSIVE.remotePicture, placeOf(element));
      return;
    }
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

const attributeOf = ({ attrs }: HtmlElement, wanted: string) => attrs.find(({ name }) => name === wanted)?.value ?? '';

/** In the head, where the parser leaves it; elsewhere it would be moved. */
function isAuthor(element: HtmlElement): boolean {
  const isMeta = element.tagName === 'meta' && element.namespaceURI === HTML_NAMESPACE;
  return isMeta && AUTHOR_NAMES.has(attributeOf(element, 'name').toLowerCase());
}

function authorTag(element: HtmlElement): string {
  return `<meta name="${attributeOf(element, 'name').toLowerCase()}" content="${escapeValue(attributeOf(element, 'content'))}">`;
}

/** The page as new HTML in UTF-8. What is left out is added to `removals`; `keepsAuthor` keeps the author. */
export function rebuildHtml({ document, strays }: HtmlPage, removals: RemovalList, keepsAuthor: boolean): string {
  // Layout differs between the two modes of browsers, so the page stays in its own.
  const doctype = document.mode === 'quirks' ? '' : '<!DOCTYPE html>\n';
  for (const stray of strays) noteStray(stray, removals);
  return doctype + write(document.childNodes, { removals, keepsAuthor });
}
