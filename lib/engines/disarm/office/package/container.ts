/**
 * Reads and writes the zip container of an Office file. Reading is strict. If tools could disagree about the archive, it is read again by
 * its central directory only, and that is reported. Entries are sorted and get fixed times, so equal input gives equal bytes.
 */
import { type Entry, type FileEntry, Uint8ArrayWriter } from '@zip.js/zip.js';
import { zipEntries } from '../../../../formats/archives/zip-entries.ts';
import { EngineError, type EngineLimits } from '../../../engine.ts';
import type { RemovalLog } from '../../removals.ts';
import { hasHiddenBytes } from './layout.ts';
import { hasPlainHeader, hasSideNotes, isPlainFolder, packedBytes, packedEntry, unpackEntry } from './zip-read.ts';
import { type PackedPart, packPart, writeZip } from './zip-write.ts';

/** Below this an entry cannot be a bomb by itself, at any ratio: a styles part of spaces compresses 500:1. */
const RATIO_FREE_BYTES = 1024 * 1024;
/** All remembered parts together are smaller than the limit of entries times this number. */
const MAX_REMEMBERED_BYTES = 16 * 1024;

/** One readable entry, unpacked when it is read. */
export interface PackageEntry {
  readonly name: string;
  /** Unpacks it. Throws EngineError `unreadable` or `oversize`. */
  read(): Promise<Uint8Array>;
  /**
   * Returns the packed bytes in the form for another archive, after `read` has used every one of them; null when they are packed in a way
   * that is not written here.
   */
  packed(): PackedPart | null;
}

export interface PackageContainer {
  /** By lower-case name: part names are compared without case (ECMA-376 part 2, 6.2.2.3). */
  readonly entries: ReadonlyMap<string, PackageEntry>;
  /** Names that no part may have (traversal, absolute, backslash). Their entries are not readable. */
  readonly unsafeNames: readonly string[];
  /** True when programs could read this archive in more than one way. */
  readonly ambiguous: boolean;
}

/** Notes what is odd about the layout of a container, because the rebuilt one has none of it. */
export function noteLayout({ ambiguous, unsafeNames }: PackageContainer, log: RemovalLog): void {
  if (ambiguous) log.note('ambiguous archive', 'archive', 'sanitized');
  for (const name of unsafeNames) log.note('unsafe part name', name);
}

/**
 * Opens the container. Throws EngineError `unreadable` (no zip, duplicate names), `encrypted`, or `oversize` (entries, declared
 * sizes, ratio).
 */
export async function openContainer(bytes: Uint8Array, limits: EngineLimits): Promise<PackageContainer> {
  const strict = await zipEntries(bytes, 'strict');
  const entries = strict ?? (await zipEntries(bytes, 'tolerant'));
  if (entries === null) throw new EngineError('unreadable', 'the archive of the document cannot be read');
  checkTotals(entries, limits);
  const readable = new Map<string, PackageEntry>();
  const unsafeNames: string[] = [];
  let ambiguous = strict === null || hasHiddenBytes(bytes, strict);
  for (const entry of entries) {
    const name = entry.filename;
    if (entry.directory) {
      ambiguous ||= !isPlainFolder(entry);
      continue;
    }
    if (!isSafeName(name)) {
      unsafeNames.push(name);
      continue;
    }
    // Two parts have the same name. Word opens one of them, and a scanner opens the other.
    if (readable.has(name.toLowerCase()))
      throw new EngineError('unreadable', 'the document holds two parts of one name');
    const file: FileEntry = entry;
    // While nothing is ambiguous, the entries follow each other.
    ambiguous ||= hasSideNotes(file);
    if (!ambiguous && !hasPlainHeader(bytes, file) && !(await matchesItsHeader(file))) ambiguous = true;
    const read = rememberSmall(() => unpackEntry(bytes, file));
    readable.set(name.toLowerCase(), { name, read, packed: () => packedEntry(bytes, file) });
  }
  if (strict === null)
    checkOverlaps(
      bytes,
      entries.filter((entry): entry is FileEntry => !entry.directory),
    );
  return { entries: readable, unsafeNames, ambiguous };
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

/** Returns whether a part may have this name: no way out of the package, no drive, no control characters. */
export function isSafeName(name: string): boolean {
  if (name === '' || name.length > 512 || /[\\\p{Cc}]/u.test(name) || /^(\/|[a-z]:)/i.test(name)) return false;
  return name.split('/').every((segment) => segment !== '' && !/^\.+$/.test(segment));
}

/** Compares a local header with the directory. When they differ, one tool can see a clean file where another sees a macro. */
async function matchesItsHeader(entry: FileEntry): Promise<boolean> {
  try {
    await entry.getData(new Uint8ArrayWriter(), { strictness: 'strict', checkOverlappingEntryOnly: true });
    return true;
  } catch {
    // The library throws for an entry whose header differs. That is the answer.
    return false;
  }
}

/** Refuses two entries in the same place, which are a bomb, or one part under two names. */
function checkOverlaps(bytes: Uint8Array, entries: readonly FileEntry[]): void {
  let end = 0;
  for (const entry of [...entries].sort((one, other) => one.offset - other.offset)) {
    const data = packedBytes(bytes, entry);
    if (entry.offset < end) throw new EngineError('unreadable', 'parts of the document lie over each other');
    end = data.byteOffset - bytes.byteOffset + data.length;
  }
}

/** Remembers small parts, because they are read often. A large part is unpacked again, because it would fill the memory. */
function rememberSmall(unpack: () => Promise<Uint8Array>): () => Promise<Uint8Array> {
  let known: Uint8Array | undefined;
  return async () => {
    if (known !== undefined) return known;
    const content = await unpack();
    if (content.length <= MAX_REMEMBERED_BYTES) known = content;
    return content;
  };
}

/** Writes the parts as a new archive: content types and package relationships first, the rest by name. */
export async function writeContainer(parts: ReadonlyMap<string, Uint8Array | PackedPart>): Promise<Uint8Array> {
  const entries = new Map<string, PackedPart>();
  for (const name of [...parts.keys()].sort(byPlace)) {
    const part = parts.get(name) ?? new Uint8Array();
    entries.set(name, part instanceof Uint8Array ? packPart(part) : part);
  }
  return writeZip(entries);
}

function byPlace(one: string, other: string): number {
  const rank = (name: string) => (name === '[Content_Types].xml' ? 0 : name === '_rels/.rels' ? 1 : 2);
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}
