/**
 * Reads the sectors of a compound file ([MS-CFB] 2.2 to 2.5) and the chains that they form. No chain visits a sector twice, so no result
 * is longer than the file.
 */
import type { OnCompoundFault } from './faults.ts';

/** Sector numbers from this one on are marks: end of chain, free, part of a table. */
export const FIRST_MARK = 0xfffffffa;
const FREE = 0xffffffff;
/** Places in the header, and its size ([MS-CFB] 2.2). */
export const HEADER = {
  version: 0x1a,
  sectorShift: 0x1e,
  miniSectorShift: 0x20,
  reserved: 0x22,
  directorySectors: 0x28,
  directory: 0x30,
  miniCutoff: 0x38,
  miniTable: 0x3c,
  miniTableSectors: 0x40,
  moreTable: 0x44,
  moreTableSectors: 0x48,
  firstTable: 0x4c,
  bytes: 512,
} as const;
const MINI_SECTOR_BYTES = 64;

/** Sectors of one size: those of the file, or the small ones in its mini stream. */
export interface Sectors {
  readonly bytes: Buffer;
  readonly sectorBytes: number;
  /** The offset of sector 0. */
  readonly firstAt: number;
  /** The end of the last sector, by the file. */
  readonly end: number;
  /** For each sector the next one, or a mark. */
  readonly next: Uint32Array;
  /** For each sector the number of the reading that last read it. 0 for none. */
  readonly readBy: Uint32Array;
  readonly sharedFault: 'sector-shared' | 'mini-sector-shared';
  readings: number;
}

/** Returns the sectors of the file with their allocation table, as far as the table is inside the file. */
export function openSectors(bytes: Buffer, sectorBytes: number, onFault: OnCompoundFault): Sectors {
  const count = Math.max(0, Math.ceil(bytes.length / sectorBytes) - 1);
  const sectors: Sectors = {
    bytes,
    sectorBytes,
    firstAt: sectorBytes,
    end: bytes.length,
    next: new Uint32Array(count).fill(FREE),
    readBy: new Uint32Array(count),
    sharedFault: 'sector-shared',
    readings: 0,
  };
  const perSector = sectorBytes / 4;
  for (const [index, sector] of tableSectors(sectors, Math.ceil(count / perSector), onFault).entries()) {
    if (sector >= FIRST_MARK) continue;
    const part = tableSector(sectors, sector, onFault);
    const slots = Math.min(Math.floor(part.length / 4), count - index * perSector);
    for (let slot = 0; slot < slots; slot++) sectors.next[index * perSector + slot] = part.readUInt32LE(slot * 4);
  }
  return sectors;
}

/** Returns the numbers of the sectors with the allocation table. The header has 109 of them. The rest form their own chain. */
function tableSectors(sectors: Sectors, needed: number, onFault: OnCompoundFault): number[] {
  const { bytes, sectorBytes } = sectors;
  const found: number[] = [];
  let from = bytes;
  let at: number = HEADER.firstTable;
  let end: number = HEADER.bytes;
  let next = bytes.readUInt32LE(HEADER.moreTable);
  while (found.length < needed) {
    if (at === end) {
      if (next >= FIRST_MARK) break;
      [from, at, end] = [tableSector(sectors, next, onFault), 0, sectorBytes - 4];
      if (from.length < sectorBytes) break;
      next = from.readUInt32LE(end);
    }
    found.push(from.readUInt32LE(at));
    at += 4;
  }
  return found;
}

/** Returns one sector, read outside of any chain. */
function tableSector(sectors: Sectors, sector: number, onFault: OnCompoundFault): Buffer {
  const [bytes] = chainFrom(sectors, sector, onFault);
  if (bytes !== undefined && bytes.length < sectors.sectorBytes) onFault('sector-cut');
  return bytes ?? Buffer.alloc(0);
}

/** Returns the sectors of a chain, one after another. The last sector of a file may be short. */
function* chainFrom(sectors: Sectors, start: number, onFault: OnCompoundFault): Generator<Buffer> {
  const { bytes, sectorBytes, firstAt, next, readBy } = sectors;
  sectors.readings += 1;
  const reading = sectors.readings;
  for (let sector = start; sector < FIRST_MARK; sector = next[sector] as number) {
    const at = firstAt + sector * sectorBytes;
    if (at >= sectors.end) onFault('sector-outside');
    if (sector >= next.length) return;
    if (readBy[sector] !== 0) onFault(sectors.sharedFault);
    if (readBy[sector] === reading) return;
    readBy[sector] = reading;
    yield bytes.subarray(at, at + sectorBytes);
  }
}

/** Reads a chain to its end. The directory and the tables do not state their size. */
export function readWholeChain(sectors: Sectors, start: number, onFault: OnCompoundFault): Buffer {
  const pieces = [...chainFrom(sectors, start, onFault)];
  if (pieces.some((piece) => piece.length < sectors.sectorBytes)) onFault('sector-cut');
  return Buffer.concat(pieces);
}

/** Returns a copy of `size` bytes along a chain, or fewer when the chain ends earlier. */
export function readStream(sectors: Sectors, start: number, size: number, onFault: OnCompoundFault): Buffer {
  if (size === 0) return Buffer.alloc(0);
  if (size > sectors.bytes.length) onFault('stream-too-long');
  const pieces: Buffer[] = [];
  let missing = size;
  for (const sector of chainFrom(sectors, start, onFault)) {
    const piece = sector.subarray(0, missing);
    if (piece.length < Math.min(missing, sectors.sectorBytes)) onFault('stream-cut');
    pieces.push(piece);
    missing -= sectors.sectorBytes;
    if (missing <= 0) break;
  }
  if (missing > 0) onFault('stream-ends-early');
  return Buffer.concat(pieces);
}

/** Returns the small sectors, which hold streams of less than 4,096 bytes. */
export function openMiniSectors(
  sectors: Sectors,
  stream: { readonly start: number; readonly size: number },
  onFault: OnCompoundFault,
): Sectors {
  const table = readWholeChain(sectors, sectors.bytes.readUInt32LE(HEADER.miniTable), onFault);
  const pieces: Buffer[] = [];
  // Some programs read on after the size of the stream, so the chain is followed to its end. Faults after the size do not count.
  const onNeeded: OnCompoundFault = (fault) => {
    if (pieces.length * sectors.sectorBytes < stream.size) onFault(fault);
  };
  for (const piece of chainFrom(sectors, stream.start, onNeeded)) pieces.push(piece);
  if (pieces.length * sectors.sectorBytes < stream.size) onFault('stream-ends-early');
  const bytes = Buffer.concat(pieces);
  const count = Math.ceil(bytes.length / MINI_SECTOR_BYTES);
  const next = new Uint32Array(count).fill(FREE);
  for (let sector = 0; sector < count && sector * 4 + 4 <= table.length; sector++)
    next[sector] = table.readUInt32LE(sector * 4);
  return {
    bytes,
    sectorBytes: MINI_SECTOR_BYTES,
    firstAt: 0,
    end: stream.size,
    next,
    readBy: new Uint32Array(count),
    sharedFault: 'mini-sector-shared',
    readings: 0,
  };
}
