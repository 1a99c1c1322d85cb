/**
 * Writes a page anew from its tree, with only what the allow-lists name. This module has its own serialiser, which escapes every text and
 * value. The only raw text is a style sheet that it wrote, without any bracket of HTML. So every program reads back what was meant.
 */
import { HELD_BACKGROUND, HELD_DIGEST, HELD_PICTURES, HELD_SOURCE } from '../../../formats/pictures/held-picture.ts';
import { placeOf, type RemovalList } from './active.ts';
import { formText } from './form-text.ts';
import { heldPicture, isPlaceInPage, isWebAddress, writtenLink, writtenPicture } from './links.ts';
import { textOf } from './listed.ts';
import { noteAttribute, noteElement } from './passive.ts';
import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_ELEMENTS,
  AUTHOR_NAMES,
  DROPPED_ELEMENTS,
  PASSIVE,
  VOID_ELEMENTS,
} from './rules.ts';
import { descendants, HTML_NAMESPACE, type HtmlElement, type HtmlNode, type HtmlPage, isElement } from './tree.ts';
import { SHEETS_LENGTH, writtenSheet } from './written-sheet.ts';
import { writtenStyle } from './written-style.ts';

/** Every control character but tab and line ends. A page does not need them, and other programs may misread them. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;
/** Any character that is escaped or left out. Most texts have none. */
const SPECIAL = /[&<>+\u00a0]|[^\P{Cc}\t\n\r]/u;
/** Elements that hold no text directly: a parser moves such text out of them. White space there means nothing. */
const TABLE_PARTS = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'colgroup']);

interface Writing {
  readonly removals: RemovalList;
  readonly keepsAuthor: boolean;
  /** The address from which relative links of the page start; null when the page gives no complete one. */
  readonly base: string | null;
  /** The most characters of style sheets that are read. The rest is left out. */
  sheetsLeft: number;
}

type Fate = 'keep' | 'unwrap' | 'drop';

const attributeOf = ({ attrs }: HtmlElement, wanted: string) => attrs.find(({ name }) => name === wanted)?.value ?? '';

/**
 * Browsers lay a page out in three ways, so it keeps its own. In the middle one, which most newsletters ask for, pictures in cells
 * have no gap below.
 */
const DOCTYPES = {
  quirks: '',
  'limited-quirks':
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n',
  'no-quirks': '<!DOCTYPE html>\n',
} as const;

/** Writes the page as new HTML in UTF-8. Adds omitted content to `removals`; `keepsAuthor` keeps the author. */
export function rebuildHtml({ document, strays }: HtmlPage, removals: RemovalList, keepsAuthor: boolean): string {
  const doctype = DOCTYPES[document.mode];
  for (const stray of strays) noteStray(stray, removals);
  return (
    doctype + write(document.childNodes, { removals, keepsAuthor, base: baseOf(document), sheetsLeft: SHEETS_LENGTH })
  );
}

/** Returns the first base of a page that has an address, as browsers take it. */
function baseOf({ childNodes }: HtmlPage['document']): string | null {
  for (const node of descendants(childNodes)) {
    if (!isElement(node) || node.tagName !== 'base') continue;
    const href = attributeOf(node, 'href');
    if (href !== '') return isWebAddress(href) ? href.trim() : null;
  }
  return null;
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

function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return (
    text
      .replace(CONTROLS, '')
      .replaceAll('&', '&amp;')
      .replaceAll('\u00a0', '&nbsp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // A program that takes the page for UTF-7 reads `+ADw-` as a bracket.
      .replace(/\+(?=[A-Za-z0-9+/]{2})/g, '&#43;')
  );
}

function writeElement(element: HtmlElement, out: string[], stack: (HtmlNode | string)[], writing: Writing): void {
  const { removals, keepsAuthor } = writing;
  const fate = fateOf(element);
  if (fate === 'drop' && isStyle(element)) {
    writeSheet(element, out, writing);
    return;
  }
  if (fate === 'drop' && keepsAuthor && isAuthor(element)) out.push(authorTag(element));
  else if (fate !== 'keep') noteElement(element, removals);
  if (fate === 'drop') {
    out.push(escapeText(formText(element)));
    return;
  }
  if (fate === 'keep') {
    const tag = openingTag(element, writing);
    // A picture that was only an address to load from is removed.
    if (tag === '<img>') {
      removals.addOnce(PASSIVE.remotePicture, placeOf(element));
      return;
    }
    out.push(tag);
    // A parser drops the first line feed of a pre. Without a second one, each rewriting would lose one.
    if (element.tagName === 'pre') out.push('\n');
    if (element.tagName === 'head') out.push('<meta charset="utf-8">');
    if (VOID_ELEMENTS.has(element.tagName)) return;
    stack.push(`</${element.tagName}>`);
  }
  const isTablePart = fate === 'keep' && TABLE_PARTS.has(element.tagName);
  for (const child of element.childNodes.toReversed()) if (!isTablePart || isElement(child)) stack.push(child);
}

const isStyle = ({ tagName, namespaceURI }: HtmlElement) => tagName === 'style' && namespaceURI === HTML_NAMESPACE;

/** Writes the part of a style sheet that may stay. */
function writeSheet(element: HtmlElement, out: string[], writing: Writing): void {
  const css = textOf(element);
  writing.sheetsLeft -= css.length;
  const isRead = writing.sheetsLeft >= 0 && /^\s*(?:text\/css\s*)?$/i.test(attributeOf(element, 'type'));
  const sheet = isRead ? writtenSheet(css, attributeOf(element, 'media')) : '';
  if (sheet !== '') out.push(`<style>${sheet}</style>`);
  if (sheet !== css || element.attrs.length > 0) noteElement(element, writing.removals);
}

function authorTag(element: HtmlElement): string {
  return `<meta name="${attributeOf(element, 'name').toLowerCase()}" content="${escapeValue(attributeOf(element, 'content'))}">`;
}

function escapeValue(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;').replaceAll('`', '&#96;');
}

/** Returns true for the author in the head of the page. Elsewhere the next parser would move the element. */
function isAuthor(element: HtmlElement): boolean {
  const isMeta = element.tagName === 'meta' && element.namespaceURI === HTML_NAMESPACE;
  return isMeta && AUTHOR_NAMES.has(attributeOf(element, 'name').toLowerCase());
}

function openingTag(element: HtmlElement, { removals, base }: Pick<Writing, 'removals' | 'base'>): string {
  const attributes: string[] = [];
  for (const { name, value, prefix } of element.attrs) {
    const safe = prefix ? null : safeAttribute(element, name, { value, base });
    noteAttribute(element, { name, value, isKept: safe === value }, removals);
    if (safe !== null) attributes.push(` ${name}="${escapeValue(safe)}"`);
    else attributes.push(heldAttribute(element, name, { value, base }));
  }
  return `<${element.tagName}${attributes.join('')}>`;
}

const WITH_BACKGROUND = new Set(['body', 'table', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th']);
const showsBy = (tagName: string, name: 'src' | 'background') =>
  name === 'src' ? tagName === 'img' : WITH_BACKGROUND.has(tagName);
const isHeldBy = (tagName: string, held: string) => showsBy(tagName, held === HELD_SOURCE ? 'src' : 'background');

/** Returns an attribute that identifies the picture of another server at this place; empty for everything else. */
function heldAttribute(
  { tagName, attrs }: HtmlElement,
  name: string,
  { value, base }: { readonly value: string; readonly base: string | null },
): string {
  const held = name === 'src' ? HELD_SOURCE : name === 'background' ? HELD_BACKGROUND : null;
  if (held === null || !isHeldBy(tagName, held) || attrs.some((other) => other.name === held)) return '';
  const digest = heldPicture(value, base);
  return digest === null ? '' : ` ${held}="${digest}"`;
}

/** Returns the safe form of the value of an attribute; null when the attribute may not stay. */
function safeAttribute(
  { tagName }: HtmlElement,
  name: string,
  { value, base }: { readonly value: string; readonly base: string | null },
): string | null {
  if (name === 'style') return writtenStyle(value) || null;
  if (name === 'href') return tagName === 'a' || tagName === 'area' ? writtenLink(value, base) : null;
  if (name === 'usemap') return isPlaceInPage(value) ? value : null;
  if (HELD_PICTURES.has(name)) return isHeldBy(tagName, name) && HELD_DIGEST.test(value) ? value : null;
  if (name === 'src' || name === 'background') return showsBy(tagName, name) ? writtenPicture(value) : null;
  // Markup inside a title or alt text only serves an attacker who hopes that a parser misses the end of the value.
  return ALLOWED_ATTRIBUTES.has(name) && !value.includes('<') ? value : null;
}

function fateOf(element: HtmlElement): Fate {
  if (element.namespaceURI !== HTML_NAMESPACE || DROPPED_ELEMENTS.has(element.tagName)) return 'drop';
  return ALLOWED_ELEMENTS.has(element.tagName) ? 'keep' : 'unwrap';
}

/** Reports what is lost with a stray element, because nothing of it is written. An element that a page may have is no loss. */
function noteStray(stray: HtmlElement, removals: RemovalList): void {
  if (fateOf(stray) === 'keep') openingTag(stray, { removals, base: null });
  else noteElement(stray, removals);
}
