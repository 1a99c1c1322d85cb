/** Members of a zip archive. It is read strictly first. If tools could disagree about it, only its central directory is used. */
import type { Entry, FileEntry } from '@zip.js/zip.js';
import { zipEntries } from '../../../formats/archives/zip-entries.ts';
import { type ArchiveMember, noContent } from '../../archives/member.ts';
import { unpackArchive } from '../../archives/seven-zip.ts';
import { EngineError, type FileInput } from '../../engine.ts';
import type { Nested } from '../disarm-module.ts';
import { hasHiddenBytes } from '../office/package/layout.ts';
import { packedBytes, unpackEntry } from '../office/package/zip-read.ts';
import type { RemovalLog } from '../removals.ts';

/** Below this an entry cannot be a bomb by itself, at any ratio. */
const RATIO_FREE_BYTES = 1024 * 1024;
/** Stored, deflate, deflate64: what the zip library inflates. */
const OWN_METHODS = new Set([0, 8, 9, 99]);
const PLAIN_METHODS = new Set([0, 8]);
/** bzip2, LZMA, Zstandard, xz and PPMd: read by 7-Zip, after the directory was checked. */
const OTHER_METHODS = new Set([12, 14, 93, 95, 98]);
const UNIX = 3;
const FILE_TYPE_MASK = 0o170000;
const FILE_TYPES: ReadonlySet<number> = new Set([0, 0o100000, 0o040000]);

/**
 * Lists the members. Throws EngineError: `encrypted` without the password, `oversize` (entries, declared sizes, ratio),
 * `unreadable`, `unsupported` for a method nobody knows.
 */
export async function readZip(input: FileInput, nested: Nested, log: RemovalLog): Promise<ArchiveMember[]> {
  const strict = await zipEntries(input.bytes, 'strict');
  const entries = strict ?? (await zipEntries(input.bytes, 'tolerant'));
  if (entries === null) throw new EngineError('unreadable', 'the archive cannot be read');
  checkEntries(entries, nested, input.password);
  if (strict === null || hasHiddenBytes(input.bytes, strict)) log.note('hidden or contradictory data', 'archive');
  if (entries.some(({ compressionMethod }) => !OWN_METHODS.has(compressionMethod))) {
    return unpackArchive(input, 'zip', nested);
  }
  checkOverlaps(input.bytes, entries);
  return entries.map((entry) => memberOf(entry, { input, nested }));
}

function checkEntries(entries: readonly Entry[], nested: Nested, password: string | null): void {
  let total = 0;
  for (const entry of entries) {
    total += entry.uncompressedSize;
    const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
    if (entry.uncompressedSize > RATIO_FREE_BYTES && ratio > nested.limits.ratio) {
      throw new EngineError('oversize', 'a member of the archive expands like a decompression bomb');
    }
  }
  nested.afford(entries.length, total);
  if (password === null && entries.some(({ encrypted }) => encrypted)) {
    throw new EngineError('encrypted', 'the archive needs a password');
  }
  if (entries.some(({ compressionMethod: method }) => !OWN_METHODS.has(method) && !OTHER_METHODS.has(method))) {
    throw new EngineError('unsupported', 'a member of the archive is packed with a method that is not known');
  }
}

/** Refuses overlapping members. Two members in the same place are a bomb, or one file under two names. */
function checkOverlaps(bytes: Uint8Array, entries: readonly Entry[]): void {
  let end = 0;
  for (const entry of [...entries].sort((one, other) => one.offset - other.offset)) {
    if (entry.directory) continue;
    const data = packedBytes(bytes, entry);
    if (entry.offset < end) throw new EngineError('unreadable', 'members of the archive lie over each other');
    end = data.byteOffset - bytes.byteOffset + data.length;
  }
}

interface Source {
  readonly input: FileInput;
  readonly nested: Nested;
}

function memberOf(entry: Entry, source: Source): ArchiveMember {
  const fileType = entry.versionMadeBy >> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK : 0;
  const isLink = entry.symlink || !FILE_TYPES.has(fileType);
  if (entry.directory) return { untrustedName: entry.filename, kind: isLink ? 'link' : 'folder', read: noContent };
  const file: FileEntry = entry;
  return {
    untrustedName: entry.filename,
    kind: isLink ? 'link' : 'file',
    read: () =>
      file.encrypted || !PLAIN_METHODS.has(file.compressionMethod) ? inflate(file, source) : unpack(file, source),
  };
}

/** Unpacks with the platform's own zlib. Otherwise an archive of thousands of small files would take as many turns of the event loop. */
async function unpack(entry: FileEntry, { input, nested }: Source): Promise<Uint8Array> {
  const content = await unpackEntry(input.bytes, entry).catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, 'a member of the archive cannot be unpacked');
  });
  nested.spend(0, content.length);
  return content;
}

async function inflate(entry: FileEntry, { input: { password }, nested }: Source): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let spent: unknown = null;
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      try {
        // Declared sizes were checked before. This stops an entry that lied about its size.
        nested.spend(0, chunk.length);
      } catch (error) {
        spent = error;
        throw error;
      }
      chunks.push(chunk);
    },
  });
  const secret = entry.encrypted && password !== null ? { password } : {};
  try {
    await entry.getData(sink, { strictness: 'tolerant', checkCrc32: true, checkOverlappingEntry: true, ...secret });
  } catch (error) {
    if (spent !== null) throw spent;
    if (entry.encrypted && error instanceof Error && /password|signature/i.test(error.message)) {
      throw new EngineError('encrypted', 'the password does not open the archive');
    }
    throw new EngineError('unreadable', 'a member of the archive cannot be unpacked');
  }
  return Buffer.concat(chunks);
}
