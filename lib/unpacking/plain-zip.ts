/**
 * Zips that hold nothing odd, by Node's own zlib and in this thread: most Office files, for which another thread and a library
 * cost ten times what inflating does. Plain is what every program reads in the same way (APPNOTE.TXT 4.3): members that follow
 * each other without a gap from the first byte to the directory, local headers that say what the directory says, sizes and
 * checksums that are true. Whatever is not plain is nobody's fault here: it is opened where zips with two readings are judged.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import type { Opened, UnpackRequest } from '../message/containers/container.ts';
import { createOutput } from './collect.ts';

/** Larger ones would hold up this thread: bytes of the zip, and of all that comes out. */
const ZIP_BYTES = 2 * 1024 * 1024;
const TOTAL_BYTES = 4 * 1024 * 1024;

const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
/** Sizes and checksum stand behind the data. */
const HAS_DESCRIPTOR = 0x08;
/** That, the level of compression, and names in UTF-8: no encryption, no patches, no masked headers. */
const PLAIN_FLAGS = 0x0808 | 0x06;
const STORED = 0;
const DEFLATED = 8;
/** What other programs take for a folder: its bit in DOS and its type in Unix attributes. */
const DOS_FOLDER = 0x10;
const UNIX_TYPE = 0xf000;
const UNIX_FILE = 0x8000;
const PLAIN_NAME = /^[\x20-\x5b\x5d-\x7e]{1,260}$/;

interface Member {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

/** The members of a plain zip; null for any other, and for one that is large or over its allowance. Never throws. */
export function openPlainZip({ bytes, allowance }: UnpackRequest): Opened | null {
  if (bytes.length < END_BYTES || bytes.length > ZIP_BYTES) return null;
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const members = directoryOf(zip);
  if (members === null || members.reduce((sum, { size }) => sum + size, 0) > TOTAL_BYTES) return null;
  const output = createOutput(allowance, bytes.length);
  try {
    for (const [index, member] of members.entries()) {
      const content = contentOf(zip, member, members[index + 1]?.offset ?? zip.readUInt32LE(zip.length - 6));
      if (content === null) return null;
      output.count(content.length, content.length);
      if (!member.name.endsWith('/')) output.add([member.name], content);
    }
  } catch {
    // Over the allowance, or no deflated data.
    return null;
  }
  return output.result();
}

/** The directory, which must lie between the last member and the end record, and name every member once. */
function directoryOf(zip: Buffer): readonly Member[] | null {
  const end = zip.length - END_BYTES;
  const count = zip.readUInt16LE(end + 10);
  const isWhole =
    zip.readUInt32LE(end) === END && zip.readUInt32LE(end + 4) === 0 && zip.readUInt16LE(end + 8) === count;
  const hasComment = zip.readUInt16LE(end + 20) !== 0;
  let at = zip.readUInt32LE(end + 16);
  if (!isWhole || hasComment || count === 0 || at + zip.readUInt32LE(end + 12) !== end) return null;
  const members: Member[] = [];
  const names = new Set<string>();
  while (members.length < count) {
    if (at + CENTRAL_BYTES > end || zip.readUInt32LE(at) !== CENTRAL) return null;
    const member = memberAt(zip, at);
    if (member === null || names.has(member.name.toLowerCase())) return null;
    names.add(member.name.toLowerCase());
    members.push(member);
    at += CENTRAL_BYTES + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30);
  }
  return at === end && members[0]?.offset === 0 ? members : null;
}

/** An entry of the directory; null when it is of a kind that programs take differently. */
function memberAt(zip: Buffer, at: number): Member | null {
  const nameEnd = at + CENTRAL_BYTES + zip.readUInt16LE(at + 28);
  const member = {
    name: zip.toString('latin1', at + CENTRAL_BYTES, nameEnd),
    flags: zip.readUInt16LE(at + 8),
    method: zip.readUInt16LE(at + 10),
    checksum: zip.readUInt32LE(at + 16),
    packedSize: zip.readUInt32LE(at + 20),
    size: zip.readUInt32LE(at + 24),
    offset: zip.readUInt32LE(at + 42),
  };
  const commentAndDisk = zip.readUInt32LE(at + 32);
  const isPlain =
    (member.flags & ~PLAIN_FLAGS) === 0 &&
    (member.method === STORED || member.method === DEFLATED) &&
    commentAndDisk === 0 &&
    PLAIN_NAME.test(member.name) &&
    isFileOrFolder(member, zip.readUInt32LE(at + 38)) &&
    hasPlainExtra(zip.subarray(nameEnd, nameEnd + zip.readUInt16LE(at + 30)));
  return isPlain ? member : null;
}

/** A folder is empty, and called and marked as one; whatever else is marked as one, or as a link, is not plain. */
function isFileOrFolder({ name, size }: Member, attributes: number): boolean {
  if (name.endsWith('/')) return size === 0;
  const type = (attributes >>> 16) & UNIX_TYPE;
  return (attributes & DOS_FOLDER) === 0 && (type === 0 || type === UNIX_FILE);
}

/** Times and owners; not zip64 (1), AES (0x9901) or another spelling of name and comment (0x7075, 0x6375). */
const NOT_PLAIN = new Set([0x0001, 0x9901, 0x7075, 0x6375]);

function hasPlainExtra(extra: Buffer): boolean {
  let at = 0;
  for (; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (NOT_PLAIN.has(extra.readUInt16LE(at))) return false;
  return at === extra.length;
}

/** The content of a member whose local header agrees and which ends where the next one begins. Throws what zlib throws. */
function contentOf(zip: Buffer, member: Member, next: number): Uint8Array | null {
  const at = member.offset;
  if (at + LOCAL_BYTES > zip.length || zip.readUInt32LE(at) !== LOCAL) return null;
  const nameEnd = at + LOCAL_BYTES + zip.readUInt16LE(at + 26);
  const start = nameEnd + zip.readUInt16LE(at + 28);
  const end = start + member.packedSize;
  if (end > next || next > zip.length || !agrees(zip, member)) return null;
  if (zip.toString('latin1', at + LOCAL_BYTES, nameEnd) !== member.name) return null;
  if (!hasPlainExtra(zip.subarray(nameEnd, start)) || !endsThere(zip, member, end, next)) return null;
  const packed = zip.subarray(start, end);
  // One byte more than is stated, so that a lie is seen.
  const content =
    member.method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, member.size) });
  return content.length === member.size && crc32(content) === member.checksum ? content : null;
}

/** The local header says the same; of sizes and checksum it says nothing when they stand behind the data. */
function agrees(zip: Buffer, { offset, flags, method, checksum, packedSize, size }: Member): boolean {
  if (zip.readUInt16LE(offset + 6) !== flags || zip.readUInt16LE(offset + 8) !== method) return false;
  const stated = [14, 18, 22].map((field) => zip.readUInt32LE(offset + field));
  const isStated = stated[0] === checksum && stated[1] === packedSize && stated[2] === size;
  return isStated || ((flags & HAS_DESCRIPTOR) !== 0 && stated.every((value) => value === 0));
}

/** Nothing but the descriptor stands between the data and what comes next. */
function endsThere(zip: Buffer, { flags, checksum, packedSize, size }: Member, end: number, next: number): boolean {
  if ((flags & HAS_DESCRIPTOR) === 0) return end === next;
  const from = next - end === 16 && zip.readUInt32LE(end) === DESCRIPTOR ? end + 4 : end;
  if (next - from !== 12) return false;
  return [checksum, packedSize, size].every((value, index) => zip.readUInt32LE(from + 4 * index) === value);
}
