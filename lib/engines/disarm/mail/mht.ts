/**
 * Disarm of web archives (MHTML): the page and its pictures become one HTML page. Everything else in the archive (scripts, frames,
 * style sheets, Word's ActiveMime with macros in it) is not carried over.
 */
import { serialize } from 'parse5';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { decodeBytes } from '../../mime/mime-headers.ts';
import type { MimeLeaf, MimePart } from '../../mime/mime-part.ts';
import { readMail } from '../../mime/mime-read.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { descendants, type HtmlDocument, type HtmlElement, isElement, parseHtml } from '../html/tree.ts';
import { type RemovalLog, removalLog } from '../removals.ts';

/** Rebuilds an archive as an HTML page. Throws EngineError `unreadable` when there is no page in it, `oversize` over a limit. */
export async function disarm(
  input: FileInput,
  _type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const leaves = leavesOf(readMail(input.bytes).body);
  const pages = leaves.filter(isPage);
  const log = removalLog();
  for (const leaf of leaves) if (!isPage(leaf) && !isPicture(leaf)) log.note(kindOf(leaf), leaf.untrustedType);
  const html = await joinPages(pages, pictureLookup(leaves, nested), limits);
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

/** One page; further ones (the sheets of a workbook, the frames of a set) follow below it. */
async function joinPages(pages: readonly MimeLeaf[], lookup: Lookup, limits: EngineLimits): Promise<string> {
  const [first, ...others] = pages.map((leaf) => parseHtml(decodeBytes(leaf.bytes, leaf.charset), limits).document);
  if (first === undefined) throw new EngineError('unreadable', 'the web archive has no page');
  const texts: string[] = [];
  for (const page of [first, ...others]) {
    removeNotes(page);
    for (const node of descendants(page.childNodes)) {
      if (isElement(node) && node.tagName === 'img') await inlinePicture(node, lookup);
    }
    texts.push(page === first ? serialize(page) : bodyOf(page));
  }
  const [whole = '', ...rest] = texts;
  return rest.length === 0
    ? whole
    : whole.replace(/<\/body>/i, () => `${rest.map((text) => `<hr>${text}`).join('')}</body>`);
}

/** Links to other parts of the archive, and comments, in which Office keeps what only Office acts on. */
function removeNotes(page: HtmlDocument): void {
  for (const node of [page, ...descendants(page.childNodes)]) {
    if (!('childNodes' in node)) continue;
    node.childNodes = node.childNodes.filter((child) => !/^(?:link|#comment)$/.test(child.nodeName));
  }
}

async function inlinePicture(image: HtmlElement, lookup: Lookup): Promise<void> {
  const source = image.attrs.find(({ name }) => name === 'src');
  if (source === undefined) return;
  const uri = await lookup(source.value);
  if (uri !== null) source.value = uri;
}

function bodyOf(page: HtmlDocument): string {
  for (const node of descendants(page.childNodes))
    if (isElement(node) && node.tagName === 'body') return serialize(node);
  return '';
}
