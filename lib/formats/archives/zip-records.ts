/**
 * Reads single records of a zip (APPNOTE.TXT 4.3) at given offsets. The result is null if there is no whole record. Records are not
 * compared with each other. The readers that use them decide about a disagreement.
 */

export const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end record and the longest comment that it allows (4.3.16). */
const END_SEARCH_BYTES = END_BYTES + 0xffff;

/** General purpose bits (4.4.4). */
export const FLAG = { encrypted: 0x0001, descriptor: 0x0008, utf8: 0x0800 } as const;
export const METHOD = { stored: 0, deflated: 8 } as const;
/** Ids of extra fields (4.5.2, 4.6.1). */
export const EXTRA = { zip64: 0x0001, unicodeComment: 0x6375, unicodePath: 0x7075, aes: 0x9901 } as const;

/** The end record, which follows the members and gives the place of the directory. */
export interface EndRecord {
  readonly at: number;
  /** Both numbers of the disk. 0 in an archive that is one file. */
  readonly disks: number;
  readonly countHere: number;
  readonly count: number;
  readonly size: number;
  readonly start: number;
  readonly commentLength: number;
}

/** Returns the end record at `at`. Returns null when there is none. */
export function endRecordAt(zip: Buffer, at: number): EndRecord | null {
  if (!isRecord(zip, at, END, END_BYTES)) return null;
  return {
    at,
    disks: zip.readUInt32LE(at + 4),
    countHere: zip.readUInt16LE(at + 8),
    count: zip.readUInt16LE(at + 10),
    size: zip.readUInt32LE(at + 12),
    start: zip.readUInt32LE(at + 16),
    commentLength: zip.readUInt16LE(at + 20),
  };
}

/** Returns every end record within reach of the end of the file, the last one first. */
export function* endRecords(zip: Buffer): Generator<EndRecord> {
  const from = Math.max(0, zip.length - END_SEARCH_BYTES);
  const tail = zip.subarray(from);
  for (let at = tail.lastIndexOf(END_MARK); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(END_MARK, at - 1)) {
    const record = endRecordAt(zip, from + at);
    if (record !== null) yield record;
  }
}

const END_MARK = Buffer.from('PK\x05\x06', 'latin1');

/** The fields of a member that both the local header and the directory give. */
export interface MemberFacts {
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
  readonly rawName: Buffer;
  readonly extra: Buffer;
}

/** An entry of the directory. */
export interface CentralHeader extends MemberFacts {
  /** The system that the attributes belong to. 3 is Unix. */
  readonly system: number;
  readonly disk: number;
  readonly attributes: number;
  /** The offset of the local header. */
  readonly offset: number;
  readonly commentLength: number;
  /** The offset after its comment. */
  readonly end: number;
}

/** Returns the entry of the directory at `at`. Returns null when there is none, or only a part of one. */
export function centralHeaderAt(zip: Buffer, at: number): CentralHeader | null {
  if (!isRecord(zip, at, CENTRAL, CENTRAL_BYTES)) return null;
  const nameEnd = at + CENTRAL_BYTES + zip.readUInt16LE(at + 28);
  const extraEnd = nameEnd + zip.readUInt16LE(at + 30);
  const commentLength = zip.readUInt16LE(at + 32);
  if (extraEnd + commentLength > zip.length) return null;
  return {
    ...factsAt(zip, at + 8),
    rawName: zip.subarray(at + CENTRAL_BYTES, nameEnd),
    extra: zip.subarray(nameEnd, extraEnd),
    system: zip.readUInt8(at + 5),
    disk: zip.readUInt16LE(at + 34),
    attributes: zip.readUInt32LE(at + 38),
    offset: zip.readUInt32LE(at + 42),
    commentLength,
    end: extraEnd + commentLength,
  };
}

/** Returns true where an entry of the directory begins, whole or not. */
export function isCentralHeader(zip: Buffer, at: number): boolean {
  return isRecord(zip, at, CENTRAL, 4);
}

/** The header in front of a member. */
export interface LocalHeader extends MemberFacts {
  /** The offset after name and extra field, where the packed bytes begin. */
  readonly dataStart: number;
}

/** Returns the local header at `at`. Returns null when there is none. The end of the file may cut off its name and extra field. */
export function localHeaderAt(zip: Buffer, at: number): LocalHeader | null {
  if (!isRecord(zip, at, LOCAL, LOCAL_BYTES)) return null;
  const nameEnd = at + LOCAL_BYTES + zip.readUInt16LE(at + 26);
  const dataStart = nameEnd + zip.readUInt16LE(at + 28);
  const rawName = zip.subarray(at + LOCAL_BYTES, nameEnd);
  return { ...factsAt(zip, at + 6), rawName, extra: zip.subarray(nameEnd, dataStart), dataStart };
}

/** Returns bytes of the data descriptor behind the data of a member (4.3.9), found by the header that follows. 0 when none follows. */
export function descriptorLength(zip: Buffer, at: number): number {
  const follows = (length: number) => isRecord(zip, at + length, LOCAL, 4) || isCentralHeader(zip, at + length);
  // A checksum and two sizes of 32 or 64 bits, with or without a signature. This is too short to hide a member.
  return [12, 16, 20, 24].find(follows) ?? 0;
}

/** Returns the fields of an extra field by id, up to the first that does not fit. */
export function* extraFields(
  extra: Buffer,
): Generator<{ readonly id: number; readonly data: Buffer; readonly end: number }> {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    yield { id: extra.readUInt16LE(at), data: extra.subarray(at + 4, end), end };
    at = end;
  }
}

/** Returns the fields from the flags to the inflated size, without times. */
function factsAt(zip: Buffer, at: number) {
  return {
    flags: zip.readUInt16LE(at),
    method: zip.readUInt16LE(at + 2),
    checksum: zip.readUInt32LE(at + 8),
    packedSize: zip.readUInt32LE(at + 12),
    size: zip.readUInt32LE(at + 16),
  };
}

function isRecord(zip: Buffer, at: number, signature: number, length: number): boolean {
  return at >= 0 && at + length <= zip.length && zip.readUInt32LE(at) === signature;
}
