/**
 * Disarm of web archives (MHTML, RFC 2557): the page, its pictures and its style sheets become one HTML page. Everything else in the
 * archive (scripts, Word's ActiveMime with its macros) is left out.
 */
import { serialize } from 'parse5';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { decodeBytes } from '../../mime/headers.ts';
import type { MimeLeaf, MimePart } from '../../mime/part.ts';
import { readMail } from '../../mime/read.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { writtenLink } from '../html/links.ts';
import { descendants, type HtmlDocument, type HtmlElement, isElement, parseHtml } from '../html/tree.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { bodyElement, type Page, placeFrames } from './mht-frames.ts';

/** Rebuilds an archive as an HTML page. Throws EngineError `unreadable` when there is no page in it, `oversize` over a limit. */
export async function disarm(
  input: FileInput,
  _type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const leaves = leavesOf(readMail(input.bytes).body);
  const log = removalLog();
  for (const leaf of leaves)
    if (!isPage(leaf) && !isPicture(leaf) && !isSheet(leaf)) log.note(kindOf(leaf), leaf.untrustedType);
  const html = await joinPages(leaves, pictureLookup(leaves, nested), limits);
  log.note('web archive', 'page', 'sanitized');
  const page = await nested.disarm({ bytes: Buffer.from(html, 'utf8'), untrustedName: 'page.html', password: null });
  if (page.outcome === 'refused') throw new EngineError(page.failure.code, page.failure.message);
  if (page.type.type !== 'text/html') throw new EngineError('unreadable', 'the page of the web archive is no HTML');
  noteAll(page.details, log);
  return { outcome: 'disarmed', bytes: page.bytes, type: describeType('text/html'), details: log.removals };
}

function noteAll(details: Disarmed['details'], log: RemovalLog): void {
  for (const { kind, where, action } of details) log.note(kind, where, action);
}

function leavesOf(part: MimePart): MimeLeaf[] {
  if (part.kind === 'leaf') return [part];
  return part.kind === 'group' ? part.parts.flatMap(leavesOf) : [];
}

function isPage(leaf: MimeLeaf): boolean {
  return leaf.untrustedType === 'text/html';
}

function isSheet(leaf: MimeLeaf): boolean {
  return leaf.untrustedType === 'text/css';
}

function isPicture(leaf: MimeLeaf): boolean {
  return /^image\/(?:png|jpe?g|pjpeg|gif|webp)$/.test(leaf.untrustedType);
}

const ACTIVE_MIME = 'ActiveMime';

function kindOf(leaf: MimeLeaf): string {
  const head = Buffer.from(leaf.bytes.subarray(0, ACTIVE_MIME.length)).toString('latin1');
  return head === ACTIVE_MIME || leaf.untrustedType === 'application/x-mso' ? 'macro' : 'part of a web archive';
}

type Lookup = (reference: string) => Promise<string | null>;

/** Finds the picture to which a page refers, and returns it as a data URI; null when the archive has no safe one. */
function pictureLookup(leaves: readonly MimeLeaf[], nested: Nested): Lookup {
  const known = new Map<string, MimeLeaf>();
  for (const leaf of leaves.filter(isPicture)) {
    if (leaf.contentId !== null) known.set(`cid:${leaf.contentId}`, leaf);
    if (leaf.location === null) continue;
    known.set(leaf.location, leaf);
    // Word writes paths relative to the place of the page.
    known.set(leaf.location.split('/').slice(-2).join('/'), leaf);
    known.set(leaf.location.split('/').at(-1) ?? '', leaf);
  }
  const made = new Map<MimeLeaf, string | null>();
  return async (reference) => {
    const leaf = known.get(reference.trim());
    if (leaf === undefined) return null;
    const before = made.get(leaf);
    if (before !== undefined) return before;
    nested.spend(0, leaf.bytes.length);
    const picture = await nested.disarm({ bytes: leaf.bytes, untrustedName: 'picture', password: null });
    const isShown = picture.outcome !== 'refused' && /^image\/(?:png|jpeg|gif|webp)$/.test(picture.type.type);
    const uri = isShown ? `data:${picture.type.type};base64,${Buffer.from(picture.bytes).toString('base64')}` : null;
    made.set(leaf, uri);
    return uri;
  };
}

/** Writes one page, with the pages of its frames in their places. Others (the sheets of a workbook) follow below it. */
async function joinPages(leaves: readonly MimeLeaf[], lookup: Lookup, limits: EngineLimits): Promise<string> {
  const pages: Page[] = [];
  for (const leaf of leaves.filter(isPage)) {
    const { document } = parseHtml(decodeBytes(leaf.bytes, leaf.charset), limits);
    writeSheets(document, sheetLookup(leaves));
    removeNotes(document);
    const base = baseOf(document, leaf.location);
    for (const node of descendants(document.childNodes)) if (isElement(node)) await complete(node, lookup, base);
    pages.push({ document, leaf, base, isPlaced: pages.length === 0 });
  }
  const [first, ...others] = pages;
  if (first === undefined) throw new EngineError('unreadable', 'the web archive has no page');
  placeFrames(first, others);
  const whole = serialize(first.document);
  const rest = others.filter(({ isPlaced }) => !isPlaced).map(({ document }) => `<hr>${bodyOf(document)}`);
  return rest.length === 0 ? whole : whole.replace(/<\/body>/i, () => `${rest.join('')}</body>`);
}

/** Puts the pictures of the archive into an element, and the rest of its address into a link. */
async function complete(node: HtmlElement, lookup: Lookup, base: string | null): Promise<void> {
  const style = node.attrs.find(({ name }) => name === 'style');
  if (style !== undefined) style.value = await withPictures(style.value, lookup, base);
  if (node.tagName === 'img') await inlinePicture(node, 'src', lookup, base);
  else if (node.tagName === 'style') await inlineStyle(node, lookup, base);
  else if (BACKED.test(node.tagName)) await inlinePicture(node, 'background', lookup, base);
  else if (/^(?:a|area)$/.test(node.tagName)) completeLink(node, base);
}

/** Finds the style sheet of the archive to which a page refers; null when there is none. */
function sheetLookup(leaves: readonly MimeLeaf[]): (reference: string) => string | null {
  const sheets = leaves.filter(isSheet);
  return (reference) => {
    const sheet = sheets.find(
      ({ contentId, location }) => location === reference || (contentId !== null && `cid:${contentId}` === reference),
    );
    return sheet === undefined ? null : decodeBytes(sheet.bytes, sheet.charset);
  };
}

/** Puts the linked style sheets into the page. They are disarmed there as its own. */
function writeSheets(page: HtmlDocument, lookup: (reference: string) => string | null): void {
  for (const node of descendants(page.childNodes)) {
    if (!isElement(node) || node.tagName !== 'link') continue;
    const sheet = lookup(attributeOf(node, 'href')?.trim() ?? '');
    if (sheet === null || !/^stylesheet$/i.test(attributeOf(node, 'rel') ?? '')) continue;
    node.tagName = 'style';
    node.nodeName = 'style';
    node.attrs = node.attrs.filter(({ name }) => name === 'media');
    // No text of a sheet may end the element.
    node.childNodes = [{ nodeName: '#text', value: sheet.replaceAll('<', '\\3c '), parentNode: node }];
  }
}

const attributeOf = ({ attrs }: HtmlElement, name: string) => attrs.find((each) => each.name === name)?.value;

/** Removes links to other parts of the archive, and comments. Office keeps content there that only Office uses. */
function removeNotes(page: HtmlDocument): void {
  for (const node of [page, ...descendants(page.childNodes)]) {
    if (!('childNodes' in node)) continue;
    node.childNodes = node.childNodes.filter((child) => !/^(?:link|#comment)$/.test(child.nodeName));
  }
}

/** An address without characters that programs drop or decode. The search for links uses the same rule for the base of a page. */
const PAGE_PLACE = /^https?:\/\/[\w.:[\]-]+(?:[/?#][\w.~:/?#[\]@!$&'()*+,;=%-]*)?$/;

/**
 * Returns the address from which the relative links of a page start. Returns null for a page with its own base, which the rules of pages
 * handle.
 */
function baseOf(page: HtmlDocument, location: string | null): string | null {
  const hasOwn = [...descendants(page.childNodes)].some((node) => isElement(node) && node.tagName === 'base');
  return !hasOwn && location !== null && PAGE_PLACE.test(location) ? location : null;
}

function completeLink(link: HtmlElement, base: string | null): void {
  const href = link.attrs.find(({ name }) => name === 'href');
  const whole = href === undefined || base === null ? null : writtenLink(href.value, base);
  if (href !== undefined && whole !== null) href.value = whole;
}

/** Elements that may name a picture behind their content. */
const BACKED = /^(?:body|table|tr|td|th)$/;

async function inlinePicture(
  image: HtmlElement,
  attribute: 'src' | 'background',
  lookup: Lookup,
  base: string | null,
): Promise<void> {
  const source = image.attrs.find(({ name }) => name === attribute);
  const uri = source && (await pictureAt(source.value, lookup, base));
  if (source !== undefined && uri) source.value = uri;
}

async function pictureAt(reference: string, lookup: Lookup, base: string | null): Promise<string | null> {
  return (await lookup(reference)) ?? (base && (await lookup(writtenLink(reference, base) ?? '')));
}

/** Puts pictures of the archive into a style sheet. The page is disarmed afterwards, so only the named pictures count here. */
async function inlineStyle(node: HtmlElement, lookup: Lookup, base: string | null): Promise<void> {
  for (const text of node.childNodes) if ('value' in text) text.value = await withPictures(text.value, lookup, base);
}

const STYLE_PICTURE = /url\(\s*(["']?)([^"'()\\\s]{1,2000})\1\s*\)/gi;

async function withPictures(css: string, lookup: Lookup, base: string | null): Promise<string> {
  const made = new Map<string, string>();
  for (const [, , reference = ''] of css.matchAll(STYLE_PICTURE)) {
    const uri = made.has(reference) ? null : await pictureAt(reference, lookup, base);
    if (uri) made.set(reference, uri);
  }
  return css.replace(STYLE_PICTURE, (whole, _quote, reference: string) => {
    const uri = made.get(reference);
    // In this form a style keeps a picture. Programs that guess a charset read other letters after a plus.
    return uri === undefined ? whole : `url("${uri.replaceAll('+', '%2B')}")`;
  });
}

function bodyOf(page: HtmlDocument): string {
  const body = bodyElement(page);
  return body === null ? '' : serialize(body);
}
