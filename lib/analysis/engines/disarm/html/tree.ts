/** HTML parsed the way browsers parse it (parse5), under limits: hostile pages are built to make trees explode. */
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  parse,
  type TreeAdapter,
} from 'parse5';
import { EngineError, type EngineLimits } from '../../engine.ts';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlDocument = DefaultTreeAdapterTypes.Document;

export const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

/**
 * Elements and comments of one page: unclosed formatting elements make a parser copy them into every paragraph, so a few
 * megabytes become gigabytes of tree. A real mail of 10 MB has some 300,000.
 */
const NODES = 1_000_000;

/** Counts what the parser builds and how deep its stack gets. Throws EngineError (oversize) out of the parse. */
function limitedAdapter(limits: EngineLimits): TreeAdapter<DefaultTreeAdapterMap> {
  let nodes = 0;
  let depth = 0;
  const count = () => {
    nodes++;
    if (nodes > NODES) throw new EngineError('oversize', `the page has more than ${NODES} elements`);
  };
  return {
    ...defaultTreeAdapter,
    createElement: (...args) => {
      count();
      return defaultTreeAdapter.createElement(...args);
    },
    createCommentNode: (...args) => {
      count();
      return defaultTreeAdapter.createCommentNode(...args);
    },
    onItemPush: () => {
      depth++;
      // The parser walks its stack for most tags: a million open elements would take it hours.
      if (depth > limits.depth) throw new EngineError('oversize', `elements are nested more than ${limits.depth} deep`);
    },
    onItemPop: () => {
      depth--;
    },
  };
}

/** Parses a page. Throws EngineError (oversize) when it has too many elements or nests them too deep. */
export function parseHtml(html: string, limits: EngineLimits): HtmlDocument {
  return parse(html, { treeAdapter: limitedAdapter(limits), scriptingEnabled: false });
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

/** Every node below the roots in document order, contents of templates included. Iterates: a tree can outgrow the stack. */
export function* descendants(roots: readonly HtmlNode[]): Generator<HtmlNode> {
  const open: HtmlNode[] = [...roots].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if ('content' in node) for (const child of node.content.childNodes.toReversed()) open.push(child);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) open.push(child);
  }
}
