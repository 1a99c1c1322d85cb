/**
 * Property streams of Office 97 to 2003 files ([MS-OLEPS] 2.21): title, author, times. They are removed by default. A caller that keeps
 * them gets the listed properties, written anew.
 */

/** Properties of the summary: texts, times, and page counts. Thumbnails, template paths and links are not listed. */
const KEPT = new Set([0x02, 0x03, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10]);
const CODE_PAGE = 0x01;
const TYPE_SHORT = 0x02;
const TYPE_NUMBER = 0x03;
const TYPE_TEXT = 0x1e;
const TYPE_WIDE_TEXT = 0x1f;
const TYPE_TIME = 0x40;
const HEADER_BYTES = 48;
const SUMMARY = Buffer.from('e0859ff2f94f6810ab9108002b27b3d9', 'hex');
/** The most properties. Real summaries have about 20. */
const MAX_PROPERTIES = 64;
const MAX_TEXT_BYTES = 4_096;

/** Returns a summary stream with the properties that may be kept; null when there are none, or the stream cannot be read. */
export function rewriteSummary(stream: Buffer): Buffer | null {
  try {
    return write(readProperties(stream));
  } catch (error) {
    // A length or offset leads out of the stream. Nothing in it is worth a refusal.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface Property {
  readonly id: number;
  /** Type and value, filled up to four bytes. */
  readonly value: Buffer;
}

function readProperties(stream: Buffer): Property[] {
  if (!stream.subarray(28, 44).equals(SUMMARY)) return [];
  const section = stream.readUInt32LE(44);
  const count = Math.min(stream.readUInt32LE(section + 4), MAX_PROPERTIES);
  const found = new Map<number, Property>();
  for (let index = 0; index < count; index++) {
    const id = stream.readUInt32LE(section + 8 + index * 8);
    const at = section + stream.readUInt32LE(section + 12 + index * 8);
    const value = id === CODE_PAGE || KEPT.has(id) ? readValue(stream, at) : null;
    if (value !== null && !found.has(id)) found.set(id, { id, value });
  }
  return [...found.values()].sort((one, other) => one.id - other.id);
}

function readValue(stream: Buffer, at: number): Buffer | null {
  switch (stream.readUInt32LE(at)) {
    case TYPE_SHORT:
    case TYPE_NUMBER:
      return slice(stream, at, 8);
    case TYPE_TIME:
      return slice(stream, at, 12);
    case TYPE_TEXT:
    case TYPE_WIDE_TEXT: {
      const width = stream.readUInt32LE(at) === TYPE_WIDE_TEXT ? 2 : 1;
      const bytes = stream.readUInt32LE(at + 4) * width;
      return bytes > MAX_TEXT_BYTES ? null : padded(slice(stream, at, 8 + bytes));
    }
    default:
      return null;
  }
}

function slice(stream: Buffer, at: number, length: number): Buffer {
  if (at + length > stream.length) throw new RangeError('a property leads out of the stream');
  return Buffer.from(stream.subarray(at, at + length));
}

const padded = (value: Buffer): Buffer => Buffer.concat([value, Buffer.alloc((4 - (value.length % 4)) % 4)]);

function write(properties: readonly Property[]): Buffer | null {
  if (properties.every(({ id }) => id === CODE_PAGE)) return null;
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16LE(0xfffe, 0);
  head.writeUInt32LE(2, 6);
  head.writeUInt32LE(1, 24);
  SUMMARY.copy(head, 28);
  head.writeUInt32LE(HEADER_BYTES, 44);
  const list = Buffer.alloc(8 + properties.length * 8);
  let at = list.length;
  for (const [index, { id, value }] of properties.entries()) {
    list.writeUInt32LE(id, 8 + index * 8);
    list.writeUInt32LE(at, 12 + index * 8);
    at += value.length;
  }
  list.writeUInt32LE(at, 0);
  list.writeUInt32LE(properties.length, 4);
  return Buffer.concat([head, list, ...properties.map(({ value }) => value)]);
}
