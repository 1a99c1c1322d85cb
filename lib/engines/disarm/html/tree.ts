/** Parses HTML as browsers do (parse5), under limits, because hostile pages are built to make trees grow endlessly. */
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html,
  Parser,
  type Token,
  Tokenizer,
  type TreeAdapter,
} from 'parse5';
import { EngineError, type EngineLimits } from '../../engine.ts';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlDocument = DefaultTreeAdapterTypes.Document;

export const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

/**
 * The most elements and comments of one page. A parser copies unclosed formatting elements into every paragraph, so a few megabytes can
 * become gigabytes of tree. A real mail of 10 MB has about 300,000.
 */
const NODES = 1_000_000;

export interface HtmlPage {
  readonly document: HtmlDocument;
  /**
   * The content of the page that its tree does not show: tags in places where browsers ignore them (a cell without a table, a second body),
   * and attributes that occur twice in a tag. Word and other programs show such a cell, and may use the second attribute.
   */
  readonly strays: readonly HtmlElement[];
  /** All comments of the page, in their order. */
  readonly comments: readonly Comment[];
  /** Browsers use only the first one. Programs that only look for tags may use any. */
  readonly doctypes: readonly Doctype[];
  /** True when the page ends within a tag. Browsers drop that tag, and other programs may load its targets. */
  readonly endsInTag: boolean;
}

export interface Comment {
  readonly data: string;
  /** True for a comment in another spelling: `<?…>`, `<!…>`, `</ …>`. */
  readonly isDeclaration: boolean;
}

export type Doctype = Pick<Token.DoctypeToken, 'name' | 'publicId' | 'systemId' | 'forceQuirks'>;

/** Counts what the parser builds and how deep its stack gets. Ends the parsing with EngineError `oversize`. */
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
      // The parser walks through its stack for most tags. With a million open elements that would take hours.
      if (depth > limits.depth) throw new EngineError('oversize', `elements are nested more than ${limits.depth} deep`);
    },
    onItemPop: () => {
      depth--;
    },
  };
}

/** Keeps the attributes that the tokenizer drops because the same tag already has their names. */
class PageTokenizer extends Tokenizer {
  repeated: Token.Attribute[] = [];
  isDeclaration = false;
  isInTag = false;

  protected override _stateBogusComment(cp: number): void {
    this.isDeclaration = true;
    super._stateBogusComment(cp);
  }

  protected override _createStartTagToken(): void {
    this.isInTag = true;
    super._createStartTagToken();
  }

  protected override emitCurrentTagToken(): void {
    this.isInTag = false;
    super.emitCurrentTagToken();
  }

  protected override _leaveAttrName(): void {
    super._leaveAttrName();
    const { currentToken, currentAttr } = this;
    // The tokenizer reads the value into the attribute later.
    if (currentToken !== null && 'attrs' in currentToken && currentToken.attrs.at(-1) !== currentAttr)
      this.repeated.push(currentAttr);
  }
}

class PageParser extends Parser<DefaultTreeAdapterMap> {
  readonly strays: HtmlElement[] = [];
  readonly comments: Comment[] = [];
  readonly doctypes: Doctype[] = [];
  private readonly tags: PageTokenizer;
  /** The attributes of the tag that is being read. */
  private attrs: readonly Token.Attribute[] = [];
  private isInTree = false;

  constructor(limits: EngineLimits) {
    const adapter = limitedAdapter(limits);
    const treeAdapter: typeof adapter = {
      ...adapter,
      createElement: (name, namespace, attrs) => {
        this.isInTree ||= attrs === this.attrs;
        return adapter.createElement(name, namespace, attrs);
      },
    };
    super({ treeAdapter, scriptingEnabled: false });
    this.tags = new PageTokenizer(this.options, this);
    this.tokenizer = this.tags;
  }

  override onStartTag(token: Token.TagToken): void {
    const { tagName, attrs } = token;
    this.attrs = attrs;
    this.isInTree = false;
    super.onStartTag(token);
    const left = this.isInTree ? this.tags.repeated : [...attrs, ...this.tags.repeated];
    // The adapter creates strays, so that they are counted with the rest.
    if (!this.isInTree || left.length > 0)
      this.strays.push(this.treeAdapter.createElement(tagName, html.NS.HTML, [...left]));
    this.tags.repeated = [];
  }

  get endsInTag(): boolean {
    return this.tags.isInTag;
  }

  override onComment(token: Token.CommentToken): void {
    this.comments.push({ data: token.data, isDeclaration: this.tags.isDeclaration });
    this.tags.isDeclaration = false;
    super.onComment(token);
  }

  override onDoctype(token: Token.DoctypeToken): void {
    this.doctypes.push(token);
    super.onDoctype(token);
  }

  override onEndTag(token: Token.TagToken): void {
    this.tags.repeated = [];
    super.onEndTag(token);
  }
}

/** Parses a page. Throws EngineError `oversize` when it has too many elements or nests them too deep. */
export function parseHtml(untrustedHtml: string, limits: EngineLimits): HtmlPage {
  const parser = new PageParser(limits);
  parser.tokenizer.write(untrustedHtml, true);
  const { document, strays, comments, doctypes, endsInTag } = parser;
  return { document, strays, comments, doctypes, endsInTag };
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

/**
 * Yields every node below the roots in document order, with the contents of templates. It does not recurse, because a tree can be deeper
 * than the call stack.
 */
export function* descendants(roots: readonly HtmlNode[]): Generator<HtmlNode> {
  const open: HtmlNode[] = [...roots].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if ('content' in node) for (const child of node.content.childNodes.toReversed()) open.push(child);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) open.push(child);
  }
}
