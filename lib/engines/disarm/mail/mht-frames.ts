/** Frames of a saved page (RFC 2557). The page of a frame replaces it, as a block of the outer page. */
import type { MimeLeaf } from '../../mime/part.ts';
import { writtenLink } from '../html/links.ts';
import { descendants, type HtmlDocument, type HtmlElement, isElement } from '../html/tree.ts';

/** A page of the archive. */
export interface Page {
  readonly document: HtmlDocument;
  readonly leaf: MimeLeaf;
  /** The address from which its relative addresses start. */
  readonly base: string | null;
  /** True when it is already inside another page, or is the first one. */
  isPlaced: boolean;
}

/** Puts pages into the frames that show them. A page of several frames is put into the first of them. */
export function placeFrames(page: Page, pages: readonly Page[]): void {
  for (const node of [...descendants(page.document.childNodes)]) {
    if (!isElement(node) || !/^i?frame$/.test(node.tagName)) continue;
    const shown = pages.find((each) => !each.isPlaced && isAt(each, node, page.base));
    if (shown === undefined) continue;
    shown.isPlaced = true;
    placeFrames(shown, pages);
    fill(node, bodyElement(shown.document));
  }
  for (const node of descendants(page.document.childNodes)) if (isElement(node)) openFrames(node);
}

function isAt({ leaf: { contentId, location } }: Page, frame: HtmlElement, base: string | null): boolean {
  const address = frame.attrs.find(({ name }) => name === 'src')?.value.trim() ?? '';
  if (address === '') return false;
  if (contentId !== null && address === `cid:${contentId}`) return true;
  return location !== null && (location === address || (base !== null && location === writtenLink(address, base)));
}

function fill(frame: HtmlElement, body: HtmlElement | null): void {
  frame.tagName = 'div';
  frame.nodeName = 'div';
  frame.attrs = [];
  frame.childNodes = body?.childNodes ?? [];
}

/** A set of frames takes the place of a body. */
function openFrames(node: HtmlElement): void {
  if (node.tagName !== 'frameset') return;
  const isOuter = node.parentNode !== null && node.parentNode.nodeName === 'html';
  node.tagName = isOuter ? 'body' : 'div';
  node.nodeName = node.tagName;
  node.attrs = [];
}

/** Returns the body of a page; null when it has none. */
export function bodyElement(page: HtmlDocument): HtmlElement | null {
  for (const node of descendants(page.childNodes))
    if (isElement(node) && (node.tagName === 'body' || node.tagName === 'frameset')) return node;
  return null;
}
