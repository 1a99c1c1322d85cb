/**
 * 7-Zip (wasm), loaded on first use. It has no limits of its own, so the archive is listed first and refused by its declared totals,
 * and what is written while unpacking is counted as it is written: headers lie.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EngineError, type FileInput } from '../../engine.ts';
import type { Nested } from '../disarm-module.ts';
import type { ArchiveMember } from './archive-rebuild.ts';

/**
 * Formats as 7-Zip names them. Always given: it would otherwise open whatever it finds inside the bytes. `*` asks for just that, for
 * the static engine: a disk image is a file system in a partition in a disk.
 */
export type SevenZipFormat =
  | ('zip' | '7z' | 'rar' | 'rar5' | 'tar' | 'gzip' | 'bzip2' | 'xz' | '*')
  | ('cab' | 'wim' | 'arj' | 'lzh' | 'chm' | 'zstd' | 'udf');

/** Below this an archive is no bomb, whatever its ratio. */
const RATIO_FREE_BYTES = 4 * 1024 * 1024;
/** 7-Zip asks on the terminal when it has none; a wrong one ends as "wrong password". */
const NO_PASSWORD = '-';
const ARCHIVE = '/in/archive';
const OUT = '/out';

interface Stat {
  readonly mode: number;
  readonly size: number;
}

/** What is used of the file system in the wasm memory; the package's own types leave out half of it. */
interface MemoryFiles {
  mkdir(path: string): unknown;
  writeFile(path: string, bytes: Uint8Array): void;
  readFile(path: string): Uint8Array;
  unlink(path: string): void;
  readdir(path: string): string[];
  lstat(path: string): Stat;
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
  open(
    path: string,
    flags: string,
  ): {
    readonly stream_ops: { write: (...args: unknown[]) => number };
    readonly node: { readonly node_ops: { setattr: (node: unknown, attributes: { size?: number }) => void } };
  };
}

interface SevenZip {
  readonly FS: MemoryFiles;
  callMain(args: string[]): number | undefined;
}

type SevenZipFactory = (options: Record<string, unknown>) => Promise<SevenZip>;

let wasm: Buffer | undefined;

/**
 * Unpacks an archive in memory. Throws EngineError: `encrypted` when the password is missing or wrong, `oversize` for bombs,
 * `unreadable` for everything 7-Zip does not unpack without complaint (damage, missing volumes).
 */
export async function unpackArchive(
  input: FileInput,
  format: SevenZipFormat,
  nested: Nested,
): Promise<ArchiveMember[]> {
  const output: string[] = [];
  const program = await load((line) => {
    if (output.length < 500_000) output.push(line);
  });
  const files = program.FS;
  files.mkdir('/in');
  files.writeFile(ARCHIVE, input.bytes);
  const secret = `-p${input.password ?? NO_PASSWORD}`;
  const options = [...(format === '*' ? [] : [`-t${format}`]), '-sccUTF-8', '-y', secret];
  const listed = run(program, ['l', '-slt', ...options, '--', ARCHIVE]);
  checkListing(output.splice(0), { input, nested, hasFailed: listed !== 0 });
  const spent = countWrites(files, nested);
  const unpacked = run(program, ['x', '-aou', `-o${OUT}`, ...options, '--', ARCHIVE]);
  if (spent.error !== null) throw spent.error;
  if (unpacked !== 0) throw failure(output, input);
  files.unlink(ARCHIVE);
  const members: ArchiveMember[] = [];
  collect(files, OUT, '', members, nested);
  return members;
}

async function load(print: (line: string) => void): Promise<SevenZip> {
  const require = createRequire(import.meta.url);
  const factory = require('7z-wasm') as SevenZipFactory;
  wasm ??= readFileSync(require.resolve('7z-wasm/7zz.wasm'));
  return factory({
    wasmBinary: wasm,
    print,
    printErr: print,
    // Nobody is there to answer a question.
    stdin: () => null,
    quit: (_code: number, status: unknown) => {
      throw status;
    },
  });
}

/** The exit code; anything thrown counts as the worst. The program sets the exit code of the process, which is not its to set. */
function run(program: SevenZip, args: string[]): number {
  const before = process.exitCode;
  try {
    return program.callMain(args) ?? 0;
  } catch {
    return 8;
  } finally {
    process.exitCode = before;
  }
}

interface Listing {
  readonly input: FileInput;
  readonly nested: Nested;
  readonly hasFailed: boolean;
}

function checkListing(lines: readonly string[], { input, nested, hasFailed }: Listing): void {
  if (hasFailed) throw failure(lines, input);
  const start = lines.indexOf('----------');
  const body = start === -1 ? [] : lines.slice(start + 1);
  const sizes = body.filter((line) => line.startsWith('Size = ')).map((line) => Number(line.slice(7)) || 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  nested.afford(sizes.length, total);
  if (total > RATIO_FREE_BYTES && total / Math.max(1, input.bytes.length) > nested.limits.ratio) {
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

/** Counts every byte that is written and every size that is reserved, before memory is taken for it. */
function countWrites(files: MemoryFiles, nested: Nested): { readonly error: unknown } {
  const state: { error: unknown } = { error: null };
  const allowed = nested.limits.inflatedBytes;
  const guard = (work: () => void) => {
    if (state.error !== null) throw state.error;
    try {
      work();
    } catch (error) {
      state.error = error;
      throw error;
    }
  };
  const { stream_ops: streams, node } = files.open(ARCHIVE, 'r');
  const { write } = streams;
  streams.write = (...args) => {
    // The fourth argument is the length; see the file system of Emscripten.
    guard(() => nested.spend(0, typeof args[3] === 'number' ? args[3] : 0));
    return write(...args);
  };
  const { setattr } = node.node_ops;
  node.node_ops.setattr = (target, attributes) => {
    guard(() => {
      if ((attributes.size ?? 0) > allowed) throw new EngineError('oversize', 'a member of the archive is too large');
    });
    setattr(target, attributes);
  };
  return state;
}

function collect(files: MemoryFiles, folder: string, prefix: string, members: ArchiveMember[], nested: Nested): void {
  let names: string[];
  try {
    names = files.readdir(folder);
  } catch {
    return;
  }
  for (const name of names.filter((each) => each !== '.' && each !== '..').sort()) {
    const path = `${folder}/${name}`;
    const untrustedName = `${prefix}${name}`;
    const { mode } = files.lstat(path);
    if (members.length >= nested.limits.entries) throw new EngineError('oversize', 'the archive has too many members');
    if (files.isDir(mode)) {
      const before = members.length;
      collect(files, path, `${untrustedName}/`, members, nested);
      if (members.length === before) members.push({ untrustedName, kind: 'folder', read: noContent });
    } else {
      const kind = files.isFile(mode) ? 'file' : 'link';
      members.push({ untrustedName, kind, read: async () => files.readFile(path) });
    }
  }
}

async function noContent(): Promise<Uint8Array> {
  return new Uint8Array();
}
