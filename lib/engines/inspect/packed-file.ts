/**
 * Inspects a gzip file (RFC 1952). It may be delivered only as a single stream to its last byte. Its header holds nothing but a name, and
 * the stream ends where its checksum begins. The stream is the output of zlib for its content, and no program finds another archive in its
 * bytes.
 */
import { crc32, deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib';
import { deflateRaw } from 'pako';
import type { ArchiveFile } from './archive.ts';
import { type Findings, InspectionError } from './fact.ts';
import { holdsAnother } from './foreign-marks.ts';
import type { InflateBudget } from './zip-scan.ts';

const HEADER = Buffer.from([0x1f, 0x8b, 0x08]);
const STREAM_AT = 10;
const TRAILER = 8;
const WITH_NAME = 0x08;
/** Above the first size, a file that expands more often than the ratio is a bomb. */
const BOMB_BYTES = 1024 * 1024;
const BOMB_RATIO = 1_000;
/** Letters, digits and signs that every program shows as they are. */
const PLAIN_NAME = /^(?!\.)[\w!#$&'()+,.=@[\]^{}~ -]{1,200}$/;
const EXTENSION = /\.([a-z0-9]{1,20})$/i;

/**
 * The levels and memory sizes of zlib that programs use, the frequent ones first. A person who packs a file by hand can choose codes and
 * blocks so that the packed bytes are a script. Such a person can also hide bytes that no program unpacks. The output of zlib follows from
 * the content alone.
 */
const LEVELS = [6, 9, 1, 5, 7, 8, 4, 3, 2] as const;
const MEMORY_LEVELS = [8, 9] as const;
const SETTINGS = LEVELS.flatMap((level) => MEMORY_LEVELS.map((memLevel) => ({ level, memLevel })));
/** The bytes that are packed for one file, of any size. It would take seconds to try all settings on a large file. */
const TRIED_BYTES = 24 * 1024 * 1024;

/** Returns the file in a gzip. With findings, it is searched; without, it is only unpacked. */
export function readPackedFile(
  bytes: Uint8Array,
  untrustedName: string,
  budget: InflateBudget,
  findings: Findings | null,
): readonly ArchiveFile[] {
  const name = untrustedName.replace(/\.gz$/i, '');
  if (findings === null) return [{ name, bytes: unpacked(() => gunzipSync(bytes, bounded(budget)), budget) }];
  return [{ name, bytes: searched(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), name, budget, findings) }];
}

const bounded = ({ left }: InflateBudget) => ({ maxOutputLength: Math.max(1, left) });

function unpacked(unpack: () => Buffer, budget: InflateBudget): Buffer {
  try {
    const content = unpack();
    budget.left -= content.length;
    return content;
  } catch (error) {
    throw new InspectionError(error instanceof RangeError ? 'gzip-bomb' : 'gzip-unreadable', 'gzip');
  }
}

function searched(file: Buffer, name: string, budget: InflateBudget, findings: Findings): Uint8Array {
  const extension = EXTENSION.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) findings.add('gzip-unnamed', 'gzip');
  const flags = file[3] ?? 0xff;
  if (!file.subarray(0, HEADER.length).equals(HEADER) || (flags & ~WITH_NAME) !== 0)
    throw new InspectionError('gzip-header', 'gzip');
  const streamAt = flags === WITH_NAME ? behindName(file, extension, findings) : STREAM_AT;
  const end = file.length - TRAILER;
  let read = -1;
  const content = unpacked(() => {
    const options = { ...bounded(budget), info: true };
    const { buffer, engine } = inflateRawSync(file.subarray(streamAt, Math.max(streamAt, end)), options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    read = engine.bytesWritten;
    return buffer;
  }, budget);
  if (streamAt + read !== end) findings.add('gzip-data-behind', 'gzip');
  else if (file.readUInt32LE(end) !== crc32(content) || file.readUInt32LE(end + 4) !== content.length)
    findings.add('gzip-two-stories', 'gzip');
  if (content.length > BOMB_BYTES && content.length > file.length * BOMB_RATIO) findings.add('gzip-bomb', 'gzip');
  if (holdsAnother(file)) findings.add('gzip-second-file', 'gzip');
  if (!isOfZlib(file.subarray(streamAt, Math.max(streamAt, end)), content)) findings.add('gzip-odd-packing', 'gzip');
  return content;
}

/** Returns whether zlib packs this content into this stream: the zlib of Node, with which we pack, or the zlib of most programs. */
function isOfZlib(stream: Buffer, content: Uint8Array): boolean {
  const tries = Math.floor(TRIED_BYTES / Math.max(1, content.length));
  const isMade = (pack: typeof deflateRaw, most: number) =>
    SETTINGS.slice(0, most).some((setting) => stream.equals(pack(content, setting)));
  // Files that we packed have the first setting, at any size.
  return isMade(deflateRawSync, Math.max(1, tries)) || isMade(deflateRaw, tries);
}

/** Returns where the stream begins, behind the stored name. That name must be the same as the name of the file. */
function behindName(file: Buffer, extension: string | undefined, findings: Findings): number {
  const end = file.indexOf(0, STREAM_AT);
  const stored = file.toString('latin1', STREAM_AT, Math.max(STREAM_AT, end));
  const isSame = EXTENSION.exec(stored)?.[1]?.toLowerCase() === extension;
  if (!PLAIN_NAME.test(stored) || !isSame) findings.add('gzip-stored-name', 'gzip');
  return end + 1;
}
