/**
 * Opens plain zips with Node's own zlib in this thread. Most Office files are plain, and another thread and a library cost ten times as
 * much as inflating them. Every program reads a plain zip in the same way (APPNOTE.TXT 4.3). Its members follow each other without a gap
 * from the first byte to the directory. Its local headers agree with the directory, and its sizes and checksums are true. Any other zip is
 * not refused: zip.ts opens it, and judges it by two readings.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { asBuffer } from '../byte-scan.ts';
import { createOutput } from './collect.ts';
import type { Allowance, Unpacked, UnpackRequest } from './unpacking.ts';
import {
  type CentralHeader,
  centralHeaderAt,
  END_BYTES,
  EXTRA,
  endRecordAt,
  extraFields,
  FLAG,
  type LocalHeader,
  localHeaderAt,
  METHOD,
} from './zip-records.ts';

/** The most bytes of the zip, and of everything in it. Larger zips would block this thread. */
const ZIP_BYTES = 2 * 1024 * 1024;
const TOTAL_BYTES = 4 * 1024 * 1024;
/** The same for a zip that our disarm wrote, which is opened once before it is delivered. */
const WRITTEN_ZIP_BYTES = 64 * 1024 * 1024;
const WRITTEN_TOTAL_BYTES = 256 * 1024 * 1024;

const DESCRIPTOR = 0x08074b50;
/** The flags of a plain zip, with the level of compression. Encryption, patches and masked headers are not among them. */
const PLAIN_FLAGS = FLAG.descriptor | FLAG.utf8 | 0x06;
/** The marks of a folder: the bit in DOS attributes and the type in Unix attributes. */
const DOS_FOLDER = 0x10;
const UNIX_TYPE = 0xf000;
const UNIX_FILE = 0x8000;
const PLAIN_NAME = /^[\x20-\x5b\x5d-\x7e]{1,260}$/;
const WRITTEN_NAME = /^[^\\\p{Cc}\p{Cf}\p{Cs}\ufffd]{1,4000}$/u;

interface Member extends CentralHeader {
  readonly name: string;
}

/** Returns the members of a plain zip. Returns null for any other zip, and for one that is large or over its allowance. Never throws. */
export function openPlainZip({ bytes, allowance }: Pick<UnpackRequest, 'bytes' | 'allowance'>): Unpacked | null {
  return open(bytes, allowance, { zipBytes: ZIP_BYTES, totalBytes: TOTAL_BYTES, nameOf: plainNameOf });
}

/** Does the same for a zip that was written here. It may be larger, and its names may be UTF-8 where its flags say so. */
export function openWrittenZip({ bytes, allowance }: Pick<UnpackRequest, 'bytes' | 'allowance'>): Unpacked | null {
  return open(bytes, allowance, {
    zipBytes: WRITTEN_ZIP_BYTES,
    totalBytes: WRITTEN_TOTAL_BYTES,
    nameOf: writtenNameOf,
  });
}

interface Accepted {
  readonly zipBytes: number;
  readonly totalBytes: number;
  /** Returns the name of an entry, or null when programs may read it differently. */
  readonly nameOf: (header: CentralHeader) => string | null;
}

function plainNameOf({ rawName }: CentralHeader): string | null {
  const name = rawName.toString('latin1');
  return PLAIN_NAME.test(name) ? name : null;
}

function writtenNameOf(header: CentralHeader): string | null {
  const name = header.rawName.toString('utf8');
  return (header.flags & FLAG.utf8) !== 0 && WRITTEN_NAME.test(name) ? name : plainNameOf(header);
}

function open(bytes: Uint8Array, allowance: Allowance, accepted: Accepted): Unpacked | null {
  if (bytes.length > accepted.zipBytes) return null;
  const zip = asBuffer(bytes);
  const directory = directoryOf(zip, accepted);
  if (directory === null || directory.members.reduce((sum, { size }) => sum + size, 0) > accepted.totalBytes)
    return null;
  const { members, start } = directory;
  const output = createOutput(allowance, bytes.length);
  try {
    for (const [index, member] of members.entries()) {
      const content = contentOf(zip, member, members[index + 1]?.offset ?? start);
      if (content === null) return null;
      output.count(content.length, content.length);
      if (!member.name.endsWith('/')) output.add([member.name], content);
    }
  } catch {
    // The zip is over the allowance, or its data is not deflated.
    return null;
  }
  return output.result();
}

interface Directory {
  readonly members: readonly Member[];
  readonly start: number;
}

/** Returns the directory, which must be between the last member and the end record, and name every member once. */
function directoryOf(zip: Buffer, { nameOf }: Accepted): Directory | null {
  const end = endRecordAt(zip, zip.length - END_BYTES);
  if (end === null || end.disks !== 0 || end.countHere !== end.count || end.commentLength !== 0) return null;
  if (end.count === 0 || end.start + end.size !== end.at) return null;
  const members: Member[] = [];
  const names = new Set<string>();
  let at = end.start;
  while (members.length < end.count) {
    const header = centralHeaderAt(zip, at);
    const name = header && nameOf(header);
    if (header === null || name === null || !isPlain(header, name) || names.has(name.toLowerCase())) return null;
    names.add(name.toLowerCase());
    members.push({ ...header, name });
    at = header.end;
  }
  return at === end.at && members[0]?.offset === 0 ? { members, start: end.start } : null;
}

/** Returns false for an entry of a kind that programs take differently. */
function isPlain(header: CentralHeader, name: string): boolean {
  return (
    (header.flags & ~PLAIN_FLAGS) === 0 &&
    (header.method === METHOD.stored || header.method === METHOD.deflated) &&
    header.commentLength === 0 &&
    header.disk === 0 &&
    isFileOrFolder(header, name) &&
    hasPlainExtra(header.extra)
  );
}

/**
 * Returns whether a folder is plain: it is empty, and has the name and the marks of a folder. Anything else that is marked as a folder or a
 * link is not plain.
 */
function isFileOrFolder({ size, attributes }: CentralHeader, name: string): boolean {
  if (name.endsWith('/')) return size === 0;
  const type = (attributes >>> 16) & UNIX_TYPE;
  return (attributes & DOS_FOLDER) === 0 && (type === 0 || type === UNIX_FILE);
}

/** Extra fields that no plain zip has: zip64, AES, and other spellings of name and comment. Times and owners are allowed. */
const NOT_PLAIN: ReadonlySet<number> = new Set(Object.values(EXTRA));

function hasPlainExtra(extra: Buffer): boolean {
  let used = 0;
  for (const { id, end } of extraFields(extra)) {
    if (NOT_PLAIN.has(id)) return false;
    used = end;
  }
  return used === extra.length;
}

/** Returns the content of a member whose local header agrees, and which ends where the next one begins. Throws the errors of zlib. */
function contentOf(zip: Buffer, member: Member, next: number): Uint8Array | null {
  const header = localHeaderAt(zip, member.offset);
  if (header === null) return null;
  const end = header.dataStart + member.packedSize;
  if (end > next || next > zip.length || !agrees(header, member)) return null;
  if (!hasPlainExtra(header.extra) || !endsThere(zip, member, end, next)) return null;
  const packed = zip.subarray(header.dataStart, end);
  // zlib throws when the content is longer than stated.
  const content =
    member.method === METHOD.stored ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, member.size) });
  return content.length === member.size && crc32(content) === member.checksum ? content : null;
}

/** Returns true when the local header agrees with the directory. It has no sizes and no checksum when they follow the data. */
function agrees(header: LocalHeader, { flags, method, checksum, packedSize, size, rawName }: Member): boolean {
  if (header.flags !== flags || header.method !== method || !header.rawName.equals(rawName)) return false;
  const stated = [header.checksum, header.packedSize, header.size];
  const isStated = stated[0] === checksum && stated[1] === packedSize && stated[2] === size;
  return isStated || ((flags & FLAG.descriptor) !== 0 && stated.every((value) => value === 0));
}

/** Returns true when only the descriptor is between the data and the next member. */
function endsThere(zip: Buffer, { flags, checksum, packedSize, size }: Member, end: number, next: number): boolean {
  if ((flags & FLAG.descriptor) === 0) return end === next;
  const from = next - end === 16 && zip.readUInt32LE(end) === DESCRIPTOR ? end + 4 : end;
  if (next - from !== 12) return false;
  return [checksum, packedSize, size].every((value, index) => zip.readUInt32LE(from + 4 * index) === value);
}
