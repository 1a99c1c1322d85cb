/** Writes 7z archives byte by byte. Every member is stored, so that it can be read without unpacking. Layout: 7zFormat.txt of 7-Zip. */
import { crc32 } from 'node:zlib';

export interface SevenZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
  /** A symbolic link to its content. */
  readonly isLink?: boolean;
}

const SIGNATURE = Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4]);
const ID = {
  end: 0x00,
  header: 0x01,
  streams: 0x04,
  files: 0x05,
  packed: 0x06,
  unpacked: 0x07,
  sizes: 0x09,
  checksums: 0x0a,
  folders: 0x0b,
  unpackedSizes: 0x0c,
  names: 0x11,
  attributes: 0x15,
  dummy: 0x19,
} as const;
/** One coder with an id of one byte, 0: the data as it is. */
const STORED = [1, 1, 0];
/** A Unix mode in the upper half, as 7-Zip writes it. */
const LINK_ATTRIBUTES = ((0o120777 << 16) | 0x8000) >>> 0;

/** A number in its longest form, which is read like any other. */
function number(value: number): Buffer {
  const bytes = Buffer.alloc(9, 0xff);
  bytes.writeBigUInt64LE(BigInt(value), 1);
  return bytes;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

const property = (id: number, data: Uint8Array): Buffer => Buffer.concat([Buffer.of(id), number(data.length), data]);

function headerOf(entries: readonly SevenZipEntry[], dummy: string): Buffer {
  const sizes = entries.map(({ content }) => number(content.length));
  const checksums = entries.map(({ content }) => word(crc32(content)));
  const names = entries.map(({ name }) => Buffer.from(`${name}\0`, 'utf16le'));
  const attributes = entries.map(({ isLink }) => word(isLink === true ? LINK_ATTRIBUTES : 0x20));
  return Buffer.concat([
    Buffer.of(ID.header, ID.streams, ID.packed),
    number(0),
    number(entries.length),
    Buffer.of(ID.sizes),
    ...sizes,
    Buffer.of(ID.end, ID.unpacked, ID.folders),
    number(entries.length),
    Buffer.of(0),
    ...entries.map(() => Buffer.from(STORED)),
    Buffer.of(ID.unpackedSizes),
    ...sizes,
    Buffer.of(ID.checksums, 1),
    ...checksums,
    Buffer.of(ID.end, ID.end, ID.files),
    number(entries.length),
    property(ID.names, Buffer.concat([Buffer.of(0), ...names])),
    property(ID.attributes, Buffer.concat([Buffer.of(1, 0), ...attributes])),
    ...(dummy === '' ? [] : [property(ID.dummy, Buffer.from(dummy))]),
    Buffer.of(ID.end, ID.end),
  ]);
}

/** An archive of stored members. `dummy` stands where 7-Zip writes its padding. */
export function writeSevenZip(entries: readonly SevenZipEntry[], dummy = ''): Uint8Array {
  const data = Buffer.concat(entries.map(({ content }) => content));
  const header = headerOf(entries, dummy);
  const start = Buffer.alloc(20);
  start.writeBigUInt64LE(BigInt(data.length), 0);
  start.writeBigUInt64LE(BigInt(header.length), 8);
  start.writeUInt32LE(crc32(header) >>> 0, 16);
  return Buffer.concat([SIGNATURE, word(crc32(start)), start, data, header]);
}
