/** HTML, XHTML, SVG and XML: finds scripts, event handlers and elements that load or send something. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { textEncoding } from '../../../formats/charsets/text-encoding.ts';
import { anyOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { type FindingId, finding } from '../findings/findings.ts';
import type { StaticFile, StaticModule } from '../findings/module.ts';
import { clickedCode, isOrdinaryCall } from './clicked-link.ts';
import { judgeDeclarations } from './declarations.ts';
import { judgePageCode } from './page-code.ts';
import { type Forms, judgeForms, observeForm } from './page-forms.ts';
import { judgeAddress, judgeStyle, type PageKind } from './page-loads.ts';
import { hidesScheme, type XmlElement, xmlElements } from './xml-elements.ts';

const PAGES = new Set([
  'text/html',
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'application/vnd.google-earth.kml+xml',
]);

const ACTIVE_ELEMENTS: ReadonlyMap<string, FindingId> = new Map<string, FindingId>([
  ['script', 'html-script'],
  ...[
    'iframe',
    'frame',
    'object',
    'embed',
    'applet',
    'form',
    'base',
    'portal',
    'foreignobject',
    'animate',
    'set',
    'handler',
  ].map((name): [string, FindingId] => [name, 'html-active-element']),
]);
/** Attributes with a link that is followed or loaded. */
const LINKS = new Set([
  'href',
  'xlink:href',
  'src',
  'action',
  'formaction',
  'data',
  'background',
  'poster',
  'srcdoc',
  'to',
  'values',
  'from',
]);
const SCRIPT_LINK = /^(?:javascript|vbscript|livescript|mocha|mhtml|ms-[a-z-]+|search-ms):/i;
/** A document inside of a link. Pictures inside of links are ordinary. */
const DATA_DOCUMENT =
  /^data:(?!image\/(?:png|jpe?g|gif|webp|bmp|x-icon|vnd\.microsoft\.icon)[;,]|font\/|application\/(?:x-)?font)/i;
/** Name spaces of documents that a program such as Word opens, and name spaces that are written with references, which nobody needs. */
const FOREIGN_SPACES = [
  /urn:schemas-microsoft-com:office:spreadsheet|http:\/\/schemas\.microsoft\.com\/office\/(?:word\/2003\/|2006\/xmlPackage|infopath\/)/,
  /urn:oasis:names:tc:opendocument:|http:\/\/openoffice\.org\/2000\/|http:\/\/www\.w3\.org\/1999\/XSL\/Transform|[^"'<]*&/,
];
/** XML that such a program opens: by an instruction, by its elements, or by the name space to which it binds a prefix. */
const FOREIGN_XML = anyOf(
  [
    /<\?mso-application|<\?xml-stylesheet/,
    /<(?:\w+:)?(?:package|Workbook|wordDocument|office:document|VBAProject|binData|xsl:stylesheet)[\s>]/,
    new RegExp(String.raw`\sxmlns(?::[^\s=]+)?\s*=\s*["'](?:${anyOf(FOREIGN_SPACES).source})`),
  ],
  'i',
);

export const markupModule: StaticModule = {
  name: 'markup',
  accepts: (type) => PAGES.has(type),
  run: (file) => {
    const encoding = textEncoding(file.bytes);
    const text = decodeCharset(file.bytes, encoding ?? 'windows-1252').replace(/\0/g, '');
    const kind = kindOf(file, text);
    const readings = readingsOf(file, text).map((one) => judgeReading(file, one, kind));
    const tree = readings.reduce(joined);
    const code = judgePageCode(text, tree.scripts, tree);
    const findings = [...tree.findings, ...judgeDeclarations(file, text), ...code.findings];
    const isForeign = file.type.type === 'text/xml' && FOREIGN_XML.test(text);
    const views = encoding === 'utf-8' ? [] : [{ where: 'text', bytes: Buffer.from(text) }];
    return {
      findings,
      views: [...views, ...code.views],
      pieces: code.pieces,
      understood: encoding !== null && !isForeign,
    };
  },
};

/** Returns the kind of the page. Data is XML without elements of pages and drawings. */
function kindOf({ type }: StaticFile, text: string): PageKind {
  if (type.type === 'image/svg+xml') return 'drawing';
  return type.type === 'text/xml' && !/w3\.org\/(?:2000\/svg|1999\/xhtml)/.test(text) ? 'data' : 'page';
}

interface Tree {
  readonly findings: readonly Finding[];
  /** The text of script elements and event handlers. */
  readonly scripts: readonly string[];
  readonly hasPassword: boolean;
  /** True when the page has almost no text, so that its only purpose can be to redirect the reader. */
  readonly isEmpty: boolean;
}

/** The most letters of a page that counts as empty. */
const MAX_EMPTY = 200;

/** Parses as a browser does. Any bytes make a tree, and a browser runs only the scripts in it. */
function judgeTree(text: string, kind: PageKind): Tree {
  const findings: Finding[] = [];
  const scripts: string[] = [];
  const forms: Forms = { password: false, remote: null, isRelative: false, base: null, hasAddress: false };
  let redirect: string | null = null;
  let letters = 0;
  const pending: DefaultTreeAdapterTypes.Node[] = [parse(text)];
  // A list is used and not recursion, because a hundred thousand nested elements would overflow the stack.
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ('tagName' in node) {
      findings.push(...judgeNode(node, kind));
      scripts.push(...codeOf(node));
      observeForm(node, forms);
      redirect ??= redirectOf(node);
    }
    if (letters <= MAX_EMPTY) letters += lettersOf(node);
    if ('content' in node) pending.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) pending.push(child);
  }
  const isEmpty = letters <= MAX_EMPTY;
  return {
    findings: [
      ...findings,
      ...judgeForms(forms),
      ...(isEmpty && redirect !== null ? [finding('html-redirects', null, redirect)] : []),
      // Unlike a page, a picture needs no script.
      ...(kind === 'drawing' && findings.some(acts) ? [finding('svg-carries-page')] : []),
    ],
    scripts,
    hasPassword: forms.password,
    isEmpty,
  };
}

function judgeNode(node: DefaultTreeAdapterTypes.Element, kind: PageKind): Finding[] {
  const isStyle = /^(?:\w+:)?style$/i.test(node.tagName);
  return [...judgeElement(node, kind), ...(isStyle ? judgeStyle('style', textOf(node), kind) : [])];
}

/** Returns the code of a script element, and of event handlers. */
function codeOf(node: DefaultTreeAdapterTypes.Element): string[] {
  return [...(/^(?:\w+:)?script$/i.test(node.tagName) ? [textOf(node)] : []), ...handlersOf(node)];
}

/** Bytes that begin another set of characters in ISO-2022-JP, in which a browser may read the file: letters of Japanese may hold tags in ASCII. */
const ESCAPE = 0x1b;

function readingsOf({ bytes }: StaticFile, text: string): string[] {
  return bytes.includes(ESCAPE) ? [text, decodeCharset(bytes, 'iso-2022-jp')] : [text];
}

function judgeReading(file: StaticFile, text: string, kind: PageKind): Tree {
  return withXml(judgeTree(text, kind), isXml(file, text) ? xmlElements(text) : [], kind);
}

/** Returns the findings of either reading. */
function joined(one: Tree, other: Tree): Tree {
  const known = new Set(one.findings.map(({ id }) => id));
  return {
    findings: [...one.findings, ...other.findings.filter(({ id }) => !known.has(id))],
    scripts: [...one.scripts, ...other.scripts],
    hasPassword: one.hasPassword || other.hasPassword,
    isEmpty: one.isEmpty && other.isEmpty,
  };
}

/**
 * Returns whether a browser may read the text as XML: by the type of the file, or because its name allows a page that is written as XML.
 */
function isXml({ type }: StaticFile, text: string): boolean {
  return type.type !== 'text/html' || /^\uFEFF?\s*<\?xml|\sxmlns/i.test(text.slice(0, 4_096));
}

/** Returns the findings of an XML parser that the HTML parser lacks. */
function withXml(tree: Tree, elements: readonly XmlElement[], kind: PageKind): Tree {
  const known = new Set(tree.findings.map(({ id }) => id));
  const found = elements
    .filter(hasOwnCase)
    .flatMap((element) => [
      ...judgeElement(element, kind),
      ...(element.tagName === 'style' ? judgeStyle('style', element.text, kind) : []),
      ...element.attrs.flatMap(({ name, value }) =>
        LINKS.has(name) && hidesScheme(value) ? [finding('html-unsafe-link', element.tagName, value)] : [],
      ),
    ]);
  const scripts = elements.flatMap((element) => [
    ...(element.tagName.toLowerCase() === 'script' ? [element.text] : []),
    ...handlersOf(element),
  ]);
  const added = found.filter(({ id }) => !known.has(id));
  if (added.length === 0) return tree;
  const isPage = kind === 'drawing' && !known.has('svg-carries-page') && added.some(acts);
  return {
    ...tree,
    findings: [...tree.findings, ...added, ...(isPage ? [finding('svg-carries-page')] : [])],
    scripts: [...tree.scripts, ...scripts],
  };
}

const DRAWN_IN_TWO_CASES = /^(?:foreignObject|feImage|linearGradient|radialGradient|textPath|altGlyph|glyphRef)$/;

/** Compares names. XML knows its elements in one case only. In files of data, `<Frame>` and `<Set>` are words like any other. */
function hasOwnCase({ tagName }: XmlElement): boolean {
  return tagName === tagName.toLowerCase() || DRAWN_IN_TWO_CASES.test(tagName);
}

/** Returns whether something begins by itself, or on a click. */
function acts({ id, where }: Finding): boolean {
  return (
    id === 'html-script' ||
    id === 'html-event-handler' ||
    (id === 'html-active-element' && !DRAWN_BY_ITSELF.has(where ?? ''))
  );
}

/** Elements for labels and animations. Drawing programs write them, and they do nothing by themselves. */
const DRAWN_BY_ITSELF = new Set(['foreignobject', 'animate', 'set']);

/** Returns the number of letters of a text that a reader sees. */
function lettersOf(node: DefaultTreeAdapterTypes.Node): number {
  return node.nodeName === '#text' && 'value' in node && !isUnseen(node) ? node.value.trim().length : 0;
}

function isUnseen({ parentNode }: DefaultTreeAdapterTypes.TextNode): boolean {
  return (
    parentNode !== null && 'tagName' in parentNode && /^(?:\w+:)?(?:script|style|title)$/i.test(parentNode.tagName)
  );
}

/** Returns the code of event handlers, and of links that run a script on a click. */
const handlersOf = ({ attrs }: Pick<XmlElement, 'attrs'>) =>
  attrs.flatMap(({ name, value }) => {
    if (/^on[a-z]/i.test(name)) return [value];
    const code = clickedCode(value);
    return code === null ? [] : [code];
  });

/** Elements whose link is followed on a click. Others load theirs by themselves. */
const CLICKED_ELEMENTS = new Set(['a', 'area']);

/** Returns the address to which a refresh redirects at once, or null. */
function redirectOf({ tagName, attrs }: DefaultTreeAdapterTypes.Element): string | null {
  if (tagName !== 'meta' || !attrs.some(({ name, value }) => name === 'http-equiv' && /^\s*refresh/i.test(value)))
    return null;
  const content = attrs.find(({ name }) => name === 'content')?.value ?? '';
  return /^\s*[0-5]?\s*[;,]\s*url\s*=\s*["']?\s*((?:https?:)?\/\/[^"']{1,2000})/i.exec(content)?.[1] ?? null;
}

function textOf({ childNodes }: DefaultTreeAdapterTypes.Element): string {
  return childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

interface Element {
  readonly tagName: string;
  readonly attrs: readonly { readonly name: string; readonly value: string; readonly prefix?: string | undefined }[];
}

function judgeElement({ tagName, attrs }: Element, kind: PageKind): Finding[] {
  const name = tagName.toLowerCase().replace(/^\w+:/, '');
  const active = ACTIVE_ELEMENTS.get(name);
  const findings = active === undefined ? [] : [finding(active, name)];
  for (const attribute of attrs) {
    const key = (attribute.prefix ? `${attribute.prefix}:${attribute.name}` : attribute.name).toLowerCase();
    const value = attribute.value.replace(/[\s\p{Cc}\p{Cf}]/gu, '');
    const isCall =
      kind !== 'drawing' && key === 'href' && CLICKED_ELEMENTS.has(name) && isOrdinaryCall(attribute.value);
    if (/^on[a-z]/.test(key) || (isCall && !IDLE_LINK.test(value))) findings.push(finding('html-event-handler', name));
    else if (LINKS.has(key) && isUnsafe(value)) findings.push(finding('html-unsafe-link', name, value));
    else if (name === 'meta' && key === 'http-equiv' && /^refresh$/i.test(value))
      findings.push(finding('html-active-element', name));
    else if (name === 'link' && key === 'rel' && /import|modulepreload/i.test(value))
      findings.push(finding('html-active-element', name));
    findings.push(...judgeAddress(name, key, value, kind));
  }
  return findings;
}

/** Links that do nothing. Pages have them so that their scripts can handle the click. */
const IDLE_LINK = /^javascript:(?:void\(?\(?0?\)?\)?|false|;|\/\/|undefined)?;?$/i;

function isUnsafe(value: string): boolean {
  return (SCRIPT_LINK.test(value) && !IDLE_LINK.test(value)) || DATA_DOCUMENT.test(value);
}
