/**
 * The page tree of a PDF (ISO 32000-2, 7.7.3). It is walked once before anything is copied. Rings and nodes with two parents are cut, and
 * every node gets its real number of pages. Programs trust that number, and some follow a ring forever.
 */
import { PdfArray, PdfDict, type PdfObject, PdfStream } from '@libpdf/core';
import { EngineError } from '../../engine.ts';
import { follow, nameAt, type Resolve } from './judge.ts';

/** A limit against trees of nodes without pages. */
const MAX_NODES = 1_000_000;

export interface PageNode {
  /** The entries to write under /Kids: the original ones, without those that would close a ring. */
  readonly kids: readonly PdfObject[];
  /** The number of pages below. */
  count: number;
}

export interface PageTree {
  readonly nodes: ReadonlyMap<PdfDict, PageNode>;
  readonly pages: ReadonlySet<PdfDict>;
}

/** Reads the tree. Throws EngineError `unreadable` when there is no page, `oversize` for a flood of nodes. */
export function readPageTree(catalog: PdfDict, resolve: Resolve): PageTree {
  const root = follow(catalog.get('Pages'), resolve);
  if (!(root instanceof PdfDict) || nameAt(root, 'Type', resolve) === 'Page') throw noPage();
  const nodes = new Map<PdfDict, PageNode>();
  const pages = new Set<PdfDict>();
  const order: { readonly node: PageNode; readonly inner: PdfDict[]; leaves: number }[] = [];
  const claimed = new Set<PdfDict>([root]);
  // The queue grows during the loop.
  const queue = [root];
  for (const dict of queue) {
    if (queue.length > MAX_NODES) throw new EngineError('oversize', 'the file has too many pages');
    const taken = takeKids(dict, claimed, resolve);
    const node = { kids: taken.kids, count: 0 };
    nodes.set(dict, node);
    for (const page of taken.pages) pages.add(page);
    queue.push(...taken.inner);
    order.push({ node, inner: taken.inner, leaves: taken.pages.length });
  }
  // Backwards, because every node follows its parent.
  for (const { node, inner, leaves } of order.reverse()) {
    node.count = inner.reduce((sum, each) => sum + (nodes.get(each)?.count ?? 0), leaves);
  }
  if (pages.size === 0) throw noPage();
  return { nodes, pages };
}

function noPage(): EngineError {
  return new EngineError('unreadable', 'the PDF has no pages');
}

interface Taken {
  readonly kids: PdfObject[];
  readonly inner: PdfDict[];
  readonly pages: PdfDict[];
}

function takeKids(dict: PdfDict, claimed: Set<PdfDict>, resolve: Resolve): Taken {
  const taken: Taken = { kids: [], inner: [], pages: [] };
  const list = follow(dict.get('Kids'), resolve);
  if (!(list instanceof PdfArray)) return taken;
  for (const kid of list) {
    const target = follow(kid, resolve);
    if (!(target instanceof PdfDict) || target instanceof PdfStream) continue;
    if (!isNode(target, resolve)) taken.pages.push(target);
    else if (claimed.has(target)) continue;
    else {
      claimed.add(target);
      taken.inner.push(target);
    }
    taken.kids.push(kid);
  }
  return taken;
}

/** Returns true for a node of pages, and false for a page. If the type is missing, the keys decide. */
function isNode(dict: PdfDict, resolve: Resolve): boolean {
  const type = nameAt(dict, 'Type', resolve);
  return type === 'Pages' || (type !== 'Page' && follow(dict.get('Kids'), resolve) instanceof PdfArray);
}

/** Returns the entries that the tree gives to its nodes and pages, which replace their own; empty for any other dictionary. */
export function treeEntriesOf({ nodes, pages }: PageTree, dict: PdfDict): readonly string[] {
  const node = nodes.get(dict);
  if (node !== undefined) return [`/Type /Pages /Count ${node.count}`];
  return pages.has(dict) ? ['/Type /Page'] : [];
}
