/** Writes the zip archive of a document: entries in a fixed order, with fixed times, and nothing between or after them. */
import { crc32, deflateRawSync } from 'node:zlib';

/** Higher levels cost several times the time for a few percent of size. */
const LEVEL = 3;
const STORED = 0;
const DEFLATED = 8;
/** 2.0: deflate. */
const VERSION = 20;
/** 1 January 1980, the earliest date an entry can carry (APPNOTE 4.4.6). */
const FIXED_DATE = 0x0021;
const UTF8_NAME = 0x0800;

/** The content of an entry, packed. */
export interface PackedPart {
  readonly method: typeof STORED | typeof DEFLATED;
  readonly data: Uint8Array;
  readonly crc: number;
  /** Unpacked, in bytes. */
  readonly size: number;
}

/** Packs the content of one entry. */
export function packPart(content: Uint8Array): PackedPart {
  const packed = deflateRawSync(content, { level: LEVEL });
  const crc = crc32(content);
  // Content that does not become smaller (pictures) is stored.
  return packed.length < content.length
    ? { method: DEFLATED, data: packed, crc, size: content.length }
    : { method: STORED, data: content, crc, size: content.length };
}

/** Writes entries in the order of the map. Sizes and offsets must be below 4 GiB, and entries fewer than 65,535. */
export function writeZip(entries: ReadonlyMap<string, PackedPart>): Uint8Array {
  const chunks: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, part] of entries) {
    const bytes = Buffer.from(name, 'utf8');
    const fields = fieldsOf(bytes, part);
    const head = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, bytes]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([VERSION, 0]), fields, tail, bytes);
    chunks.push(head, part.data);
    offset += head.length + part.data.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.size, 8);
  end.writeUInt16LE(entries.size, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...chunks, list, end]);
}

/** Returns the fields that local header and directory share, from the version needed to the length of the extra field. */
function fieldsOf(name: Buffer, { method, data, crc, size }: PackedPart): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(name.every((byte) => byte < 0x80) ? 0 : UTF8_NAME, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(FIXED_DATE, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
