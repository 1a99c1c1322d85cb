/**
 * Reads compound files ([MS-CFB]): Office 97 to 2003, Outlook messages, installers. Sectors, entries and bytes are bounded, because the
 * bytes are hostile. At each fault the caller decides whether to refuse the file or to continue.
 */
import { type CompoundEntry, readEntries } from './directory.ts';
import type { OnCompoundFault } from './faults.ts';
import { HEADER, openMiniSectors, openSectors, readStream, readWholeChain, type Sectors } from './sectors.ts';

const END_OF_CHAIN = 0xfffffffe;
const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Streams below this size are in small sectors. */
export const MINI_CUTOFF = 4_096;
/** Most entries of a directory. No document has a hundredth of it. */
const MAX_ENTRIES = 131_072;

export interface CompoundFile {
  readonly root: CompoundEntry;
  /** All entries in the order of the directory, including those to which no path leads. The first is the root. */
  readonly entries: readonly CompoundEntry[];
  /** For each sector the next one. Numbers from `FIRST_MARK` on are no sectors. */
  readonly nextSectors: Uint32Array;
  /** First sectors of the allocation table, of the directory, and of the small sectors and their table if there are any. */
  readonly tableStarts: readonly number[];
  /** Returns a copy of a stream. */
  read(stream: CompoundEntry): Buffer;
}

export interface CompoundOptions {
  readonly onFault: OnCompoundFault;
  /** @default 131072 */
  readonly maxEntries?: number;
}

/** Returns true when the bytes start like a compound file. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return bytes.length >= HEADER.bytes && MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

/** Opens a compound file. Returns null after a fault that leaves nothing to read. Throws only the errors of `onFault`. */
export function openCompoundFile(
  input: Uint8Array,
  { onFault, maxEntries = MAX_ENTRIES }: CompoundOptions,
): CompoundFile | null {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const sectorBytes = readHeader(bytes, onFault);
  if (sectorBytes === null) return null;
  const sectors = openSectors(bytes, sectorBytes, onFault);
  const entries = readEntries(
    readWholeChain(sectors, bytes.readUInt32LE(HEADER.directory), onFault),
    maxEntries,
    onFault,
  );
  const [root] = entries;
  if (root === undefined) {
    onFault('no-directory');
    return null;
  }
  let small: Sectors | null = null;
  const read = ({ start, size }: CompoundEntry) => {
    if (size >= MINI_CUTOFF) return readStream(sectors, start, size, onFault);
    small ??= openMiniSectors(sectors, root, onFault);
    return readStream(small, start, size, onFault);
  };
  const mini = [bytes.readUInt32LE(HEADER.miniTable), root.start];
  const hasMini = bytes.readUInt32LE(HEADER.miniTableSectors) > 0;
  const tableStarts = [
    bytes.readUInt32LE(HEADER.firstTable),
    bytes.readUInt32LE(HEADER.directory),
    ...(hasMini ? mini.filter((start) => start !== END_OF_CHAIN) : []),
  ];
  return { root, entries, nextSectors: sectors.next, tableStarts, read };
}

/** Returns the size of a sector. Returns null when the header names none. */
function readHeader(bytes: Buffer, onFault: OnCompoundFault): number | null {
  if (!isCompoundFile(bytes)) {
    onFault('no-header');
    return null;
  }
  const shift = bytes.readUInt16LE(HEADER.sectorShift);
  if (shift !== 9 && shift !== 12) {
    onFault('sector-size');
    return null;
  }
  if (bytes.readUInt16LE(HEADER.miniSectorShift) !== 6) onFault('mini-sector-size');
  const isLarge = shift === 12;
  const hasMoreTable = bytes.readUInt32LE(HEADER.moreTable) !== END_OF_CHAIN;
  const isUsual =
    bytes.readUInt16LE(HEADER.version) === (isLarge ? 4 : 3) &&
    bytes.readUIntLE(HEADER.reserved, 6) === 0 &&
    (isLarge || bytes.readUInt32LE(HEADER.directorySectors) === 0) &&
    bytes.readUInt32LE(HEADER.miniCutoff) === MINI_CUTOFF &&
    (hasMoreTable || bytes.readUInt32LE(HEADER.moreTableSectors) === 0);
  if (!isUsual) onFault('header-field');
  return 1 << shift;
}
