/** The XML serialiser. Changed markup is written anew, and unchanged checked markup is copied. */
import { escapeText, escapeValue } from '../../xml-escape.ts';
import { isElement, type XmlElement, type XmlNode } from './element.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** The text at the start of a part that it keeps: the usual declaration, in its few forms. */
const PLAIN_PROLOG = /^<\?xml version="1\.0" encoding="utf-8"(?: standalone="(?:yes|no)")? ?\?>[ \r\n]{0,4}$/i;
const FIRST_SIZE = 1_024;

/** Bytes that grow by doubling. While the output equals the beginning of `source`, nothing is copied, because most parts do not change. */
class Output {
  private bytes: Buffer;
  private length = 0;
  private isCopy = false;

  constructor(private readonly source: Buffer = Buffer.alloc(0)) {
    this.bytes = source;
  }

  text(text: string): void {
    if (!this.isCopy) {
      const written = Buffer.from(text, 'utf8');
      this.copy(written, 0, written.length);
      return;
    }
    this.reserve(text.length * 3);
    this.length += this.bytes.write(text, this.length, 'utf8');
  }

  copy(from: Buffer, start: number, end: number): void {
    const to = this.length + end - start;
    if (!this.isCopy) {
      const isPlace = from === this.source && start === this.length;
      if (isPlace || (to <= this.source.length && from.compare(this.source, this.length, to, start, end) === 0)) {
        this.length = to;
        return;
      }
    }
    this.reserve(end - start);
    from.copy(this.bytes, this.length, start, end);
    this.length = to;
  }

  result(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.isCopy && this.length + more <= this.bytes.length) return;
    const wanted = this.isCopy ? this.bytes.length * 2 : Math.max(FIRST_SIZE, this.source.length + FIRST_SIZE);
    const grown = Buffer.allocUnsafe(Math.max(wanted, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
    this.isCopy = true;
  }
}

/** Markup of nodes, without an XML declaration, as UTF-8. */
export function serializeBytes(nodes: readonly XmlNode[]): Buffer {
  const out = new Output();
  for (const node of nodes) writeNode(node, out);
  return out.result();
}

function writeNode(node: XmlNode, out: Output): void {
  if (typeof node === 'string') out.text(escapeText(node));
  else if (!isElement(node)) out.copy(node.bytes, node.from, node.to);
  else writeElement(node, out);
}

function writeElement(element: XmlElement, out: Output): void {
  const { tag } = element;
  const isAsRead = tag !== undefined && tag.attributes === element.attributes && tag.name === element.name;
  if (isAsRead) out.copy(tag.bytes, tag.from, tag.to);
  else
    out.text(
      `<${element.name}${element.attributes.map(({ name, value }) => ` ${name}="${escapeValue(value)}"`).join('')}`,
    );
  if (element.children.length === 0 && tag?.isEmpty !== false) {
    out.text('/>');
    return;
  }
  out.text('>');
  for (const child of element.children) writeNode(child, out);
  out.text(`</${element.name}>`);
}

/** Returns a whole part, UTF-8 with declaration. */
export function serializeXml(root: XmlElement): Uint8Array {
  const out = new Output(root.tag?.bytes);
  const prolog = root.tag?.bytes.toString('latin1', 0, Math.min(root.tag.from, 200)) ?? '';
  out.text(prolog.length === root.tag?.from && PLAIN_PROLOG.test(prolog) ? prolog : DECLARATION);
  writeNode(root, out);
  return out.result();
}
