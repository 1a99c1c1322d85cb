/**
 * Reads the central directory of a zip file as tolerantly as programs do, within limits. Nothing in the directory is trusted: every
 * offset is checked, names and counts are bounded, and a member is inflated only up to a size that the caller gives.
 */
import { inflateRawSync } from 'node:zlib';
import { asBuffer } from '../byte-scan.ts';
import {
  type CentralHeader,
  centralHeaderAt,
  type EndRecord,
  EXTRA,
  endRecords,
  extraFields,
  FLAG,
  isCentralHeader,
  localHeaderAt,
  METHOD,
} from './zip-records.ts';

/** Bytes of a name. Windows paths have at most 32,767 characters, and ordinary members far fewer. */
const MAX_NAME_BYTES = 4_096;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const IN_ZIP64 = 0xffffffff;
const UNIX = 3;

export interface ZipMember {
  /** The name as the archive spells it. */
  readonly untrustedName: string;
  readonly method: number;
  readonly encrypted: boolean;
  /** Sizes as the directory claims them, in bytes. */
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly offset: number;
  /** Unix mode bits. 0 when another system made the archive. */
  readonly unixMode: number;
}

export interface ZipDirectory {
  readonly members: readonly ZipMember[];
  /** False when the directory holds more members than were asked for, or breaks off. */
  readonly complete: boolean;
}

/** Reads at most `maxMembers` members of the central directory. Returns null when the bytes hold no end record of a zip. */
export function readZipDirectory(bytes: Uint8Array, maxMembers: number): ZipDirectory | null {
  const zip = asBuffer(bytes);
  const [end] = endRecords(zip);
  if (end === undefined) return null;
  const { count, start } = locateDirectory(zip, end);
  const members: ZipMember[] = [];
  let at = start;
  while (members.length < Math.min(count, maxMembers)) {
    const header = centralHeaderAt(zip, at);
    if (header === null || header.rawName.length > MAX_NAME_BYTES) return { members, complete: false };
    members.push(memberOf(header));
    at = header.end;
  }
  return { members, complete: members.length === count };
}

/**
 * Returns every directory that some program takes for the directory of the archive. It is the one of zip64, otherwise the one before the
 * end record, and the one at the offset in the end record. In an ordinary archive they are the same. A directory is read for as long as
 * entries follow, whatever count is claimed. It is incomplete when it breaks off within an entry or has more than `maxMembers`.
 */
export function readAllDirectories(bytes: Uint8Array, maxMembers: number): readonly ZipDirectory[] {
  const zip = asBuffer(bytes);
  const [end] = endRecords(zip);
  if (end === undefined) return [];
  const start64 = locateDirectory64(zip, end.at - 20)?.start;
  const inFront = end.at - end.size;
  // Bytes in front of the archive move its members as far as they move its directory.
  const [start, shift] = start64 === undefined ? [inFront, inFront - end.start] : [start64, 0];
  const first = directoryFrom(zip, start, shift, maxMembers);
  return end.start === start ? [first] : [first, directoryFrom(zip, end.start, 0, maxMembers)];
}

function directoryFrom(zip: Buffer, start: number, shift: number, maxMembers: number): ZipDirectory {
  const members: ZipMember[] = [];
  let at = start;
  let header = centralHeaderAt(zip, at);
  while (header !== null && members.length < maxMembers) {
    const member = memberOf(header);
    members.push({ ...member, offset: member.offset + shift });
    at = header.end;
    header = centralHeaderAt(zip, at);
  }
  return { members, complete: !isCentralHeader(zip, at) };
}

/**
 * Returns the content of one member, at most `maxBytes` long. Returns null when it is encrypted, uses a method other than stored or
 * deflate, is damaged, or is longer.
 */
export function readZipMember(bytes: Uint8Array, member: ZipMember, maxBytes: number): Uint8Array | null {
  const start = localHeaderAt(asBuffer(bytes), member.offset)?.dataStart ?? null;
  if (start === null || member.encrypted) return null;
  const packed = bytes.subarray(start, start + member.compressedSize);
  if (packed.length !== member.compressedSize) return null;
  if (member.method === METHOD.stored) return packed.length <= maxBytes ? packed : null;
  if (member.method !== METHOD.deflated || maxBytes < 1) return null;
  // Some writers also call a member without bytes deflated.
  if (packed.length === 0 && member.size === 0) return packed;
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}

/**
 * Returns the name of a member in its local header. Returns null when no local header is at the offset in the directory. Zip readers that
 * stream use this name, and the others use the name in the directory.
 */
export function localName(bytes: Uint8Array, member: ZipMember): string | null {
  const header = localHeaderAt(asBuffer(bytes), member.offset);
  return header === null ? null : decodeName(header.rawName);
}

interface DirectoryPlace {
  readonly count: number;
  readonly start: number;
}

function locateDirectory(zip: Buffer, end: EndRecord): DirectoryPlace {
  const zip64 = locateDirectory64(zip, end.at - 20);
  if (zip64 !== null) return zip64;
  // Bytes before the archive (a self-extractor, a polyglot) shift every offset. Readers then find the directory from its end.
  return { count: end.count, start: isCentralHeader(zip, end.start) ? end.start : end.at - end.size };
}

function locateDirectory64(zip: Buffer, locator: number): DirectoryPlace | null {
  if (locator < 0 || zip.readUInt32LE(locator) !== LOCATOR64_SIGNATURE) return null;
  const at = toOffset(zip.readBigUInt64LE(locator + 8));
  if (at + 56 > zip.length || zip.readUInt32LE(at) !== END64_SIGNATURE) return null;
  return { count: toOffset(zip.readBigUInt64LE(at + 32)), start: toOffset(zip.readBigUInt64LE(at + 48)) };
}

/** Returns a 64-bit offset as a number. Offsets past 2^53 are clamped, so that they stay out of bounds. */
function toOffset(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}

function memberOf(header: CentralHeader): ZipMember {
  const [size = 0, compressedSize = 0, offset = 0] = widened(header.extra, [
    header.size,
    header.packedSize,
    header.offset,
  ]);
  return {
    untrustedName: decodeName(header.rawName),
    method: header.method,
    encrypted: (header.flags & FLAG.encrypted) !== 0,
    size,
    compressedSize,
    offset,
    unixMode: header.system === UNIX ? header.attributes >>> 16 : 0,
  };
}

/** Replaces 32-bit values that refer to zip64 by the values of the zip64 extra field (APPNOTE 4.5.3). */
function widened(extra: Buffer, values: readonly number[]): readonly number[] {
  for (const { id, data } of extraFields(extra)) {
    if (id !== EXTRA.zip64) continue;
    let from = 0;
    return values.map((value) => {
      if (value !== IN_ZIP64 || from + 8 > data.length) return value;
      from += 8;
      return toOffset(data.readBigUInt64LE(from - 8));
    });
  }
  return values;
}

function decodeName(name: Uint8Array): string {
  return new TextDecoder('utf-8').decode(name);
}
