/**
 * A reader of compound files ([MS-CFB]) for hostile bytes. Streams are found through the directory and copied sector by sector;
 * a sector that two streams claim, a chain that loops or ends early, and two streams of one name are refused, since programs
 * differ in what they make of them.
 */
import { EngineError, type EngineLimits } from '../../engine.ts';

const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const MINI_SECTOR_BYTES = 64;
const MINI_CUTOFF = 4096;
/** Sector numbers from here on are marks: end of chain, free, part of the FAT. */
const FIRST_MARK = 0xfffffffa;
const END_OF_CHAIN = 0xfffffffe;
const NO_ENTRY = 0xffffffff;
const STORAGE = 1;
const STREAM = 2;
const ROOT = 5;

export interface CompoundEntry {
  /** Names from the root, joined by `/`. Untrusted. */
  readonly path: string;
  readonly size: number;
  /** Copies the stream. Throws EngineError `unreadable` or `oversize`. */
  read(): Buffer;
}

interface File {
  readonly bytes: Buffer;
  readonly sectorBytes: number;
  readonly fat: Uint32Array;
  /** Sectors that were read already. */
  readonly claimed: Uint8Array;
  readonly limits: EngineLimits;
}

interface DirectoryEntry {
  readonly name: string;
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

interface MiniStream {
  readonly bytes: Buffer;
  readonly fat: Uint32Array;
  readonly claimed: Uint8Array;
}

const damaged = (what: string) => new EngineError('unreadable', `the compound file is damaged: ${what}`);

/**
 * All streams of the file by lower-case path. Throws EngineError `unreadable` (no compound file, chains that loop, share sectors
 * or end early, two entries of one name) or `oversize` (more entries than `limits.entries`).
 */
export function readCompoundFile(bytes: Uint8Array, limits: EngineLimits): ReadonlyMap<string, CompoundEntry> {
  const file = openFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits);
  const directory = readDirectory(file);
  const root = directory[0];
  if (root === undefined || root.kind !== ROOT) throw damaged('it has no root');
  let mini: MiniStream | undefined;
  const read = (entry: DirectoryEntry) => {
    if (entry.size >= MINI_CUTOFF) return readChain(file, entry.start, entry.size);
    mini ??= openMini(file, root);
    return readMini(mini, entry);
  };
  const found = new Map<string, CompoundEntry>();
  for (const { entry, path } of walk(directory, root, limits)) {
    const key = path.toLowerCase();
    if (found.has(key)) throw damaged('two streams have one name');
    found.set(key, { path, size: entry.size, read: () => read(entry) });
  }
  return found;
}

function openFile(bytes: Buffer, limits: EngineLimits): File {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, 8).equals(MAGIC)) throw damaged('it has no header');
  const shift = bytes.readUInt16LE(0x1e);
  if ((shift !== 9 && shift !== 12) || bytes.readUInt16LE(0x20) !== 6) throw damaged('its sector size is unknown');
  const sectorBytes = 1 << shift;
  const sectors = Math.max(0, Math.ceil(bytes.length / sectorBytes) - 1);
  const file = {
    bytes,
    sectorBytes,
    fat: new Uint32Array(sectors).fill(NO_ENTRY),
    claimed: new Uint8Array(sectors),
    limits,
  };
  readFat(file);
  return file;
}

/** The allocation table: 109 of its sectors are named in the header, the rest in a chain of their own. */
function readFat(file: File): void {
  const { bytes, fat, sectorBytes } = file;
  const perSector = sectorBytes / 4;
  const needed = Math.ceil(fat.length / perSector);
  let at = 0x4c;
  let end = 0x4c + 109 * 4;
  let next = bytes.readUInt32LE(0x44);
  for (let index = 0; index < needed; index++) {
    if (at === end) {
      if (next >= FIRST_MARK) return;
      const offset = takeSector(file, next);
      at = offset;
      end = offset + sectorBytes - 4;
      next = bytes.readUInt32LE(end);
    }
    const sector = bytes.readUInt32LE(at);
    at += 4;
    if (sector >= FIRST_MARK) continue;
    const offset = takeSector(file, sector);
    const count = Math.min(perSector, fat.length - index * perSector);
    for (let slot = 0; slot < count; slot++) fat[index * perSector + slot] = bytes.readUInt32LE(offset + slot * 4);
  }
}

/** Claims a sector that must lie wholly in the file, and gives its offset. */
function takeSector(file: File, sector: number): number {
  const offset = (sector + 1) * file.sectorBytes;
  if (sector >= file.claimed.length || offset + file.sectorBytes > file.bytes.length) {
    throw damaged('a sector lies outside of it');
  }
  claim(file.claimed, sector);
  return offset;
}

function claim(claimed: Uint8Array, sector: number): void {
  if (claimed[sector] === 1) throw damaged('two streams share a sector, or a chain of sectors has no end');
  claimed[sector] = 1;
}

/** Copies `size` bytes along a chain. The very last sector of a file may be cut short, as some programs write it. */
function readChain(file: File, start: number, size: number): Buffer {
  if (size > file.bytes.length) throw damaged('a stream is longer than the file');
  const out = Buffer.alloc(size);
  let sector = start;
  for (let filled = 0; filled < size; filled += file.sectorBytes) {
    if (sector >= file.fat.length) throw damaged('a stream ends early');
    claim(file.claimed, sector);
    const offset = (sector + 1) * file.sectorBytes;
    file.bytes.copy(out, filled, offset, offset + Math.min(file.sectorBytes, size - filled));
    sector = file.fat[sector] ?? END_OF_CHAIN;
  }
  return out;
}

/** A chain without a declared size: directory and mini table. */
function readWholeChain(file: File, start: number): Buffer {
  const chunks: Buffer[] = [];
  for (let sector = start; sector < FIRST_MARK; sector = file.fat[sector] ?? END_OF_CHAIN) {
    const offset = takeSector(file, sector);
    chunks.push(file.bytes.subarray(offset, offset + file.sectorBytes));
  }
  return Buffer.concat(chunks);
}

function readDirectory(file: File): DirectoryEntry[] {
  const bytes = readWholeChain(file, file.bytes.readUInt32LE(0x30));
  const count = bytes.length / ENTRY_BYTES;
  const entries: DirectoryEntry[] = [];
  for (let index = 0; index < count; index++) {
    const at = index * ENTRY_BYTES;
    const nameBytes = Math.max(0, Math.min(64, bytes.readUInt16LE(at + 64)) - 2);
    entries.push({
      name: bytes.toString('utf16le', at, at + nameBytes),
      kind: bytes[at + 66] ?? 0,
      left: bytes.readUInt32LE(at + 68),
      right: bytes.readUInt32LE(at + 72),
      child: bytes.readUInt32LE(at + 76),
      start: bytes.readUInt32LE(at + 116),
      // The upper half is only meaningful in large-sector files, and no stream here is that long.
      size: bytes.readUInt32LE(at + 120),
    });
  }
  return entries;
}

interface Found {
  readonly entry: DirectoryEntry;
  readonly path: string;
}

/** Streams below the root at any depth. An entry that is reached twice is a ring. */
function walk(directory: readonly DirectoryEntry[], root: DirectoryEntry, limits: EngineLimits): Found[] {
  const found: Found[] = [];
  const seen = new Uint8Array(directory.length);
  const pending: { id: number; folder: string; depth: number }[] = [{ id: root.child, folder: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { id, folder, depth } = next;
    const entry = directory[id];
    if (id === NO_ENTRY) continue;
    if (entry === undefined || seen[id] === 1) throw damaged('its directory is no tree');
    seen[id] = 1;
    if (depth > limits.depth) throw new EngineError('oversize', `storages are nested more than ${limits.depth} deep`);
    const path = folder + entry.name;
    pending.push({ id: entry.left, folder, depth }, { id: entry.right, folder, depth });
    if (entry.kind === STORAGE) pending.push({ id: entry.child, folder: `${path}/`, depth: depth + 1 });
    if (entry.kind === STREAM) found.push({ entry, path });
    if (found.length > limits.entries) throw new EngineError('oversize', `more than ${limits.entries} streams`);
  }
  return found;
}

function openMini(file: File, root: DirectoryEntry): MiniStream {
  const table = readWholeChain(file, file.bytes.readUInt32LE(0x3c));
  const bytes = readChain(file, root.start, root.size);
  const sectors = Math.ceil(bytes.length / MINI_SECTOR_BYTES);
  const fat = new Uint32Array(sectors).fill(NO_ENTRY);
  for (let index = 0; index < Math.min(sectors, table.length / 4); index++) fat[index] = table.readUInt32LE(index * 4);
  return { bytes, fat, claimed: new Uint8Array(sectors) };
}

function readMini(mini: MiniStream, { start, size }: DirectoryEntry): Buffer {
  const out = Buffer.alloc(size);
  let sector = start;
  for (let filled = 0; filled < size; filled += MINI_SECTOR_BYTES) {
    if (sector >= mini.fat.length) throw damaged('a stream ends early');
    claim(mini.claimed, sector);
    const offset = sector * MINI_SECTOR_BYTES;
    mini.bytes.copy(out, filled, offset, offset + Math.min(MINI_SECTOR_BYTES, size - filled));
    sector = mini.fat[sector] ?? END_OF_CHAIN;
  }
  return out;
}
