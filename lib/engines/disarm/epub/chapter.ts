/**
 * A chapter of a book. It is read as a page, written anew by the disarm of pages, and then written as XHTML. Addresses inside the book pass
 * through as places and parts of the page, which stay. Every other relative address is lost.
 */
import { serialize } from 'parse5';
import type { EngineLimits } from '../../engine.ts';
import { writtenPage } from '../html/html.ts';
import { textOf } from '../html/listed.ts';
import { ALLOWED_ATTRIBUTES, ALLOWED_ELEMENTS, VOID_ELEMENTS } from '../html/rules.ts';
import { descendants, type HtmlElement, type HtmlNode, isElement, parseHtml } from '../html/tree.ts';
import { htmlOfXhtml } from '../html/xhtml.ts';
import type { RemovalLog } from '../removals.ts';
import { decodeStrictXml } from '../text/decode-xml.ts';
import { escapeText, escapeValue } from '../xml-escape.ts';
import { drawingFile, formulaText } from './foreign.ts';

const XHTML = 'http://www.w3.org/1999/xhtml';
/** The form in which the number of a chapter or picture passes through the disarm of pages. */
const PLACE = /^#airlock-chapter-(\d{1,6})(?:-(.*))?$/s;
const PICTURE = /^cid:airlock-picture-(\d{1,6})$/;
const NAME = /^[a-z][a-z0-9-]{0,30}$/;

/** The questions of a chapter to its book. */
export interface ChapterLinks {
  /** Returns the number of the chapter at an address; null when the book has none there. */
  readonly chapter: (href: string) => number | null;
  /** Returns the number of the picture at an address; null when there is none. */
  readonly picture: (href: string) => Promise<number | null>;
  /** Returns the number of the picture that a drawing in a chapter becomes. */
  readonly drawing: (bytes: Uint8Array) => Promise<number>;
  /** Returns the style sheet at an address; null when there is none. */
  readonly sheet: (href: string) => Promise<string | null>;
  /** Returns the names in the output. */
  readonly chapterName: (number: number) => string;
  readonly pictureName: (number: number) => string;
}

/** Returns the chapter as XHTML. Throws EngineError `unreadable`, `oversize`. */
export async function writeChapter(
  bytes: Uint8Array,
  links: ChapterLinks,
  limits: EngineLimits,
  note: RemovalLog['note'],
): Promise<Uint8Array> {
  const { document } = parseHtml(htmlOfXhtml(decodeStrictXml(bytes)), limits);
  for (const node of [document, ...descendants(document.childNodes)])
    if ('childNodes' in node) node.childNodes = await prepared(node.childNodes, links, note);
  const { html, details } = writtenPage(serialize(document), limits);
  for (const { kind, where, action } of details) note(kind, where, action);
  const written = parseHtml(html, limits).document;
  const root = written.childNodes.find((node): node is HtmlElement => isElement(node) && node.tagName === 'html');
  const out: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  if (root !== undefined) write(root, links, out);
  return Buffer.from(out.join(''), 'utf8');
}

type Children = HtmlElement['childNodes'];

/** Returns the nodes, with the addresses of the book in the form that stays. A drawing becomes pictures, and a formula words. */
async function prepared(nodes: Children, links: ChapterLinks, note: RemovalLog['note']): Promise<Children> {
  const out: Children = [];
  for (const node of nodes) {
    // A prefix turns a script of XML into an unknown element of HTML, whose code would become words.
    if (isElement(node) && /:(?:script|style)$/i.test(node.tagName)) continue;
    if (!isElement(node)) out.push(node);
    else if (node.tagName === 'svg') out.push(...(await picturesIn(node, links)));
    else if (node.tagName === 'math') out.push(...wordsOf(node, note));
    else if (node.tagName === 'link') out.push(...(await sheetOf(node, links)));
    else {
      await prepareAddresses(node, links);
      out.push(node);
    }
  }
  return out;
}

const attributeOf = ({ attrs }: HtmlElement, wanted: string) => attrs.find(({ name }) => name === wanted)?.value ?? '';

async function picturesIn(drawing: HtmlElement, links: ChapterLinks): Promise<Children> {
  const images = [...descendants([drawing])].filter(
    (node): node is HtmlElement => isElement(node) && node.tagName === 'image',
  );
  const found: Children = [];
  for (const image of images) {
    // The parser names `xlink:href` by its prefix and its local name.
    const picture = await links.picture(attributeOf(image, 'href'));
    if (picture !== null) found.push(elementOf('img', [['src', `cid:airlock-picture-${picture}`]]));
  }
  if (found.length > 0) return found;
  const [words, size] = [drawingWords(drawing), sizeOf(drawing)];
  const number = await links.drawing(drawingFile(drawing));
  return [elementOf('img', [['src', `cid:airlock-picture-${number}`], ...size, ['alt', words]])];
}

/** Returns the words of a drawing, for people who do not see it. */
const drawingWords = (drawing: HtmlElement) =>
  [...descendants([drawing])]
    .filter((node) => isElement(node) && /^(?:text|title)$/.test(node.tagName))
    .map((node) => textOf(node as HtmlElement).trim())
    .join(' ')
    .slice(0, MAX_WORDS);

/** Letters of the words of a drawing. */
const MAX_WORDS = 300;

const sizeOf = (drawing: HtmlElement) =>
  ['width', 'height'].flatMap((name): [string, string][] => {
    const value = attributeOf(drawing, name);
    return /^\d{1,4}%?$/.test(value) ? [[name, value]] : [];
  });

function wordsOf(formula: HtmlElement, note: RemovalLog['note']): Children {
  note('foreign markup', 'math', 'sanitized');
  const span = elementOf('span', []);
  span.childNodes = [{ nodeName: '#text', value: formulaText(formula), parentNode: span }];
  return [span];
}

async function sheetOf(link: HtmlElement, links: ChapterLinks): Promise<Children> {
  if (!/(?:^|\s)stylesheet(?:\s|$)/i.test(attributeOf(link, 'rel')) || /alternate/i.test(attributeOf(link, 'rel')))
    return [link];
  const css = await links.sheet(attributeOf(link, 'href'));
  if (css === null) return [link];
  const style = elementOf('style', []);
  style.childNodes = [{ nodeName: '#text', value: css.replaceAll('<', ''), parentNode: style }];
  return [style];
}

function elementOf(tagName: string, attributes: readonly (readonly [string, string])[]): HtmlElement {
  const attrs = attributes.map(([name, value]) => ({ name, value }));
  return { nodeName: tagName, tagName, attrs, childNodes: [], parentNode: null, namespaceURI: XHTML } as HtmlElement;
}

/** Attributes of XML without a meaning in HTML. Their loss is no loss of the page. */
const OF_XML = /^(?:xmlns(?::|$)|xml:|epub:)/;

async function prepareAddresses(element: HtmlElement, links: ChapterLinks): Promise<void> {
  const language = attributeOf(element, 'lang') || attributeOf(element, 'xml:lang');
  element.attrs = element.attrs.filter(({ name }) => name !== 'lang' && !OF_XML.test(name));
  if (language !== '') element.attrs.push({ name: 'lang', value: language });
  for (const attribute of element.attrs) {
    if (attribute.name === 'src' && element.tagName === 'img') {
      const picture = await links.picture(attribute.value);
      attribute.value = picture === null ? '' : `cid:airlock-picture-${picture}`;
    } else if (attribute.name === 'href' && /^(?:a|area)$/.test(element.tagName)) {
      const chapter = links.chapter(attribute.value);
      const [, place] = /#(.*)$/s.exec(attribute.value) ?? [];
      if (chapter !== null) attribute.value = `#airlock-chapter-${chapter}${place === undefined ? '' : `-${place}`}`;
    }
  }
}

/** Writes only what the disarm of pages may have written. */
function write(node: HtmlNode, links: ChapterLinks, out: string[]): void {
  if (!isElement(node)) {
    if (node.nodeName === '#text' && 'value' in node) out.push(escapeText(node.value));
    return;
  }
  const { tagName } = node;
  const isStyle = tagName === 'style';
  if (!ALLOWED_ELEMENTS.has(tagName) && !isStyle && !isCharset(node)) return;
  const attributes = isStyle ? [] : node.attrs.flatMap(({ name, value }) => writtenAttribute(name, value, links));
  if (tagName === 'img' && !attributes.some(([name]) => name === 'src')) return;
  const declared = tagName === 'html' ? ` xmlns="${XHTML}"` : '';
  out.push('<', tagName, declared);
  for (const [name, value] of attributes) out.push(' ', name, '="', escapeValue(value), '"');
  if (VOID_ELEMENTS.has(tagName) || tagName === 'meta') {
    out.push('/>');
    return;
  }
  out.push('>');
  // In XML, the rules are text like any other; programs that read the page as HTML know no references in them.
  if (isStyle) out.push(textOf(node).replace(/[<&]/g, ''));
  else for (const child of node.childNodes) write(child, links, out);
  out.push('</', tagName, '>');
}

/** Declares the charset. Programs that read the page as HTML take it from here. */
const isCharset = (element: HtmlElement) =>
  element.tagName === 'meta' && /^utf-8$/i.test(attributeOf(element, 'charset'));

function writtenAttribute(name: string, value: string, links: ChapterLinks): [string, string][] {
  if (!NAME.test(name)) return [];
  if (name === 'src') {
    const number = PICTURE.exec(value)?.[1];
    return number === undefined ? [] : [[name, links.pictureName(Number(number))]];
  }
  if (name === 'href') {
    const [, number, place] = PLACE.exec(value) ?? [];
    if (number === undefined) return [[name, value]];
    return [[name, `${links.chapterName(Number(number))}${place === undefined ? '' : `#${place}`}`]];
  }
  return ALLOWED_ATTRIBUTES.has(name) || name === 'style' || name === 'charset' || name === 'usemap'
    ? [[name, value]]
    : [];
}
