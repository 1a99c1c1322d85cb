/**
 * Unpacks archives that 7-Zip unpacks without complaint. It lists an archive first, refuses it by its declared totals, and counts the bytes
 * as they are written.
 */
import { ARCHIVE, type MemoryFiles, namesIn, OUT, openSevenZip } from '../../formats/archives/seven-zip-host.ts';
import { EngineError, type FileInput } from '../engine.ts';
import { type ArchiveMember, noContent } from './member.ts';
import type { UnpackBudget } from './unpack-budget.ts';

/**
 * Formats as 7-Zip names them. One is always given, because 7-Zip would otherwise open anything it finds inside the bytes. `*` asks for
 * exactly that, for the static engine: a disk image is a file system in a partition in a disk.
 */
export type SevenZipFormat =
  | ('zip' | '7z' | 'rar' | 'rar5' | 'tar' | 'gzip' | 'bzip2' | 'xz' | '*')
  | ('cab' | 'wim' | 'arj' | 'lzh' | 'chm' | 'zstd' | 'udf');

/** Below this size no archive is a bomb, at any ratio. */
const RATIO_FREE_BYTES = 4 * 1024 * 1024;
/** 7-Zip asks on the terminal when it has none. A wrong one ends as "wrong password". */
const NO_PASSWORD = '-';

/**
 * Unpacks an archive in memory. Throws EngineError: `encrypted` when the password is missing or wrong, `oversize` for bombs,
 * `unreadable` for everything 7-Zip does not unpack without complaint (damage, missing volumes).
 */
export async function unpackArchive(
  input: FileInput,
  format: SevenZipFormat,
  budget: UnpackBudget,
): Promise<ArchiveMember[]> {
  let allowed = Number.POSITIVE_INFINITY;
  const program = await openSevenZip(input.bytes, {
    written: (bytes) => budget.spend(0, bytes),
    reserved: (size) => {
      if (size > allowed) throw new EngineError('oversize', 'a member of the archive is too large');
    },
  });
  const secret = `-p${input.password ?? NO_PASSWORD}`;
  const options = [...(format === '*' ? [] : [`-t${format}`]), '-sccUTF-8', '-y', secret];
  const listing = program.run(['l', '-slt', ...options, '--', ARCHIVE]);
  if (listing.code !== 0) throw failure(listing.lines, input);
  checkListing(listing.lines, input, budget);
  allowed = budget.limits.inflatedBytes;
  const unpacking = program.run(['x', '-aou', `-o${OUT}`, ...options, '--', ARCHIVE]);
  if (unpacking.code !== 0) throw failure(unpacking.lines, input);
  program.files.unlink(ARCHIVE);
  const members: ArchiveMember[] = [];
  collect(program.files, OUT, '', members, budget);
  return members;
}

function checkListing(lines: readonly string[], input: FileInput, budget: UnpackBudget): void {
  const start = lines.indexOf('----------');
  const body = start === -1 ? [] : lines.slice(start + 1);
  const sizes = body.filter((line) => line.startsWith('Size = ')).map((line) => Number(line.slice(7)) || 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  budget.afford(sizes.length, total);
  if (total > RATIO_FREE_BYTES && total / Math.max(1, input.bytes.length) > budget.limits.ratio) {
    throw new EngineError('oversize', 'the archive expands like a decompression bomb');
  }
  if (input.password === null && body.includes('Encrypted = +')) {
    throw new EngineError('encrypted', 'the archive needs a password');
  }
}

function failure(lines: readonly string[], input: FileInput): EngineError {
  if (lines.some((line) => /wrong password|encrypted archive|data error in encrypted/i.test(line))) {
    const why = input.password === null ? 'the archive needs a password' : 'the password does not open the archive';
    return new EngineError('encrypted', why);
  }
  if (lines.some((line) => /can't allocate|not enough memory/i.test(line))) {
    return new EngineError('oversize', 'the archive needs more memory to unpack than it is given');
  }
  return new EngineError('unreadable', 'the archive is damaged, incomplete or not what it says it is');
}

function collect(
  files: MemoryFiles,
  folder: string,
  prefix: string,
  members: ArchiveMember[],
  budget: UnpackBudget,
): void {
  for (const name of namesIn(files, folder).sort()) {
    const path = `${folder}/${name}`;
    const untrustedName = `${prefix}${name}`;
    const { mode } = files.lstat(path);
    if (members.length >= budget.limits.entries) throw new EngineError('oversize', 'the archive has too many members');
    if (files.isDir(mode)) {
      const before = members.length;
      collect(files, path, `${untrustedName}/`, members, budget);
      if (members.length === before) members.push({ untrustedName, kind: 'folder', read: noContent });
    } else {
      const kind = files.isFile(mode) ? 'file' : 'link';
      members.push({ untrustedName, kind, read: async () => files.readFile(path) });
    }
  }
}
