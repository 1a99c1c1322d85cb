/**
 * Compound files (MS-CFB), read only: the tree of storages and streams. Written for hostile bytes: every chain is followed at
 * most once per sector, every index is checked, and what does not fit is left out.
 */

export interface Stream {
  readonly name: string;
  read(): Uint8Array;
}

export interface Storage {
  readonly streams: ReadonlyMap<string, Stream>;
  readonly storages: ReadonlyMap<string, Storage>;
}

const MAGIC = 'd0cf11e0a1b11ae1';
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const HEADER_DIFAT = 109;
/** Values above this are marks, not sectors (MS-CFB 2.1). */
const LAST_SECTOR = 0xfffffffa;
const NO_ENTRY = 0xffffffff;
/** Storages in storages: an Outlook message in a message takes two per level. */
const MAX_DEPTH = 64;

interface File {
  readonly bytes: Buffer;
  readonly sectorSize: number;
  readonly fat: readonly number[];
  readonly miniFat: readonly number[];
  readonly miniCutoff: number;
  miniStream: Buffer;
}

/** The root storage, or null when the bytes are no compound file or its tables cannot be followed. Never throws. */
export function openCompoundFile(input: Uint8Array): Storage | null {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (bytes.length < HEADER_BYTES || bytes.toString('hex', 0, 8) !== MAGIC) return null;
  const shift = bytes.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return null;
  const file = readTables(bytes, 1 << shift);
  const directory = chainOf(file, bytes.readUInt32LE(48));
  const entries = Math.floor(directory.length / ENTRY_BYTES);
  if (entries === 0) return null;
  const root = entryAt(directory, 0);
  file.miniStream = chainOf(file, root.start);
  return storageOf(file, { directory, entries, visited: new Set() }, root.child, 0);
}

function readTables(bytes: Buffer, sectorSize: number): File {
  const file = { bytes, sectorSize, fat: [], miniFat: [], miniCutoff: bytes.readUInt32LE(56), miniStream: bytes };
  const fat: number[] = [];
  const sectors = Math.ceil(bytes.length / sectorSize);
  for (const sector of fatSectors(file, sectors)) {
    const table = sectorAt(file, sector);
    for (let at = 0; at + 4 <= table.length && fat.length < sectors; at += 4) fat.push(table.readUInt32LE(at));
  }
  const withFat: File = { ...file, fat };
  const mini = chainOf(withFat, bytes.readUInt32LE(60));
  const miniFat: number[] = [];
  for (let at = 0; at + 4 <= mini.length; at += 4) miniFat.push(mini.readUInt32LE(at));
  return { ...withFat, miniFat };
}

/** The sectors of the FAT: 109 in the header, the rest in a chain of its own. */
function fatSectors(file: File, most: number): number[] {
  const { bytes, sectorSize } = file;
  const sectors: number[] = [];
  for (let index = 0; index < HEADER_DIFAT; index++) sectors.push(bytes.readUInt32LE(76 + index * 4));
  let next = bytes.readUInt32LE(68);
  const visited = new Set<number>();
  while (next <= LAST_SECTOR && !visited.has(next) && sectors.length < most + HEADER_DIFAT) {
    visited.add(next);
    const table = sectorAt(file, next);
    if (table.length < sectorSize) break;
    for (let at = 0; at + 8 <= table.length; at += 4) sectors.push(table.readUInt32LE(at));
    next = table.readUInt32LE(sectorSize - 4);
  }
  return [...new Set(sectors)].filter((sector) => sector <= LAST_SECTOR);
}

function sectorAt({ bytes, sectorSize }: File, sector: number): Buffer {
  const start = (sector + 1) * sectorSize;
  return bytes.subarray(start, start + sectorSize);
}

/** The bytes of a chain of sectors. A chain that goes round ends where it began to. */
function chainOf(file: File, start: number): Buffer {
  const pieces: Buffer[] = [];
  const visited = new Set<number>();
  for (let sector = start; sector <= LAST_SECTOR && !visited.has(sector); ) {
    visited.add(sector);
    const piece = sectorAt(file, sector);
    if (piece.length === 0) break;
    pieces.push(piece);
    sector = file.fat[sector] ?? NO_ENTRY;
  }
  return Buffer.concat(pieces);
}

const MINI_SECTOR = 64;

function miniChainOf(file: File, start: number, size: number): Buffer {
  const pieces: Buffer[] = [];
  const visited = new Set<number>();
  let got = 0;
  for (let sector = start; sector <= LAST_SECTOR && !visited.has(sector) && got < size; got += MINI_SECTOR) {
    visited.add(sector);
    pieces.push(file.miniStream.subarray(sector * MINI_SECTOR, (sector + 1) * MINI_SECTOR));
    sector = file.miniFat[sector] ?? NO_ENTRY;
  }
  return Buffer.concat(pieces);
}

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

function entryAt(directory: Buffer, index: number): Entry {
  const at = index * ENTRY_BYTES;
  const nameBytes = Math.min(64, Math.max(2, directory.readUInt16LE(at + 64)));
  return {
    name: directory.toString('utf16le', at, at + nameBytes - 2),
    type: directory[at + 66] ?? 0,
    left: directory.readUInt32LE(at + 68),
    right: directory.readUInt32LE(at + 72),
    child: directory.readUInt32LE(at + 76),
    start: directory.readUInt32LE(at + 116),
    size: directory.readUInt32LE(at + 120),
  };
}

interface Directory {
  readonly directory: Buffer;
  readonly entries: number;
  /** Each entry belongs to one storage, so that no tree goes round. */
  readonly visited: Set<number>;
}

function storageOf(file: File, tree: Directory, child: number, depth: number): Storage {
  const streams = new Map<string, Stream>();
  const storages = new Map<string, Storage>();
  const waiting = [child];
  while (waiting.length > 0) {
    const index = waiting.pop() as number;
    if (index >= tree.entries || tree.visited.has(index)) continue;
    tree.visited.add(index);
    const entry = entryAt(tree.directory, index);
    waiting.push(entry.left, entry.right);
    if (entry.type === 2) streams.set(entry.name, { name: entry.name, read: () => readStream(file, entry) });
    if (entry.type === 1 && depth < MAX_DEPTH) storages.set(entry.name, storageOf(file, tree, entry.child, depth + 1));
  }
  return { streams, storages };
}

function readStream(file: File, { start, size }: Entry): Uint8Array {
  const bytes = size < file.miniCutoff ? miniChainOf(file, start, size) : chainOf(file, start);
  return bytes.subarray(0, size);
}
