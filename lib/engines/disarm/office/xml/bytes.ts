/** The bytes of an XML part as UTF-8, checked before anything is read from them. */
import { isUtf8 } from 'node:buffer';
import { EngineError } from '../../../engine.ts';

/** U+FFFE and U+FFFF, which no XML document may contain. */
const NON_CHARACTERS = [Buffer.from('efbfbe', 'hex'), Buffer.from('efbfbf', 'hex')];

/**
 * Returns the bytes as UTF-8 without a byte order mark. Only UTF-8 and UTF-16 are read, because encoding tricks (UTF-7, EBCDIC, overlong
 * UTF-8) show different elements to different programs. UTF-8 input is not copied. Throws EngineError `unreadable`.
 */
export function utf8Xml(bytes: Uint8Array): Buffer {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = wideOrder(view) === null ? withoutMark(view) : transcode(view);
  if (!isUtf8(utf8) || NON_CHARACTERS.some((character) => utf8.includes(character))) throw notText();
  return utf8;
}

function wideOrder(bytes: Buffer): 'big' | 'little' | null {
  const [first, second] = bytes;
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'big';
  return (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0) ? 'little' : null;
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function transcode(bytes: Buffer): Buffer {
  try {
    const encoding = wideOrder(bytes) === 'big' ? 'utf-16be' : 'utf-16le';
    return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes), 'utf8');
  } catch {
    throw notText();
  }
}

function notText(): EngineError {
  return new EngineError('unreadable', 'a part of the document is not valid UTF-8 or UTF-16');
}

/** Text of a range of UTF-8 bytes with references resolved and line ends as XML reads them (XML 1.0, 2.11 and 4.1). */
export function decodeXmlText(bytes: Buffer, from: number, to: number): string {
  return unescapeXml(bytes.toString('utf8', from, to).replace(/\r\n?/g, '\n'));
}

/** Returns an attribute's value: its text, with white space in the form in which every parser returns it (XML 1.0, 3.3.3). */
export function decodeXmlValue(bytes: Buffer, from: number, to: number): string {
  const raw = bytes.toString('utf8', from, to);
  return unescapeXml(/[\r\n\t]/.test(raw) ? raw.replace(/\r\n|[\r\n\t]/g, ' ') : raw);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves references. The scanner has already checked all of them. */
function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (_, hexadecimal, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? '';
    return String.fromCodePoint(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });
}
