/**
 * Archives that only 7-Zip knows, by its WebAssembly build. It has no limits of its own: the listing is read first and refused by
 * its totals, and every write into its memory file system is counted, because a listing can lie.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SevenZipModule, SevenZipModuleFactory } from '7z-wasm';
import type { Opened, UnpackRequest } from '../message/containers/container.ts';
import { createOutput, type Output, OverBudget, passwordsWithin, refuseTotals } from './collect.ts';
import { nameWithin } from './single-name.ts';

const ARCHIVE = '/in';
const FOLDER = '/out';
/** What 7-Zip calls the only file of a format without names. */
const UNNAMED = /^in~?$/;
/** Folders in folders: a hostile tree must not exhaust the stack. Characters of a path. */
const MOST_PATH = 2_000;
/** The console of 7-Zip, of an archive with a million members. */
const LISTING_LINES = 400_000;
/** How 7-Zip says that a password does not fit: by itself, or by what came out. */
const WRONG_PASSWORD = /Wrong password|encrypted archive|Data Error in encrypted file|password is incorrect/i;
const DAMAGED =
  /(?:Data|CRC|Headers?) Error|Unexpected end|Can(?:not|'t) open|Is not archive|Errors?:|Missing volume|Unavailable/i;

/** Never throws on content. */
export async function openWithSevenZip(request: UnpackRequest): Promise<Opened> {
  const { allowance, bytes } = request;
  const output = createOutput(allowance, bytes.length);
  try {
    const loaded = await load(bytes, output);
    const listing = firstListing(loaded, request);
    if (listing === 'encrypted') return output.result(CLOSED);
    if (listing.members === 0 && listing.isDamaged) return output.result(DAMAGE);
    refuseTotals(allowance, bytes.length, listing);
    const password = listing.isEncrypted ? passwordOf(loaded, listing, request) : null;
    const extraction = run(loaded, ['x', '-y', '-aou', `-p${password ?? ''}`, `-o${FOLDER}`, ARCHIVE]);
    const isClosed = listing.isEncrypted && password === null;
    // What a wrong password leaves is noise, not a member.
    collect(loaded, output, request, (path) => !isClosed || listing.openPaths.has(path));
    if (isClosed) return output.result(CLOSED);
    return output.result({ ...(extraction.isDamaged ? DAMAGE : {}), untrustedPassword: password });
  } catch (error) {
    if (error instanceof OverBudget) return output.result({ outcome: 'over_budget', detail: error.message });
    throw error;
  }
}

const CLOSED = { outcome: 'encrypted', detail: 'an archive that needs a password' } as const;
const DAMAGE = { outcome: 'damaged', detail: 'an archive that is damaged, or none at all' } as const;

interface Loaded {
  readonly module: SevenZipModule;
  readonly lines: string[];
  /** Set when a write was refused. 7-Zip reports only that writing failed. */
  over: OverBudget | null;
}

let wasmBinary: ArrayBuffer | null = null;

/** The wasm lies beside this file in a bundle, else in its package. */
function readWasm(): ArrayBuffer {
  const bundled = new URL('./7zz.wasm', import.meta.url);
  const bytes = readFileSync(
    existsSync(bundled) ? bundled : createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm'),
  );
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

async function load(bytes: Uint8Array, output: Output): Promise<Loaded> {
  // The package's types describe a module that its CommonJS form is not: the factory is the default export.
  const { default: create } = (await import('7z-wasm')) as unknown as { default: SevenZipModuleFactory };
  wasmBinary ??= readWasm();
  const lines: string[] = [];
  const keep = (line: string) => {
    if (lines.length < LISTING_LINES) lines.push(line);
  };
  const module = await create({ wasmBinary, print: keep, printErr: keep, stdin: () => null as unknown as number });
  module.FS.writeFile(ARCHIVE, bytes);
  const loaded: Loaded = { module, lines, over: null };
  countWrites(loaded, output);
  return loaded;
}

interface MemoryOps {
  write(
    stream: { node: { usedBytes: number } },
    buffer: Uint8Array,
    offset: number,
    length: number,
    at: number,
  ): number;
}

/** Every file of the memory file system shares one table of operations. */
function countWrites(loaded: Loaded, output: Output): void {
  const { FS } = loaded.module as unknown as {
    FS: { open(path: string, mode: string): { stream_ops: MemoryOps }; ErrnoError: new (code: number) => Error };
  };
  const operations = FS.open(ARCHIVE, 'r').stream_ops;
  const write = operations.write;
  operations.write = (stream, buffer, offset, length, at, ...rest: unknown[]) => {
    try {
      output.count(length, stream.node.usedBytes + length);
    } catch (error) {
      loaded.over = error as OverBudget;
      throw new FS.ErrnoError(NO_SPACE);
    }
    return (write as (...args: unknown[]) => number)(stream, buffer, offset, length, at, ...rest);
  };
}
const NO_SPACE = 51;

/** Runs 7-Zip; its console since. A fault of its own counts as damage. Throws OverBudget. */
function run(loaded: Loaded, args: string[]): { readonly text: string; readonly isDamaged: boolean } {
  loaded.lines.length = 0;
  let code: unknown;
  try {
    code = loaded.module.callMain(args);
  } catch {
    code = 'fault';
  }
  if (loaded.over !== null) throw loaded.over;
  const text = loaded.lines.join('\n');
  return { text, isDamaged: code !== 0 || DAMAGED.test(text) };
}

interface Listed {
  readonly members: number;
  readonly bytes: number;
  readonly isDamaged: boolean;
  readonly isEncrypted: boolean;
  /** The password that opened the directory; null when it is open. */
  readonly password: string | null;
  /** Paths of members that need no password. */
  readonly openPaths: ReadonlySet<string>;
}

/** The listing; with an encrypted directory, by the first password that opens it. */
function firstListing(loaded: Loaded, request: UnpackRequest): Listed | 'encrypted' {
  const plain = run(loaded, ['l', '-slt', '-p', ARCHIVE]);
  if (!WRONG_PASSWORD.test(plain.text)) return listed(plain, null);
  for (const password of passwordsWithin(request)) {
    const attempt = run(loaded, ['l', '-slt', `-p${password}`, ARCHIVE]);
    if (!WRONG_PASSWORD.test(attempt.text)) return listed(attempt, password);
  }
  return 'encrypted';
}

function listed({ text, isDamaged }: { text: string; isDamaged: boolean }, password: string | null): Listed {
  // Below the line, members are apart by a blank line. A format without names has no paths.
  const start = text.indexOf('\n----------');
  const entries = start < 0 ? [] : text.slice(start).split('\n\n');
  const members = entries.filter((entry) => /^Size = /m.test(entry) && !/^Folder = \+/m.test(entry));
  const sizes = [...text.matchAll(/^Size = (\d{1,15})$/gm)].map((match) => Number(match[1]));
  const open = members.filter((entry) => !/^Encrypted = \+/m.test(entry));
  return {
    members: members.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    isDamaged,
    isEncrypted: open.length < members.length,
    password,
    openPaths: new Set(open.map((entry) => /^Path = (.*)$/m.exec(entry)?.[1] ?? '')),
  };
}

/** The password that every member of a listed archive opens with; null when none does. Writes nothing. */
function passwordOf(loaded: Loaded, listing: Listed, request: UnpackRequest): string | null {
  if (listing.password !== null) return listing.password;
  for (const password of passwordsWithin(request)) {
    const { text } = run(loaded, ['t', `-p${password}`, ARCHIVE]);
    if (!WRONG_PASSWORD.test(text)) return password;
  }
  return null;
}

function namesIn({ module }: Loaded, path: string): string[] {
  try {
    return (module.FS.readdir(path) as string[]).filter((name) => name !== '.' && name !== '..');
  } catch {
    return [];
  }
}

/** Files as members, with their paths in the archive as names. Links are not followed: they hold nothing. */
function collect(
  loaded: Loaded,
  output: Output,
  request: UnpackRequest,
  accepts: (path: string) => boolean,
  folder = FOLDER,
): void {
  const { FS } = loaded.module;
  if (folder.length > MOST_PATH) throw new OverBudget('folders nested too deeply');
  for (const name of namesIn(loaded, folder)) {
    const child = `${folder}/${name}`;
    const path = child.slice(FOLDER.length + 1);
    const { mode } = FS.lstat(child);
    if (FS.isDir(mode)) collect(loaded, output, request, accepts, child);
    else if (FS.isFile(mode) && accepts(path)) {
      const given = path === name && UNNAMED.test(name) ? nameWithin(request.untrustedName) : path;
      output.add(given === null ? [] : [given], FS.readFile(child));
      FS.unlink(child);
    }
  }
}
