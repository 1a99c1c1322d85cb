/**
 * Reads "Flat OPC": an Office package written as one XML file ([MS-OE376], "XML package"). Each part is an element with its name, its
 * content type, and its content as XML or in base64. Word, Excel and PowerPoint open it like the package itself.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';

const NAMESPACE = 'http://schemas.microsoft.com/office/2006/xmlPackage';
const XMLNS = 'xmlns';

export interface FlatPart {
  /** Without the slash at the start. Untrusted. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface FlatPackage {
  /** One for each content. There are several of one name when the text is ambiguous. */
  readonly parts: readonly FlatPart[];
  /** Whether a part has two contents, or two parts have one name. Programs then read different ones. */
  readonly isAmbiguous: boolean;
  readonly hasDoctype: boolean;
}

interface OpenPart {
  readonly name: string;
  readonly contentType: string;
  base64: string[];
  /** The start of the part's XML, and the name spaces that it inherits. */
  xmlFrom: number;
  inherited: Readonly<Record<string, string>>;
  contents: number;
}

class Stop extends Error {}

/**
 * Returns the parts of a flat package in their order. Returns null when the text is not well-formed XML, uses entities of its own, has
 * another root element, or has more parts than `maxParts`, or elements deeper than `maxDepth`.
 */
export function readFlatPackage(xml: string, maxParts: number, maxDepth: number): FlatPackage | null {
  const reader = new FlatReader(xml, maxParts, maxDepth);
  try {
    reader.run();
  } catch (error) {
    if (error instanceof Stop) return null;
    throw error;
  }
  const names = new Set(reader.parts.map(({ name }) => name.toLowerCase()));
  return { parts: reader.parts, isAmbiguous: names.size < reader.parts.length, hasDoctype: reader.hasDoctype };
}

class FlatReader {
  readonly parts: FlatPart[] = [];
  hasDoctype = false;
  private readonly stack: SaxesTagNS[] = [];
  private readonly parser = new SaxesParser({ xmlns: true, position: true });
  private part: OpenPart | null = null;
  private isBase64 = false;

  constructor(
    private readonly xml: string,
    private readonly maxParts: number,
    private readonly maxDepth: number,
  ) {}

  run(): void {
    const { parser } = this;
    parser.on('error', () => stop());
    parser.on('doctype', () => {
      this.hasDoctype = true;
    });
    parser.on('opentag', (tag) => this.open(tag));
    parser.on('text', (text) => {
      if (this.isBase64) this.part?.base64.push(text);
    });
    parser.on('closetag', (tag) => this.close(tag));
    parser.write(this.xml).close();
  }

  private open(tag: SaxesTagNS): void {
    const depth = this.stack.length;
    if (depth > this.maxDepth) stop();
    const isOwn = tag.uri === NAMESPACE;
    if (depth === 0 && !(isOwn && tag.local === 'package')) stop();
    if (depth === 1 && isOwn && tag.local === 'part') this.openPart(tag);
    if (depth === 2 && isOwn && this.part !== null) {
      this.isBase64 = tag.local === 'binaryData';
      if (tag.local === 'xmlData') this.part.xmlFrom = this.parser.position;
    }
    if (depth === 3 && this.part !== null && this.part.xmlFrom >= 0) this.part.inherited = this.inherited(tag);
    this.stack.push(tag);
  }

  private openPart(tag: SaxesTagNS): void {
    if (this.parts.length >= this.maxParts) stop();
    const attribute = (local: string) =>
      Object.values(tag.attributes).find((each) => each.local === local && each.uri === NAMESPACE)?.value ?? '';
    const name = attribute('name').replace(/^\//, '');
    const contentType = attribute('contentType');
    this.part = { name, contentType, base64: [], xmlFrom: -1, inherited: {}, contents: 0 };
  }

  /** Returns the name spaces of the elements around a part that its first element does not declare itself. */
  private inherited(root: SaxesTagNS): Record<string, string> {
    const spaces = Object.assign({}, ...this.stack.map(({ ns }) => ns)) as Record<string, string>;
    return Object.fromEntries(
      Object.entries(spaces).filter(([prefix, uri]) => uri !== NAMESPACE && !Object.hasOwn(root.ns, prefix)),
    );
  }

  private close(tag: SaxesTagNS): void {
    this.stack.pop();
    const { part } = this;
    if (part === null) return;
    if (this.stack.length === 2 && tag.uri === NAMESPACE) {
      if (tag.local === 'xmlData') this.push(part, this.xmlOf(part, tag));
      if (tag.local === 'binaryData') this.push(part, Buffer.from(part.base64.join(''), 'base64'));
      this.isBase64 = false;
      part.base64 = [];
      part.xmlFrom = -1;
    }
    if (this.stack.length !== 1) return;
    if (part.contents === 0) this.push(part, new Uint8Array());
    this.part = null;
  }

  private push(part: OpenPart, bytes: Uint8Array): void {
    if (this.parts.length >= this.maxParts) stop();
    part.contents += 1;
    this.parts.push({ name: part.name, contentType: part.contentType, bytes });
  }

  private xmlOf(part: OpenPart, { isSelfClosing }: SaxesTagNS): Uint8Array {
    if (isSelfClosing) return new Uint8Array();
    const markup = this.xml.slice(part.xmlFrom, this.xml.lastIndexOf('</', this.parser.position - 1));
    const spaces = Object.entries(part.inherited).map(
      ([prefix, uri]) => ` ${prefix === '' ? XMLNS : `${XMLNS}:${prefix}`}="${escaped(uri)}"`,
    );
    const root = /^(?:\s|<\?[^>]*\?>|<!--(?:(?!-->)[\s\S])*-->)*<[^\s/>]+/.exec(markup)?.[0] ?? '';
    return Buffer.from(root + spaces.join('') + markup.slice(root.length), 'utf8');
  }
}

function stop(): never {
  throw new Stop();
}

const escaped = (value: string) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
