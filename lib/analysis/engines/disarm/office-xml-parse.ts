/**
 * A strict parser for Office parts (saxes: well-formedness enforced, no DTD, UTF-8 and UTF-16 only). Comments and processing
 * instructions do not reach the tree.
 */
import { SaxesParser } from 'saxes';
import { EngineError, type EngineLimits } from '../engine.ts';
import { prefixOf } from './office-names.ts';
import type { XmlElement, XmlNode } from './office-xml.ts';

/** A part of millions of tiny elements: each costs some 300 bytes of heap, so this many stay below half a worker's memory. */
const MAX_LIVE_NODES = 1_500_000;
/** Elements with thousands of attributes make namespace processing quadratic. */
const MAX_ATTRIBUTES = 512;

/** Elements that are handled as soon as they close, so that a sheet of a million rows is never a tree as a whole. */
export interface RowReduction {
  readonly keys: ReadonlySet<string>;
  readonly reduce: (row: XmlElement) => XmlNode[];
}

/**
 * Parses one part. Throws EngineError `unreadable` (not well-formed, DOCTYPE, foreign encoding) or `oversize` (too deep, too
 * many elements). Comments and processing instructions are left out.
 */
export function parseXml(bytes: Uint8Array, limits: EngineLimits, rows?: RowReduction): XmlElement {
  const builder = new TreeBuilder(limits, rows);
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('xmldecl', (declaration) => checkEncoding(declaration.encoding));
  parser.on('doctype', () => {
    // Entity bombs and XXE live in the DTD; no Office program writes one.
    throw new EngineError('unreadable', 'a part of the document has a document type declaration');
  });
  parser.on('error', () => {
    throw new EngineError('unreadable', 'a part of the document is not well-formed XML');
  });
  parser.on('opentag', (tag) => builder.open(tag.uri, tag.local, tag.name, Object.values(tag.attributes)));
  parser.on('text', (text) => builder.text(text));
  parser.on('cdata', (text) => builder.text(text));
  parser.on('closetag', () => builder.close());
  parser.write(decodeXml(bytes)).close();
  return builder.result();
}

function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined || /^utf-?(8|16(le|be)?)$/i.test(encoding)) return;
  throw new EngineError('unreadable', 'a part of the document is in an encoding other than UTF-8 and UTF-16');
}

/** An encoding trick (UTF-7, EBCDIC, overlong UTF-8) shows one program other elements than the next: only two are read. */
function decodeXml(bytes: Uint8Array): string {
  const first = bytes[0];
  const second = bytes[1];
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c);
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  try {
    if (!isBig) return new TextDecoder(isLittle ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
    const swapped = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
    return new TextDecoder('utf-16le', { fatal: true }).decode(swapped);
  } catch {
    throw new EngineError('unreadable', 'a part of the document is not valid UTF-8 or UTF-16');
  }
}

interface SaxAttribute {
  readonly uri: string;
  readonly local: string;
  readonly name: string;
  readonly value: string;
}

class TreeBuilder {
  private readonly stack: XmlElement[] = [];
  private root: XmlElement | null = null;
  private liveNodes = 0;
  private readonly rowStarts: number[] = [];

  constructor(
    private readonly limits: EngineLimits,
    private readonly rows: RowReduction | undefined,
  ) {}

  open(uri: string, local: string, name: string, attributes: readonly SaxAttribute[]): void {
    if (this.stack.length >= this.limits.depth) {
      throw new EngineError('oversize', `elements are nested more than ${this.limits.depth} deep`);
    }
    if (attributes.length > MAX_ATTRIBUTES) throw new EngineError('oversize', 'an element has too many attributes');
    const element: XmlElement = {
      key: keyOf(uri, local),
      name,
      attributes: attributes.map((each) => ({ key: attributeKey(each), name: each.name, value: each.value })),
      children: [],
    };
    if (this.isRow(element)) this.rowStarts.push(this.liveNodes);
    this.count(1 + attributes.length);
    this.stack.at(-1)?.children.push(element);
    this.root ??= element;
    this.stack.push(element);
  }

  text(text: string): void {
    const parent = this.stack.at(-1);
    if (parent === undefined || text === '') return;
    this.count(1);
    parent.children.push(text);
  }

  close(): void {
    const element = this.stack.pop();
    const parent = this.stack.at(-1);
    if (element === undefined || parent === undefined || this.rows === undefined || !this.isRow(element)) return;
    parent.children.splice(-1, 1, ...this.rows.reduce(element));
    this.liveNodes = this.rowStarts.pop() ?? this.liveNodes;
    this.count(1);
  }

  result(): XmlElement {
    if (this.root === null) throw new EngineError('unreadable', 'a part of the document is empty');
    return this.root;
  }

  private isRow(element: XmlElement): boolean {
    return this.rows !== undefined && element.key !== null && this.rows.keys.has(element.key);
  }

  private count(nodes: number): void {
    this.liveNodes += nodes;
    if (this.liveNodes > MAX_LIVE_NODES)
      throw new EngineError('oversize', 'a part of the document has too many elements');
  }
}

function keyOf(uri: string, local: string): string | null {
  const prefix = prefixOf(uri);
  return prefix === null ? null : `${prefix}:${local}`;
}

function attributeKey(each: SaxAttribute): string | null {
  if (each.name === 'xmlns' || each.name.startsWith('xmlns:')) return each.name === 'xmlns' ? 'xmlns:' : each.name;
  return each.uri === '' ? each.local : keyOf(each.uri, each.local);
}
