/**
 * Checks the structure behind the first bytes of an archive. A text that starts with the letters of an archive is still a text. A program
 * that opens it by its name shows it.
 */
import { constants, crc32, inflateRawSync } from 'node:zlib';
import { END_BYTES, endRecords, isCentralHeader } from './zip-records.ts';

/** Bytes of one archive, which may end anywhere. A number behind the end reads as NaN, which equals nothing. */
export interface ArchiveBytes {
  readonly bytes: Buffer;
  readonly u16: (at: number) => number;
  readonly u32: (at: number) => number;
}

/** Returns the bytes of a file as little-endian numbers. */
export function archiveBytes(file: Uint8Array): ArchiveBytes {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return {
    bytes,
    u16: (at) => (at + 2 <= bytes.length ? bytes.readUInt16LE(at) : Number.NaN),
    u32: (at) => (at >= 0 && at + 4 <= bytes.length ? bytes.readUInt32LE(at) : Number.NaN),
  };
}

const ascii = ({ bytes }: ArchiveBytes, start: number, end: number) => bytes.toString('latin1', start, end);

/** The number of compressed bytes that are tried. Other data fails within the first block. */
const TRIED_BYTES = 1_024;
const TRIED_OUTPUT = 2 * 1024 * 1024;

/** Checks RFC 1952 §2.3: deflate, no reserved flag, the fields that the flags name, and the beginning of a deflate stream. */
export function isGzip(file: ArchiveBytes): boolean {
  const { bytes, u16 } = file;
  const flags = bytes[3] ?? 0xff;
  if (bytes[2] !== 8 || (flags & 0xe0) !== 0) return false;
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + u16(at);
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = bytes.indexOf(0, at) + 1 || Number.NaN;
  if ((flags & 2) !== 0) at += 2;
  return at + 8 < bytes.length && beginsAsDeflate(bytes.subarray(at, at + TRIED_BYTES));
}

function beginsAsDeflate(packed: Uint8Array): boolean {
  try {
    inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: TRIED_OUTPUT });
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/** Checks the block size, and the mark of the first block (digits of pi) or of the end (digits of its square root). */
export function isBzip2(file: ArchiveBytes): boolean {
  return /^[1-9]$/.test(ascii(file, 3, 4)) && ['1AY&SY', '\x17rE8P\x90'].includes(ascii(file, 4, 10));
}

/** Checks the xz file format, §2.1.1: stream flags with their own checksum. */
export function isXz({ bytes, u32 }: ArchiveBytes): boolean {
  return u32(8) === crc32(bytes.subarray(6, 8)) && bytes[6] === 0;
}

/** Checks RFC 8878 §3.1.1: no reserved bit, and a first block of an existing type. */
export function isZstd({ bytes }: ArchiveBytes): boolean {
  const descriptor = bytes[4] ?? 0xff;
  if ((descriptor & 8) !== 0) return false;
  const sizeFlag = descriptor >> 6;
  const isSingle = (descriptor & 0x20) !== 0;
  const contentSize = sizeFlag === 0 ? Number(isSingle) : 1 << sizeFlag;
  const at = 5 + Number(!isSingle) + ([0, 1, 2, 4][descriptor & 3] ?? 0) + contentSize;
  if (at + 3 > bytes.length) return false;
  const block = bytes.readUIntLE(at, 3);
  const type = (block >> 1) & 3;
  return type !== 3 && (type === 1 || at + 3 + (block >> 3) <= bytes.length);
}

/** Checks the start header with its checksum (7zFormat.txt, SignatureHeader). */
export function is7z({ bytes, u32 }: ArchiveBytes): boolean {
  return bytes[6] === 0 && u32(8) === crc32(bytes.subarray(12, 32)) && bytes.length >= 32;
}

/** Checks the first block after the mark with its checksum. RAR 4 stores half of the checksum, and RAR 5 all of it. */
export function isRar({ bytes, u16, u32 }: ArchiveBytes): boolean {
  if (bytes[6] === 0) {
    const size = u16(12);
    return size >= 7 && bytes.length >= 7 + size && u16(7) === (crc32(bytes.subarray(9, 7 + size)) & 0xffff);
  }
  const size = bytes[12] ?? 0xff;
  return bytes[7] === 0 && size < 0x80 && bytes.length >= 13 + size && u32(8) === crc32(bytes.subarray(12, 13 + size));
}

/** Checks [MS-CAB] 2.1: reserved fields that are zero, version 1.3, and a size that fits. */
export function isCab({ bytes, u32 }: ArchiveBytes): boolean {
  const isReserved = u32(4) === 0 && u32(12) === 0 && u32(20) === 0;
  return isReserved && bytes[24] === 3 && bytes[25] === 1 && u32(16) >= 36 && u32(16) < u32(8);
}

/** Checks the main header with its checksum, of which half is stored. */
export function isAce({ bytes, u16 }: ArchiveBytes): boolean {
  const size = u16(2);
  const sum = ~crc32(bytes.subarray(4, 4 + size)) & 0xffff;
  return size >= 27 && bytes.length >= 4 + size && bytes[4] === 0 && u16(0) === sum;
}

/** Longest main header that the format allows. */
const ARJ_HEADER_BYTES = 2_600;

/** Checks the main header with its checksum. */
export function isArj({ bytes, u16, u32 }: ArchiveBytes): boolean {
  const size = u16(2);
  return size >= 30 && size <= ARJ_HEADER_BYTES && u32(4 + size) === crc32(bytes.subarray(4, 4 + size));
}

const TAR_BLOCK = 512;

/** Checks POSIX.1-1988: the sum of the bytes of the first header equals the number in it. Old programs added signed bytes. */
export function isTar(file: ArchiveBytes): boolean {
  const header = file.bytes.subarray(0, TAR_BLOCK);
  if (header.length < TAR_BLOCK) return false;
  const said = Number.parseInt(ascii(file, 148, 156).replace(/[\0 ]/g, ''), 8);
  let sum = 8 * 0x20;
  let signed = sum;
  header.forEach((byte, at) => {
    if (at >= 148 && at < 156) return;
    sum += byte;
    signed += byte > 0x7f ? byte - 256 : byte;
  });
  return said === sum || said === signed;
}

/** Checks ECMA-119 §8.1: a volume descriptor of an existing type, version 1. */
export function isIso({ bytes }: ArchiveBytes, at: number): boolean {
  return [0, 1, 2, 3, 255].includes(bytes[at - 1] ?? -1) && bytes[at + 5] === 1;
}

/** Checks [MS-OXTNEF] 2.1.3.1: a key, then an attribute of the message or of an attachment. */
export function isTnef({ bytes }: ArchiveBytes): boolean {
  return bytes[6] === 1 || bytes[6] === 2;
}

/** Checks that a directory begins at the place in the end record, or that it is one of zip64, or an archive of no entries. */
export function isZip({ bytes, u32 }: ArchiveBytes): boolean {
  for (const { at, size, count, start, commentLength } of endRecords(bytes)) {
    if (size === 0 && count === 0 && at + END_BYTES + commentLength === bytes.length) return true;
    if (isCentralHeader(bytes, start) || isCentralHeader(bytes, at - size)) return true;
    if (u32(at - 20) === LOCATOR64) return true;
  }
  return false;
}

const LOCATOR64 = 0x07064b50;
