/**
 * Looks at the chains of a compound file ([MS-CFB] 2.3 to 2.6) before the library follows them: it follows a ring for ever, and copies
 * what two chains share once for each. In a sound file every sector and every directory entry is named once.
 */

const HEADER_FAT_SECTORS = 109;
/** Sector numbers from here on are marks: end of chain, free, part of the table. */
const FIRST_MARK = 0xfffffffa;
const ENTRY_BYTES = 128;
const NO_ENTRY = 0xffffffff;
const STREAM = 2;
/** Streams below it stand in the mini stream. */
const MINI_CUTOFF = 4_096;

interface Sectors {
  readonly view: DataView;
  readonly sectorBytes: number;
  readonly count: number;
}

const offsetOf = ({ sectorBytes }: Sectors, sector: number): number => (sector + 1) * sectorBytes;

/** Whether no chain of sectors and no path of the directory meets itself or another. */
export function areChainsSound(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = bytes.length < 512 ? 0 : view.getUint16(0x1e, true);
  if (shift !== 9 && shift !== 12) return false;
  const sectors = { view, sectorBytes: 1 << shift, count: Math.floor(bytes.length / (1 << shift)) - 1 };
  const table = tableOf(sectors);
  const named = table === null ? null : namedOnce(table, sectors.count);
  return table !== null && named !== null && isDirectorySound(sectors, table, named);
}

/** The next sector of each sector; null when the list of its parts is a ring. */
function tableOf(sectors: Sectors): Uint32Array | null {
  const { view, sectorBytes, count } = sectors;
  const perSector = sectorBytes / 4;
  const parts: number[] = [];
  for (let index = 0; index < HEADER_FAT_SECTORS; index++) parts.push(view.getUint32(0x4c + index * 4, true));
  const seen = new Set<number>();
  for (let sector = view.getUint32(0x44, true); sector < count; ) {
    if (seen.has(sector)) return null;
    seen.add(sector);
    const offset = offsetOf(sectors, sector);
    for (let index = 0; index < perSector - 1; index++) parts.push(view.getUint32(offset + index * 4, true));
    sector = view.getUint32(offset + (perSector - 1) * 4, true);
  }
  const table = new Uint32Array(count).fill(FIRST_MARK);
  for (let sector = 0; sector < count; sector++) {
    const part = parts[Math.floor(sector / perSector)] ?? FIRST_MARK;
    if (part < count) table[sector] = view.getUint32(offsetOf(sectors, part) + (sector % perSector) * 4, true);
  }
  return table;
}

/** Which sectors stand behind another; null when two name the same, or some name each other in a ring. */
function namedOnce(table: Uint32Array, count: number): Uint8Array | null {
  const named = new Uint8Array(count);
  for (const next of table) {
    if (next >= count) continue;
    if (named[next] === 1) return null;
    named[next] = 1;
  }
  const reached = new Uint8Array(count);
  for (let head = 0; head < count; head++) {
    if (named[head] === 1) continue;
    for (let sector = head; sector < count; sector = table[sector] as number) reached[sector] = 1;
  }
  return reached.includes(0) ? null : named;
}

function isDirectorySound(sectors: Sectors, table: Uint32Array, named: Uint8Array): boolean {
  const { view, count } = sectors;
  const seen = new Set<number>([0]);
  const first = view.getUint32(0x30, true);
  if (named[first] === 1) return false;
  for (let sector = first; sector < count; sector = table[sector] as number) {
    for (let at = offsetOf(sectors, sector); at < offsetOf(sectors, sector + 1); at += ENTRY_BYTES) {
      if (!isEntrySound(view, at, named, seen)) return false;
    }
  }
  return true;
}

function isEntrySound(view: DataView, at: number, named: Uint8Array, seen: Set<number>): boolean {
  const type = view.getUint8(at + 66);
  // A stream that starts within another is a second copy of it.
  const isLarge = type === STREAM && view.getUint32(at + 120, true) >= MINI_CUTOFF;
  if (isLarge && named[view.getUint32(at + 116, true)] === 1) return false;
  const links = [68, 72, 76].map((link) => view.getUint32(at + link, true));
  // An entry that is not used is written as zeros by some programs.
  if (type === 0 && links.every((entry) => entry === 0)) return true;
  for (const entry of links) {
    if (entry === NO_ENTRY) continue;
    if (seen.has(entry)) return false;
    seen.add(entry);
  }
  return true;
}
