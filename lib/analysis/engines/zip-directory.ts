/**
 * A bounded reader of a zip file's central directory (APPNOTE.TXT 4.3). It trusts nothing the directory says: every offset is
 * checked, names and counts are capped, and a member is inflated only up to a size the caller names.
 */
import { inflateRawSync } from 'node:zlib';

/** The end record and the longest comment allowed (APPNOTE 4.3.16). */
const END_SEARCH_BYTES = 22 + 0xffff;
/** Names of megabytes: Windows paths end at 32,767 characters, real members far below. */
const MAX_NAME_BYTES = 4_096;

const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_SIGNATURE = 0x06054b50;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const IN_ZIP64 = 0xffffffff;

export interface ZipMember {
  /** As the archive spells it. */
  readonly untrustedName: string;
  readonly method: number;
  readonly encrypted: boolean;
  /** Sizes as the directory claims them, in bytes. */
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly offset: number;
  /** Unix mode bits, 0 when the archive was made elsewhere. */
  readonly unixMode: number;
}

export interface ZipDirectory {
  readonly members: readonly ZipMember[];
  /** False when the directory holds more members than were asked for, or breaks off. */
  readonly complete: boolean;
}

/** Finds and reads the central directory, at most `maxMembers` members. Null when the bytes hold no zip end record. */
export function readZipDirectory(bytes: Uint8Array, maxMembers: number): ZipDirectory | null {
  const view = viewOf(bytes);
  const end = findEnd(view);
  if (end === null) return null;
  const { count, start } = locateDirectory(view, end);
  const members: ZipMember[] = [];
  let at = start;
  while (members.length < Math.min(count, maxMembers)) {
    const next = readMember(bytes, view, at);
    if (next === null) return { members, complete: false };
    members.push(next.member);
    at = next.end;
  }
  return { members, complete: members.length === count };
}

/**
 * The content of one member, at most `maxBytes` long. Null when it is encrypted, uses a method other than stored or deflate, is
 * damaged, or is longer than that: callers decide which of these matters.
 */
export function readZipMember(bytes: Uint8Array, member: ZipMember, maxBytes: number): Uint8Array | null {
  const start = memberDataStart(bytes, member);
  if (start === null || member.encrypted) return null;
  const packed = bytes.subarray(start, start + member.compressedSize);
  if (packed.length !== member.compressedSize) return null;
  if (member.method === 0) return packed.length <= maxBytes ? packed : null;
  if (member.method !== 8 || maxBytes < 1) return null;
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}

/** Offset of a member's data, past its local header; null when there is no local header where the directory says. */
export function memberDataStart(bytes: Uint8Array, member: ZipMember): number | null {
  const view = viewOf(bytes);
  const at = member.offset;
  if (at + 30 > view.byteLength || view.getUint32(at, true) !== LOCAL_SIGNATURE) return null;
  return at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
}

/** The name the local header gives a member; zip readers that stream use this one, the others the directory's. */
export function localName(bytes: Uint8Array, member: ZipMember): string | null {
  const view = viewOf(bytes);
  const at = member.offset;
  if (at + 30 > view.byteLength || view.getUint32(at, true) !== LOCAL_SIGNATURE) return null;
  return decodeName(bytes.subarray(at + 30, at + 30 + view.getUint16(at + 26, true)));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function findEnd(view: DataView): number | null {
  const first = Math.max(0, view.byteLength - END_SEARCH_BYTES);
  for (let at = view.byteLength - 22; at >= first; at--) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  return null;
}

interface DirectoryPlace {
  readonly count: number;
  readonly start: number;
}

function locateDirectory(view: DataView, end: number): DirectoryPlace {
  const zip64 = locateDirectory64(view, end);
  if (zip64 !== null) return zip64;
  const size = view.getUint32(end + 12, true);
  const claimed = view.getUint32(end + 16, true);
  // Bytes put before the archive (a self-extractor, a polyglot) shift every offset; readers then find the directory from its end.
  const start = hasCentralHeader(view, claimed) ? claimed : end - size;
  return { count: view.getUint16(end + 10, true), start };
}

function locateDirectory64(view: DataView, end: number): DirectoryPlace | null {
  const locator = end - 20;
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR64_SIGNATURE) return null;
  const at = toOffset(view.getBigUint64(locator + 8, true));
  if (at + 56 > view.byteLength || view.getUint32(at, true) !== END64_SIGNATURE) return null;
  return { count: toOffset(view.getBigUint64(at + 32, true)), start: toOffset(view.getBigUint64(at + 48, true)) };
}

function hasCentralHeader(view: DataView, at: number): boolean {
  return at + 4 <= view.byteLength && view.getUint32(at, true) === CENTRAL_SIGNATURE;
}

/** Offsets past 2^53 cannot exist in a file in memory; clamping keeps them out of bounds. */
function toOffset(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}

function readMember(bytes: Uint8Array, view: DataView, at: number): { member: ZipMember; end: number } | null {
  if (at < 0 || at + 46 > view.byteLength || view.getUint32(at, true) !== CENTRAL_SIGNATURE) return null;
  const nameLength = view.getUint16(at + 28, true);
  const extraLength = view.getUint16(at + 30, true);
  const end = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true);
  if (nameLength > MAX_NAME_BYTES || end > view.byteLength) return null;
  const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
  const sizes = widen(extra, [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ]);
  const member: ZipMember = {
    untrustedName: decodeName(bytes.subarray(at + 46, at + 46 + nameLength)),
    method: view.getUint16(at + 10, true),
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    size: sizes[0],
    compressedSize: sizes[1],
    offset: sizes[2],
    unixMode: view.getUint8(at + 5) === 3 ? view.getUint16(at + 40, true) : 0,
  };
  return { member, end };
}

/** Replaces 32-bit values that say "see zip64" by those of the zip64 extra field (APPNOTE 4.5.3). */
function widen(extra: Uint8Array, values: [number, number, number]): [number, number, number] {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const last = Math.min(extra.length, at + 4 + view.getUint16(at + 2, true));
    let from = at + 4;
    return values.map((value) => {
      if (value !== IN_ZIP64 || from + 8 > last) return value;
      from += 8;
      return toOffset(view.getBigUint64(from - 8, true));
    }) as [number, number, number];
  }
  return values;
}

function decodeName(name: Uint8Array): string {
  return new TextDecoder('utf-8').decode(name);
}
