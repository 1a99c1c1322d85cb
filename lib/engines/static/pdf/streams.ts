/** Separates a PDF into its syntax and its streams, and unpacks the streams. The cross-reference table is not trusted. */
import { constants, inflateSync } from 'node:zlib';
import { asBuffer } from '../../../formats/byte-scan.ts';
import { EngineError, type EngineLimits } from '../../engine.ts';

export interface PdfStream {
  /** The text of the dictionary before the stream. Names in it are not decoded. */
  readonly dictionary: string;
  /** The decoded content; null when a filter is not known here. */
  readonly content: Uint8Array | null;
  /** False when the content breaks off. Another reader may see something behind the break. */
  readonly complete: boolean;
  /** The offset of the stream in the file. */
  readonly offset: number;
  /** The number of its object; null where it does not say so. */
  readonly number: number | null;
}

export interface PdfParts {
  /** The file without the bodies of its streams, one character per byte. */
  readonly syntax: string;
  readonly streams: readonly PdfStream[];
}

/** The longest dictionary of a stream. To search further back for its start would cost quadratic time. */
const MAX_DICTIONARY_BYTES = 16 * 1024;

/** Splits the file. Throws EngineError('oversize') above `limits.entries` streams or `limits.inflatedBytes` inflated bytes. */
export function splitPdf(bytes: Uint8Array, limits: EngineLimits): PdfParts {
  // Streams are most of a file, so it is searched as bytes, and only its syntax becomes text.
  const file = asBuffer(bytes);
  const syntax: string[] = [];
  const streams: PdfStream[] = [];
  let left = limits.inflatedBytes;
  let from = 0;
  for (let place = nextStream(file, 0); place !== null; place = nextStream(file, from)) {
    if (streams.length >= limits.entries)
      throw new EngineError('oversize', `the document has more than ${limits.entries} streams`);
    const { start } = place;
    const { dictionary, number } = dictionaryBefore(file, place.dictionaryEnd);
    const end = endOfStream(file, start, dictionary);
    const { content, complete } = decode(bytes.subarray(start, end), filtersOf(dictionary), left);
    left -= content?.length ?? 0;
    if (left <= 0)
      throw new EngineError('oversize', `the document inflates to more than ${limits.inflatedBytes} bytes`);
    streams.push({ dictionary, content, complete, offset: start, number });
    syntax.push(latin1(file, from, start));
    from = end;
  }
  syntax.push(latin1(file, from, file.length));
  return { syntax: syntax.join('\n'), streams };
}

const latin1 = (file: Buffer, from: number, to: number) => file.toString('latin1', from, to);

const KEYWORD = 'stream';
const MAX_BLANKS = 32;
/** The end of a dictionary, white space, and nothing behind it. */
const DICTIONARY_END = new RegExp(`>>\\s{0,${MAX_BLANKS}}$`);

/** Returns the next keyword that opens a stream: behind a dictionary, and at the end of a line. */
function nextStream(file: Buffer, from: number): { readonly dictionaryEnd: number; readonly start: number } | null {
  for (let at = file.indexOf(KEYWORD, from); at !== -1; at = file.indexOf(KEYWORD, at + 1)) {
    const start = behindLineEnd(file, at + KEYWORD.length);
    if (start === null) continue;
    const first = Math.max(from, at - MAX_BLANKS - 2);
    const place = DICTIONARY_END.exec(latin1(file, first, at))?.index;
    if (place !== undefined) return { dictionaryEnd: first + place, start };
  }
  return null;
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

function behindLineEnd(file: Buffer, at: number): number | null {
  if (file[at] === LINE_FEED) return at + 1;
  if (file[at] !== RETURN) return null;
  return file[at + 1] === LINE_FEED ? at + 2 : at + 1;
}

/**
 * Returns where the stream ends: at `/Length` if the keyword is there, else at the first keyword. The length can be wrong, and the keyword
 * can be inside of the content. The later of the two omits nothing.
 */
function endOfStream(file: Buffer, start: number, dictionary: string): number {
  const length = Number(/\/Length\s{1,9}(\d{1,10})(?!\s{1,9}\d{1,9}\s{1,9}R)/.exec(dictionary)?.[1] ?? 0);
  const byLength = /^\s{0,4}endstream/.test(latin1(file, start + length, start + length + 16)) ? start + length : 0;
  const byKeyword = file.indexOf('endstream', start);
  return byKeyword === -1 ? file.length : Math.max(byLength, byKeyword);
}

function dictionaryBefore(file: Buffer, end: number): { dictionary: string; number: number | null } {
  const window = latin1(file, Math.max(0, end - MAX_DICTIONARY_BYTES), end + 2);
  const object = window.lastIndexOf(' obj');
  if (object === -1) return { dictionary: window.slice(Math.max(0, window.lastIndexOf('<<'))), number: null };
  const number = /(?<!\d)(\d{1,10})\s{1,9}\d{1,5}$/.exec(window.slice(Math.max(0, object - 40), object))?.[1];
  return { dictionary: window.slice(object + 4), number: number === undefined ? null : Number(number) };
}

/** Returns the names of the filters, in the order in which they are undone. */
function filtersOf(dictionary: string): string[] {
  const plain = dictionary.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const list = /\/Filter\s{0,32}(?:\[([^\]]{0,500})\]|(\/[A-Za-z0-9]{1,40}))/.exec(plain);
  return (list?.[1] ?? list?.[2] ?? '').match(/[A-Za-z0-9]+/g) ?? [];
}

/** Filters of pixels. Pixels hold no PDF syntax, so they are not decoded. */
const PICTURE_FILTERS = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'CCITTFaxDecode', 'CCF', 'JBIG2Decode']);

interface Decoded {
  readonly content: Uint8Array | null;
  readonly complete: boolean;
}

function decode(body: Uint8Array, filters: readonly string[], maxBytes: number): Decoded {
  let decoded: Decoded = { content: body, complete: true };
  for (const filter of filters) {
    if (decoded.content === null || PICTURE_FILTERS.has(filter)) break;
    const next = decodeOne(decoded.content, filter, maxBytes);
    decoded = { content: next.content, complete: decoded.complete && next.complete };
  }
  return decoded;
}

function decodeOne(content: Uint8Array, filter: string, maxBytes: number): Decoded {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return inflate(content, maxBytes);
    case 'ASCIIHexDecode':
    case 'AHx':
      return { content: decodeHex(content), complete: true };
    case 'ASCII85Decode':
    case 'A85':
      return { content: decodeAscii85(content), complete: true };
    default:
      return { content: null, complete: false };
  }
}

/** Unpacks a stream. A damaged or cut-off stream yields its readable part, as in the readers that open such files. */
function inflate(content: Uint8Array, maxBytes: number): Decoded {
  const maxOutputLength = Math.max(1, maxBytes);
  try {
    return { content: inflateSync(content, { maxOutputLength }), complete: true };
  } catch (error) {
    if (error instanceof RangeError) throw new EngineError('oversize', 'a stream of the document expands without end');
  }
  try {
    return { content: inflateSync(content, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }), complete: false };
  } catch {
    return { content: null, complete: false };
  }
}

function decodeHex(content: Uint8Array): Uint8Array {
  const digits = Buffer.from(content).toString('latin1').split('>', 1)[0] ?? '';
  return Buffer.from(digits.replace(/[^0-9a-fA-F]/g, ''), 'hex');
}

function decodeAscii85(content: Uint8Array): Uint8Array {
  const out: number[] = [];
  let group: number[] = [];
  for (const byte of content) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && group.length === 0) out.push(0, 0, 0, 0);
    else if (byte >= 0x21 && byte <= 0x75) group.push(byte - 0x21);
    if (group.length === 5) {
      out.push(...groupBytes(group, 4));
      group = [];
    }
  }
  if (group.length > 1) out.push(...groupBytes([...group, 84, 84, 84, 84].slice(0, 5), group.length - 1));
  return Uint8Array.from(out);
}

function groupBytes(group: readonly number[], count: number): number[] {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0) >>> 0;
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff].slice(0, count);
}
