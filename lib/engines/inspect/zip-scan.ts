/**
 * Our own reader of zip archives for the inspection of outputs (APPNOTE 4.3). It reads the members by the central directory. It also checks
 * that every byte of the archive belongs to something, so that readers of the local headers find the same members.
 */
import { inflateRawSync } from 'node:zlib';
import { InspectionError } from './fact.ts';

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** Archives of millions of empty members. */
const MAX_MEMBERS = 50_000;
/** The most bytes that are allocated at once because the directory says so. */
const MAX_FIRST_CHUNK_BYTES = 128 * 1024 * 1024;
/** The end record and the longest comment. */
const END_SEARCH_BYTES = 22 + 0xffff;

export interface ZipMember {
  readonly name: string;
  readonly method: number;
  readonly flags: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
  readonly extraLength: number;
  /** Unix mode, 0 without one. */
  readonly mode: number;
}

export interface ZipArchive {
  readonly bytes: Uint8Array;
  readonly members: readonly ZipMember[];
  /** Offsets of the directory and of the end record. */
  readonly directory: number;
  readonly end: number;
}

/** Reads the directory. Returns null when the bytes hold none, or when it is cut off. Bytes before the archive are tolerated. */
export function openZip(bytes: Uint8Array): ZipArchive | null {
  const view = viewOf(bytes);
  const end = endOf(view);
  if (end === null) return null;
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const claimed = view.getUint32(end + 16, true);
  const directory = claimed + size <= end && isHeader(view, claimed, CENTRAL) ? claimed : end - size;
  const members: ZipMember[] = [];
  let at = directory;
  while (members.length < Math.min(count, MAX_MEMBERS)) {
    if (!isHeader(view, at, CENTRAL) || at + 46 > bytes.length) return null;
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    members.push({
      name: Buffer.from(bytes.subarray(at + 46, at + 46 + nameLength)).toString('utf8'),
      method: view.getUint16(at + 10, true),
      flags: view.getUint16(at + 8, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true) + directory - Math.min(claimed, directory),
      extraLength,
      mode: view.getUint16(at + 40, true),
    });
    at += 46 + nameLength + extraLength + view.getUint16(at + 32, true);
  }
  return { bytes, members, directory, end };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function endOf(view: DataView): number | null {
  const first = Math.max(0, view.byteLength - END_SEARCH_BYTES);
  for (let at = view.byteLength - 22; at >= first; at--) if (view.getUint32(at, true) === END) return at;
  return null;
}

function isHeader(view: DataView, at: number, signature: number): boolean {
  return at >= 0 && at + 4 <= view.byteLength && view.getUint32(at, true) === signature;
}

/** The bytes that all inflated members of one file may have together. A bomb ends here. */
export interface InflateBudget {
  left: number;
}

/** Returns the content of a member. Throws InspectionError `zip-member-unreadable` or `zip-bomb`. */
export function readMember({ bytes }: ZipArchive, member: ZipMember, budget: InflateBudget): Uint8Array {
  const content = unpacked(packedBytes(bytes, member), member, budget);
  budget.left -= content.length;
  if (budget.left < 0) throw new InspectionError('zip-bomb', member.name);
  return content;
}

function packedBytes(bytes: Uint8Array, member: ZipMember): Uint8Array {
  const view = viewOf(bytes);
  const at = member.offset;
  if (!isHeader(view, at, LOCAL) || at + 30 > bytes.length || (member.flags & 1) !== 0) {
    throw new InspectionError('zip-member-unreadable', member.name);
  }
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  return bytes.subarray(start, start + member.packedSize);
}

/**
 * Returns whether two members hold the same content, by every one of their packed bytes: `readMember` returns the same for both. Returns
 * false for equal contents that are packed in two ways. Throws like `readMember`.
 */
export function isSameMember(one: ZipArchive, member: ZipMember, other: ZipArchive, otherMember: ZipMember): boolean {
  if (member.method !== otherMember.method || member.packedSize !== otherMember.packedSize) return false;
  return Buffer.compare(packedBytes(one.bytes, member), packedBytes(other.bytes, otherMember)) === 0;
}

function unpacked(packed: Uint8Array, member: ZipMember, budget: InflateBudget): Uint8Array {
  if (member.method === 0) return packed;
  if (member.method !== 8) throw new InspectionError('zip-member-unreadable', member.name);
  try {
    const maxOutputLength = Math.max(1, budget.left);
    // In one piece when it is as large as the directory says. Pieces would be copied together.
    const chunkSize = Math.max(1_024, Math.min(member.size + 1, maxOutputLength, MAX_FIRST_CHUNK_BYTES));
    return inflateRawSync(packed, { maxOutputLength, chunkSize });
  } catch (error) {
    throw new InspectionError(error instanceof RangeError ? 'zip-bomb' : 'zip-member-unreadable', member.name);
  }
}

/** Returns every fault in the layout of an archive that could show two readers different members. */
export function layoutFaults(archive: ZipArchive): readonly string[] {
  const { bytes, members, directory, end } = archive;
  const faults = new Set<string>();
  const view = viewOf(bytes);
  if (end + 22 !== bytes.length) faults.add('zip-data-behind');
  const names = new Set<string>();
  let expected = 0;
  for (const member of [...members].sort((one, other) => one.offset - other.offset)) {
    if (member.offset !== expected) faults.add('zip-hidden-data');
    const lower = member.name.toLowerCase();
    if (names.has(lower)) faults.add('zip-duplicate-name');
    names.add(lower);
    if (isUnsafePath(member.name)) faults.add('zip-unsafe-path');
    if (!hasSameLocalName(view, member)) faults.add('zip-two-stories');
    expected = endOfMember(view, member);
  }
  if (expected !== directory) faults.add('zip-hidden-data');
  return [...faults];
}

/** Returns whether a name has traversal, absolute paths, drives, control characters, or characters that change direction. */
function isUnsafePath(name: string): boolean {
  if (/[\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name) || /^(?:\/|[a-z]:)/i.test(name)) return true;
  return name.split('/').includes('..');
}

function hasSameLocalName(view: DataView, member: ZipMember): boolean {
  const at = member.offset;
  if (!isHeader(view, at, LOCAL) || at + 30 > view.byteLength) return false;
  const length = view.getUint16(at + 26, true);
  if (at + 30 + length > view.byteLength) return false;
  const name = Buffer.from(view.buffer, view.byteOffset + at + 30, length).toString('utf8');
  return name === member.name && view.getUint16(at + 8, true) === member.method;
}

/**
 * Returns the length of a data descriptor, which may follow a member (APPNOTE 4.3.9): 12, 16, 20 or 24 bytes, too short to hide anything.
 */
function endOfMember(view: DataView, member: ZipMember): number {
  const at = member.offset;
  if (at + 30 > view.byteLength) return -1;
  const end = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true) + member.packedSize;
  if ((member.flags & 8) === 0) return end;
  const next = [12, 16, 20, 24].find(
    (length) => isHeader(view, end + length, LOCAL) || isHeader(view, end + length, CENTRAL),
  );
  return end + (next ?? 0);
}
