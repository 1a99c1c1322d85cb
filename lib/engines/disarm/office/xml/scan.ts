/**
 * A strict scanner for the XML that Office programs write: every byte belongs to a construct that it knows, or the part is
 * refused. It makes no strings and no objects per tag, only positions, so that it reads hundreds of megabytes per second.
 */
import { EngineError } from '../../../engine.ts';
import { NameTable } from './name-table.ts';

/** The most attributes of an element. Thousands of them make the search for repeats quadratic. */
const MAX_ATTRIBUTES = 512;
/** The longest reference with a meaning, `&#x0010ffff;` with some zeros. */
const MAX_REFERENCE_LENGTH = 16;

export const SPACE = 0x20;
const BANG = 0x21;
export const QUOTE = 0x22;
const AMP = 0x26;
export const SLASH = 0x2f;
export const LT = 0x3c;
export const EQUALS = 0x3d;
export const GT = 0x3e;
const QUESTION = 0x3f;
const BRACKET = 0x5d;

/** The roles of a byte: 1 ends a name, 2 ends text, 4 ends a value in double quotes, 8 one in single quotes, 16 is white space. */
export const CLASS = new Uint8Array(256);
for (let byte = 0; byte < 256; byte += 1) {
  const character = String.fromCharCode(byte);
  const isSpace = /[ \t\r\n]/.test(character);
  const isControl = byte < 0x20 && !isSpace;
  if (byte < 0x80 && !/[A-Za-z0-9_:.-]/.test(character)) CLASS[byte] = 1;
  if (isControl || /[<&\]]/.test(character)) CLASS[byte] = (CLASS[byte] ?? 0) | 2;
  if (isControl || /[<&"]/.test(character)) CLASS[byte] = (CLASS[byte] ?? 0) | 4;
  if (isControl || /[<&']/.test(character)) CLASS[byte] = (CLASS[byte] ?? 0) | 8;
  if (isSpace) CLASS[byte] = (CLASS[byte] ?? 0) | 16;
}

export type Token = 'open' | 'close' | 'ignored' | 'end';

export class XmlScanner {
  readonly table = new NameTable();
  /** The offset after the last token. */
  at = 0;
  /** The start of the last token's markup. The text before it was checked. */
  markupAt = 0;
  /** The name of the last tag. */
  nameId = 0;
  isEmpty = false;
  /** The name of the expected next closing tag, as a hint that saves a look-up. -1 for none. */
  expected = -1;
  /** The offset after the last attribute of the last opening tag. */
  tagEnd = 0;
  attributeCount = 0;
  readonly attributeIds = new Int32Array(MAX_ATTRIBUTES);
  readonly valueFrom = new Int32Array(MAX_ATTRIBUTES);
  readonly valueTo = new Int32Array(MAX_ATTRIBUTES);

  constructor(readonly bytes: Buffer) {}

  /** Reads text up to the next markup, and that markup. Comments and processing instructions are `ignored`; CDATA is text. */
  next(): Token {
    for (;;) {
      this.at = this.behindText(this.at);
      this.markupAt = this.at;
      if (this.at >= this.bytes.length) return 'end';
      const second = this.bytes[this.at + 1];
      if (second === SLASH) return this.closeTag();
      if (second === QUESTION) return this.skipPast('?>', this.at + 2);
      if (second !== BANG) return this.openTag(this.at);
      if (this.bytes.toString('latin1', this.at, this.at + 9) !== '<![CDATA[') return this.comment();
      this.skipPast(']]>', this.at + 9);
    }
  }

  /** Returns the end of the text that starts at `from`. Throws EngineError `unreadable` for a character that text may not contain. */
  behindText(from: number): number {
    const { bytes } = this;
    const { length } = bytes;
    let at = from;
    while (at < length) {
      const byte = bytes[at] as number;
      if (((CLASS[byte] as number) & 2) === 0) {
        at += 1;
        continue;
      }
      if (byte === LT) break;
      if (byte === AMP) at = this.reference(at);
      else if (byte === BRACKET && !(bytes[at + 1] === BRACKET && bytes[at + 2] === GT)) at += 1;
      else throw malformed();
    }
    return at;
  }

  /** Reads the opening tag that starts at `from`. Also used to read a tag again. */
  openTag(from: number): 'open' {
    const { bytes } = this;
    this.at = from + 1;
    this.nameId = this.name();
    this.attributeCount = 0;
    this.plainAttributes();
    for (;;) {
      this.tagEnd = this.at;
      const isApart = this.skipSpace();
      const byte = bytes[this.at];
      if (byte === GT || byte === SLASH) break;
      if (!isApart) throw malformed();
      this.attribute();
    }
    this.isEmpty = bytes[this.at] === SLASH;
    if (this.isEmpty && bytes[this.at + 1] !== GT) throw malformed();
    this.at += this.isEmpty ? 2 : 1;
    return 'open';
  }

  /** Reads attributes in their usual form: one space, no space around the sign, double quotes, ASCII names. */
  private plainAttributes(): void {
    const { bytes, table } = this;
    const { length } = bytes;
    let count = 0;
    let start = this.at;
    while (bytes[start] === SPACE && count < MAX_ATTRIBUTES) {
      let at = start + 1;
      let hash = 0;
      for (
        let byte = bytes[at] as number;
        at < length && ((CLASS[byte] as number) & 1) === 0;
        byte = bytes[at] as number
      ) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        at += 1;
      }
      if (at === start + 1 || bytes[at] !== EQUALS || bytes[at + 1] !== QUOTE) break;
      const id = table.idOf(bytes, start + 1, at, hash);
      at += 2;
      const valueFrom = at;
      while (at < length && ((CLASS[bytes[at] as number] as number) & 4) === 0) at += 1;
      if (bytes[at] !== QUOTE) break;
      this.attributeIds[count] = id;
      this.valueFrom[count] = valueFrom;
      this.valueTo[count] = at;
      count += 1;
      start = at + 1;
    }
    this.attributeCount = count;
    this.at = start;
  }

  private attribute(): void {
    const index = this.attributeCount;
    if (index === MAX_ATTRIBUTES) throw new EngineError('oversize', 'an element has too many attributes');
    this.attributeIds[index] = this.name();
    this.skipSpace();
    if (this.bytes[this.at] !== EQUALS) throw malformed();
    this.at += 1;
    this.skipSpace();
    const quote = this.bytes[this.at];
    if (quote !== QUOTE && quote !== 0x27) throw malformed();
    this.at += 1;
    this.valueFrom[index] = this.at;
    this.skipValue(quote === QUOTE ? 4 : 8, quote);
    this.valueTo[index] = this.at;
    this.at += 1;
    this.attributeCount = index + 1;
  }

  private skipValue(mask: number, quote: number): void {
    const { bytes } = this;
    const { length } = bytes;
    let at = this.at;
    for (;;) {
      while (at < length && ((CLASS[bytes[at] as number] as number) & mask) === 0) at += 1;
      if (bytes[at] === quote) break;
      if (bytes[at] !== AMP) throw malformed();
      at = this.reference(at);
    }
    this.at = at;
  }

  private closeTag(): 'close' {
    if (this.closesExpected()) return 'close';
    this.at += 2;
    this.nameId = this.name();
    this.skipSpace();
    if (this.bytes[this.at] !== GT) throw malformed();
    this.at += 1;
    return 'close';
  }

  private closesExpected(): boolean {
    const { bytes, expected } = this;
    const name = this.table.names[expected]?.bytes;
    if (name === undefined) return false;
    const from = this.at + 2;
    const { length } = name;
    if (bytes[from + length] !== GT) return false;
    for (let index = 0; index < length; index += 1) if (bytes[from + index] !== name[index]) return false;
    this.nameId = expected;
    this.at = from + length + 1;
    return true;
  }

  private name(): number {
    const { bytes } = this;
    const from = this.at;
    let at = from;
    let hash = 0;
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      if (((CLASS[byte] as number) & 1) !== 0) break;
      hash = (Math.imul(hash, 31) + byte) | 0;
      at += 1;
    }
    if (at === from) throw malformed();
    this.at = at;
    return this.table.idOf(bytes, from, at, hash);
  }

  private skipSpace(): boolean {
    const from = this.at;
    while (this.at < this.bytes.length && ((CLASS[this.bytes[this.at] as number] as number) & 16) !== 0) this.at += 1;
    return this.at > from;
  }

  private comment(): 'ignored' {
    // Entity bombs and XXE need the DTD, and no Office program writes one.
    if (this.bytes.toString('latin1', this.at, this.at + 9) === '<!DOCTYPE') {
      throw new EngineError('unreadable', 'a part of the document has a document type declaration');
    }
    if (this.bytes.toString('latin1', this.at, this.at + 4) !== '<!--') throw malformed();
    const from = this.at + 4;
    const end = this.bytes.indexOf('--', from, 'latin1');
    this.skipPast('-->', from);
    if (end !== this.at - 3) throw malformed();
    return 'ignored';
  }

  private skipPast(end: string, from: number): 'ignored' {
    const found = this.bytes.indexOf(end, from, 'latin1');
    if (found === -1) throw malformed();
    for (let at = from; at < found; at += 1) {
      const byte = this.bytes[at] as number;
      if (byte < 0x20 && ((CLASS[byte] as number) & 16) === 0) throw malformed();
    }
    this.at = found + end.length;
    return 'ignored';
  }

  /** Checks a reference and returns the position after it: one of the five of XML itself, or the number of an allowed character. */
  private reference(at: number): number {
    const end = this.bytes.indexOf(0x3b, at);
    if (end === -1 || end - at > MAX_REFERENCE_LENGTH) throw malformed();
    const text = this.bytes.toString('latin1', at + 1, end);
    if (/^(?:amp|lt|gt|quot|apos)$/.test(text)) return end + 1;
    const digits = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(text);
    if (digits === null) throw malformed();
    const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
    if (!isXmlCharacter(code)) throw malformed();
    return end + 1;
  }
}

/** Returns whether XML 1.0, 2.2 allows a character. */
function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}

/** Makes the one refusal for everything that is not well-formed. */
export function malformed(): EngineError {
  return new EngineError('unreadable', 'a part of the document is not well-formed XML');
}
