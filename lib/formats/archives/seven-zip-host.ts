/**
 * Runs 7-Zip as WebAssembly, loaded on first use, with the archive in its own file system in memory. It has no limits of its own. The
 * caller reads the listing first and counts bytes as they are written, because a listing can lie.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The part of the file system in the wasm memory that is used here. The package's own types leave out half of it. */
export interface MemoryFiles {
  mkdir(path: string): unknown;
  writeFile(path: string, bytes: Uint8Array): void;
  readFile(path: string): Uint8Array;
  unlink(path: string): void;
  readdir(path: string): string[];
  lstat(path: string): { readonly mode: number; readonly size: number };
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
  open(path: string, flags: string): { readonly stream_ops: StreamOperations; readonly node: MemoryNode };
}

interface StreamOperations {
  write(stream: { readonly node: MemoryNode }, buffer: Uint8Array, offset: number, length: number, at: number): number;
}

interface MemoryNode {
  readonly usedBytes: number;
  readonly node_ops: { setattr(node: unknown, attributes: { readonly size?: number }): void };
}

interface Program {
  readonly FS: MemoryFiles;
  callMain(args: string[]): number | undefined;
}

/** Called before memory is taken. An error that it throws ends this run, and every later run with the same error. */
export interface WriteGuard {
  /** Announces that `bytes` more are written, so that the file has `fileSize` bytes. */
  written(bytes: number, fileSize: number): void;
  /** Announces the size that the archive states for one file. */
  reserved?(size: number): void;
}

export interface SevenZip {
  readonly files: MemoryFiles;
  /** Runs one command, and returns its exit code and console. A crash has the worst code. Throws what the guard throws. */
  run(args: readonly string[]): { readonly code: number; readonly lines: readonly string[] };
}

/** The archive as 7-Zip sees it, and the folder into which it is unpacked. */
export const ARCHIVE = '/in/archive';
export const OUT = '/out';

/** Lines of the console that are kept. An archive may list a million members. */
const MAX_LINES = 500_000;
const CRASHED = 8;

/** The used part of WebAssembly. Node has it, but the types for Node do not declare it. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
    readonly Instance: new (module: WebAssembly.Module, imports: object) => object;
  };
};

/** It is compiled once, which takes longer than to open a small archive. Each archive has an instance and a memory of its own. */
let compiled: WebAssembly.Module | undefined;

/** Returns a new instance, with the archive in its memory. */
export async function openSevenZip(archive: Uint8Array, guard: WriteGuard): Promise<SevenZip> {
  // The package's types do not fit its CommonJS form, in which the factory is the default export.
  const { default: create } = (await import('7z-wasm')) as unknown as {
    default: (options: Record<string, unknown>) => Promise<Program>;
  };
  compiled ??= await wasm.compile(readWasm());
  const sevenZip = compiled;
  const lines: string[] = [];
  const print = (line: string) => {
    if (lines.length < MAX_LINES) lines.push(line);
  };
  const quit = (_code: number, status: unknown) => {
    throw status;
  };
  // The input is empty, because nobody answers questions.
  const instantiateWasm = (imports: object, take: (instance: object) => void) =>
    take(new wasm.Instance(sevenZip, imports));
  const program = await create({ instantiateWasm, print, printErr: print, stdin: () => null, quit });
  program.FS.mkdir('/in');
  program.FS.writeFile(ARCHIVE, archive);
  const stopped = guardWrites(program.FS, guard);
  return {
    files: program.FS,
    run(args) {
      lines.length = 0;
      const code = exitCodeOf(program, [...args]);
      if (stopped.by !== null) throw stopped.by.fault;
      return { code, lines: [...lines] };
    },
  };
}

/** Reads the wasm file. In a bundle it is beside this file, otherwise in its package. */
function readWasm(): Buffer {
  const bundled = new URL('./7zz.wasm', import.meta.url);
  return readFileSync(existsSync(bundled) ? bundled : createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm'));
}

/** Runs a command and restores the exit code of the process, which the program sets. */
function exitCodeOf(program: Program, args: string[]): number {
  const before = process.exitCode;
  try {
    return program.callMain(args) ?? 0;
  } catch {
    return CRASHED;
  } finally {
    process.exitCode = before;
  }
}

/** Calls the guard before each write. All files of the memory file system share one table of operations, so it is changed once. */
function guardWrites(files: MemoryFiles, guard: WriteGuard): { readonly by: { readonly fault: unknown } | null } {
  const state: { by: { readonly fault: unknown } | null } = { by: null };
  const ask = (question: () => void) => {
    if (state.by !== null) throw state.by.fault;
    try {
      question();
    } catch (fault) {
      state.by = { fault };
      throw fault;
    }
  };
  const { stream_ops: streams, node } = files.open(ARCHIVE, 'r');
  const { write } = streams;
  streams.write = (stream, buffer, offset, length, at, ...rest: unknown[]) => {
    ask(() => guard.written(length, stream.node.usedBytes + length));
    return (write as (...args: unknown[]) => number)(stream, buffer, offset, length, at, ...rest);
  };
  const { setattr } = node.node_ops;
  node.node_ops.setattr = (target, attributes) => {
    ask(() => guard.reserved?.(attributes.size ?? 0));
    setattr(target, attributes);
  };
  return state;
}

/** Names in a folder, without the folder itself and the one above. Empty when it is not a folder. */
export function namesIn(files: MemoryFiles, folder: string): string[] {
  try {
    return files.readdir(folder).filter((name) => name !== '.' && name !== '..');
  } catch {
    return [];
  }
}
