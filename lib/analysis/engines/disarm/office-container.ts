/**
 * The zip container of an Office file, in and out. In: strict first; where tools could disagree about the archive, once more by
 * its central directory only, and the disagreement is reported. Out: sorted entries and fixed times, so equal input gives equal bytes.
 */
import {
  configure,
  type Entry,
  type FileEntry,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js';
import { EngineError, type EngineLimits } from '../engine.ts';
import { hasHiddenBytes } from './office-layout.ts';

/** Below this an entry cannot be a bomb by itself, whatever its ratio: a styles part of spaces compresses 500:1. */
const RATIO_FREE_BYTES = 1024 * 1024;
/** The earliest time a zip entry can carry. */
const FIXED_TIME = new Date(1980, 0, 1);

/** One readable entry; its bytes are inflated on first use and counted against the file's total. */
export interface PackageEntry {
  readonly name: string;
  read(): Promise<Uint8Array>;
}

export interface PackageContainer {
  /** By lower-case name: part names are compared without case (ECMA-376 part 2, 6.2.2.3). */
  readonly entries: ReadonlyMap<string, PackageEntry>;
  /** Names that no part may have (traversal, absolute, backslash); their entries are not readable. */
  readonly unsafeNames: readonly string[];
  /** True when programs could read this archive in more than one way. */
  readonly ambiguous: boolean;
}

/**
 * Opens the container. Throws EngineError `unreadable` (no zip, duplicate names), `encrypted`, or `oversize` (entries, declared
 * sizes, ratio).
 */
export async function openContainer(bytes: Uint8Array, limits: EngineLimits): Promise<PackageContainer> {
  configure({ useWebWorkers: false });
  const strict = await tryEntries(bytes, 'strict');
  const entries = strict ?? (await tryEntries(bytes, 'tolerant'));
  if (entries === null) throw new EngineError('unreadable', 'the archive of the document cannot be read');
  checkTotals(entries, limits);
  const budget = { left: limits.inflatedBytes };
  const readable = new Map<string, PackageEntry>();
  const unsafeNames: string[] = [];
  let ambiguous = strict === null || hasHiddenBytes(bytes, strict);
  for (const entry of entries) {
    const name = entry.filename;
    if (entry.directory) continue;
    if (!isSafeName(name)) {
      unsafeNames.push(name);
      continue;
    }
    // Two parts of one name: Word opens the one, a scanner the other.
    if (readable.has(name.toLowerCase()))
      throw new EngineError('unreadable', 'the document holds two parts of one name');
    const file: FileEntry = entry;
    if (!ambiguous && !(await matchesItsHeader(file))) ambiguous = true;
    readable.set(name.toLowerCase(), { name, read: once(() => inflate(file, budget)) });
  }
  return { entries: readable, unsafeNames, ambiguous };
}

async function tryEntries(bytes: Uint8Array, strictness: 'strict' | 'tolerant'): Promise<readonly Entry[] | null> {
  try {
    const reader = new ZipReader(new Uint8ArrayReader(bytes), { strictness, filenameValidation: 'tolerant' });
    return await reader.getEntries();
  } catch {
    return null;
  }
}

function checkTotals(entries: readonly Entry[], limits: EngineLimits): void {
  if (entries.length > limits.entries) throw new EngineError('oversize', `more than ${limits.entries} entries`);
  let total = 0;
  for (const entry of entries) {
    if (entry.encrypted) throw new EngineError('encrypted', 'a part of the document needs a password');
    total += entry.uncompressedSize;
    const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
    if (entry.uncompressedSize > RATIO_FREE_BYTES && ratio > limits.ratio) {
      throw new EngineError('oversize', 'a part of the document expands like a decompression bomb');
    }
  }
  if (total > limits.inflatedBytes) {
    throw new EngineError('oversize', `the document expands to more than ${limits.inflatedBytes} bytes`);
  }
}

function isSafeName(name: string): boolean {
  if (name === '' || name.length > 512 || /[\\\p{Cc}]/u.test(name) || /^(\/|[a-z]:)/i.test(name)) return false;
  return name.split('/').every((segment) => segment !== '' && !/^\.+$/.test(segment));
}

/** A local header that tells another story than the directory is how one tool is shown a clean file and the next a macro. */
async function matchesItsHeader(entry: FileEntry): Promise<boolean> {
  try {
    await entry.getData(new Uint8ArrayWriter(), { strictness: 'strict', checkOverlappingEntryOnly: true });
    return true;
  } catch {
    return false;
  }
}

async function inflate(entry: FileEntry, budget: { left: number }): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      // Declared sizes are checked before; this stops the entry that lied about them.
      budget.left -= chunk.length;
      if (budget.left < 0) throw new EngineError('oversize', 'the document expands without end');
      chunks.push(chunk);
    },
  });
  try {
    await entry.getData(sink, { strictness: 'tolerant', checkCrc32: true, checkOverlappingEntry: true });
  } catch (error) {
    if (budget.left < 0) throw new EngineError('oversize', 'the document expands without end');
    if (error instanceof EngineError) throw error;
    throw new EngineError('unreadable', 'a part of the document cannot be inflated');
  }
  return Buffer.concat(chunks);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Writes the parts as a new archive: content types and package relationships first, the rest by name. */
export async function writeContainer(parts: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  configure({ useWebWorkers: false });
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    extendedTimestamp: false,
    lastModDate: FIXED_TIME,
    dataDescriptor: false,
    level: 6,
  });
  for (const name of [...parts.keys()].sort(byPlace)) {
    await writer.add(name, new Uint8ArrayReader(parts.get(name) ?? new Uint8Array()));
  }
  return writer.close();
}

function byPlace(one: string, other: string): number {
  const rank = (name: string) => (name === '[Content_Types].xml' ? 0 : name === '_rels/.rels' ? 1 : 2);
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}
