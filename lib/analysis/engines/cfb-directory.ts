/**
 * A bounded reader of a compound file's directory ([MS-CFB] 2.6): only the names at its root, which is what tells Word, Excel,
 * PowerPoint, Outlook and encrypted documents apart.
 */
const MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const END_OF_CHAIN = 0xfffffffa;
const NO_ENTRY = 0xffffffff;
/** Directories that loop or never end: 4,096 sectors hold 16,384 entries, more than any document has. */
const MAX_DIRECTORY_SECTORS = 4_096;

export interface CfbRoot {
  /** Class id of the root entry, 32 lower-case hex digits in file order. */
  readonly clsid: string;
  /** Names of the storages and streams directly below the root, as spelled. */
  readonly untrustedNames: readonly string[];
}

/** Whether the bytes start like a compound file. */
export function isCfb(bytes: Uint8Array): boolean {
  return bytes.length >= 512 && MAGIC.every((byte, index) => bytes[index] === byte);
}

/** The root of a compound file; null when its directory cannot be read. */
export function readCfbRoot(bytes: Uint8Array): CfbRoot | null {
  if (!isCfb(bytes)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = view.getUint16(0x1e, true);
  if (shift !== 9 && shift !== 12) return null;
  const file = { bytes, view, sectorSize: 1 << shift };
  const entries = readDirectory(file);
  const root = entries[0];
  if (root === undefined) return null;
  return { clsid: root.clsid, untrustedNames: childrenOf(entries, root.child) };
}

interface CfbFile {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly sectorSize: number;
}

interface DirectoryEntry {
  readonly name: string;
  readonly clsid: string;
  readonly left: number;
  readonly right: number;
  readonly child: number;
}

function sectorOffset(file: CfbFile, sector: number): number | null {
  const offset = (sector + 1) * file.sectorSize;
  return offset + file.sectorSize <= file.bytes.length ? offset : null;
}

function readDirectory(file: CfbFile): DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  let sector = file.view.getUint32(0x30, true);
  for (let count = 0; count < MAX_DIRECTORY_SECTORS && sector < END_OF_CHAIN; count++) {
    const offset = sectorOffset(file, sector);
    if (offset === null) break;
    for (let at = offset; at < offset + file.sectorSize; at += 128) entries.push(readEntry(file, at));
    const next = nextSector(file, sector);
    if (next === null) break;
    sector = next;
  }
  return entries;
}

function readEntry(file: CfbFile, at: number): DirectoryEntry {
  const length = Math.min(64, file.view.getUint16(at + 64, true));
  const name = Buffer.from(file.bytes.subarray(at, at + Math.max(0, length - 2))).toString('utf16le');
  return {
    name,
    clsid: Buffer.from(file.bytes.subarray(at + 80, at + 96)).toString('hex'),
    left: file.view.getUint32(at + 68, true),
    right: file.view.getUint32(at + 72, true),
    child: file.view.getUint32(at + 76, true),
  };
}

function nextSector(file: CfbFile, sector: number): number | null {
  const perSector = file.sectorSize / 4;
  const fatSector = fatSectorAt(file, Math.floor(sector / perSector));
  if (fatSector === null) return null;
  const offset = sectorOffset(file, fatSector);
  return offset === null ? null : file.view.getUint32(offset + (sector % perSector) * 4, true);
}

/** Sector number of the n-th FAT sector: 109 stand in the header, the rest in a chain of their own. */
function fatSectorAt(file: CfbFile, index: number): number | null {
  if (index < 109) return file.view.getUint32(0x4c + index * 4, true);
  const perSector = file.sectorSize / 4 - 1;
  let sector = file.view.getUint32(0x44, true);
  let rest = index - 109;
  while (rest >= perSector) {
    const offset = sectorOffset(file, sector);
    if (offset === null) return null;
    sector = file.view.getUint32(offset + perSector * 4, true);
    rest -= perSector;
  }
  const offset = sectorOffset(file, sector);
  return offset === null ? null : file.view.getUint32(offset + rest * 4, true);
}

/** Walks the tree of siblings below one entry. A visited entry is not walked again: hostile directories are rings. */
function childrenOf(entries: readonly DirectoryEntry[], first: number): string[] {
  const names: string[] = [];
  const seen = new Set<number>();
  const pending = [first];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const entry = entries[id];
    if (id === NO_ENTRY || entry === undefined || seen.has(id)) continue;
    seen.add(id);
    names.push(entry.name);
    pending.push(entry.left, entry.right);
  }
  return names;
}
