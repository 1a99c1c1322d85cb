/** HTML, XHTML, SVG and XML: scripts, event handlers and elements that load or send something. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { Finding } from '../engine.ts';
import { decodeText, textEncoding } from '../text-encoding.ts';
import { type FindingId, finding } from './findings.ts';
import type { StaticFile, StaticModule } from './module.ts';

const PAGES = new Set(['text/html', 'application/xhtml+xml', 'image/svg+xml', 'text/xml']);

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
/** Attributes whose value is followed or loaded. */
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
const SCRIPT_LINK = /^(?:javascript|vbscript|livescript|mocha|mhtml|ms-[a-z-]+|search-ms|file):/i;
/** A document inside a link; pictures in a page are ordinary. */
const DATA_DOCUMENT =
  /^data:(?!image\/(?:png|jpe?g|gif|webp|bmp|x-icon|vnd\.microsoft\.icon)[;,]|font\/|application\/(?:x-)?font)/i;
/** XML that another program than a reader opens. */
const FOREIGN_XML =
  /<\?mso-application|<\?xml-stylesheet|<(?:\w+:)?(?:package|Workbook|wordDocument|office:document|VBAProject|binData|xsl:stylesheet)[\s>]/i;

export const markupModule: StaticModule = {
  name: 'markup',
  accepts: (type) => PAGES.has(type),
  run: (file) => {
    const encoding = textEncoding(file.bytes);
    const text = decodeText(file.bytes, encoding ?? 'windows-1252').replace(/\0/g, '');
    const findings = [...judgeTree(text), ...judgeDeclarations(file, text)];
    const isForeign = file.type.type === 'text/xml' && FOREIGN_XML.test(text);
    const views = encoding === 'utf-8' ? [] : [{ where: 'text', bytes: Buffer.from(text) }];
    return { findings, views, understood: encoding !== null && !isForeign };
  },
};

function judgeDeclarations({ type }: StaticFile, text: string): Finding[] {
  // A page has a document type; entities in it are what attacks need.
  const isPage = type.type === 'text/html' || type.type === 'application/xhtml+xml';
  const hasDeclaration = isPage ? /<!ENTITY/i.test(text) : /<!ENTITY|<!DOCTYPE[^>]*\[/i.test(text);
  const hasSheet = !isPage && /<\?xml-stylesheet/i.test(text);
  return [
    ...(hasDeclaration ? [finding('xml-doctype')] : []),
    ...(hasSheet ? [finding('html-active-element', 'xml-stylesheet')] : []),
  ];
}

/** Parses as a browser does: whatever the bytes, there is one tree, and what is not in it is not run. */
function judgeTree(text: string): Finding[] {
  const findings: Finding[] = [];
  const pending: DefaultTreeAdapterTypes.Node[] = [parse(text)];
  // A list, not recursion: elements nested a hundred thousand deep must not end the stack.
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ('tagName' in node) findings.push(...judgeElement(node));
    if ('content' in node) pending.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) pending.push(child);
  }
  return findings;
}

function judgeElement({ tagName, attrs }: DefaultTreeAdapterTypes.Element): Finding[] {
  const name = tagName.toLowerCase().replace(/^\w+:/, '');
  const active = ACTIVE_ELEMENTS.get(name);
  const findings = active === undefined ? [] : [finding(active, name)];
  for (const attribute of attrs) {
    const key = (attribute.prefix ? `${attribute.prefix}:${attribute.name}` : attribute.name).toLowerCase();
    const value = attribute.value.replace(/[\s\p{Cc}\p{Cf}]/gu, '');
    if (/^on[a-z]/.test(key)) findings.push(finding('html-event-handler', name));
    else if (LINKS.has(key) && (SCRIPT_LINK.test(value) || DATA_DOCUMENT.test(value)))
      findings.push(finding('html-unsafe-link', name));
    else if (name === 'meta' && key === 'http-equiv' && /^refresh$/i.test(value))
      findings.push(finding('html-active-element', name));
    else if (name === 'link' && key === 'rel' && /import|manifest|modulepreload/i.test(value))
      findings.push(finding('html-active-element', name));
    else if (isRemotePicture(name, key, value)) findings.push(finding('html-active-element', name));
  }
  return findings;
}

/** In a drawing, `use` and `image` pull in other files; a page loads pictures as a matter of course. */
function isRemotePicture(name: string, key: string, value: string): boolean {
  return (
    (name === 'use' || name === 'image' || name === 'feimage') &&
    key.endsWith('href') &&
    /^(?:[a-z]+:)?\/\//i.test(value)
  );
}
