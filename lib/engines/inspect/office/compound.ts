/** The own reader of the inspection for compound files ([MS-CFB]). It gives all paths and the content of single streams, within limits. */

const FREE = 0xfffffffa;
/** A limit against directories and chains that are rings. */
const MAX_SECTORS = 262_144;
/** Storages in storages. Documents have fewer than ten, and the paths of thousands of levels fill the memory. */
const MAX_DEPTH = 100;

export interface CompoundEntry {
  /** Names from the root down, joined by slashes; the control character 1 is written `^1`. */
  readonly path: string;
  readonly isStream: boolean;
  readonly start: number;
  readonly size: number;
  readonly clsid: string;
}

export interface CompoundFile {
  readonly entries: readonly CompoundEntry[];
  read(path: string): Uint8Array | null;
}

/** Reads a compound file. Returns null when the bytes are not readable. */
export function openCompound(bytes: Uint8Array): CompoundFile | null {
  if (bytes.length < 512 || Buffer.from(bytes.subarray(0, 8)).toString('hex') !== 'd0cf11e0a1b11ae1') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sectorSize = 1 << Math.min(12, view.getUint16(0x1e, true));
  try {
    const fat = readFat(bytes, view, sectorSize);
    const chain = (start: number) => readChain(bytes, fat, sectorSize, start);
    const entries = readEntries(chain(view.getUint32(0x30, true)));
    const root = entries[0];
    const mini = root === undefined ? new Uint8Array() : chain(root.start).subarray(0, root.size);
    const miniFat = new Uint32Array(wholeWords(chain(view.getUint32(0x3c, true))));
    const read = (path: string) => {
      const entry = entries.find((each) => each.isStream && each.path === path);
      if (entry === undefined) return null;
      const content = entry.size < 4_096 ? readMini(mini, miniFat, entry.start) : chain(entry.start);
      return content.subarray(0, entry.size);
    };
    return { entries, read };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function wholeWords(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 4))).buffer;
}

function readFat(bytes: Uint8Array, view: DataView, sectorSize: number): Uint32Array {
  const sectors: number[] = [];
  for (let index = 0; index < 109; index++) sectors.push(view.getUint32(0x4c + index * 4, true));
  let next = view.getUint32(0x44, true);
  // A chain that is a ring names more sectors of the table than the file has sectors at all.
  const most = Math.ceil(bytes.length / sectorSize) + 109;
  for (let count = 0; next < FREE && count < MAX_SECTORS && sectors.length < most; count++) {
    const at = (next + 1) * sectorSize;
    for (let index = 0; index < sectorSize / 4 - 1; index++) sectors.push(view.getUint32(at + index * 4, true));
    next = view.getUint32(at + sectorSize - 4, true);
  }
  const used = sectors.filter((sector) => sector < FREE).slice(0, MAX_SECTORS);
  const pieces = used.map((sector) => bytes.subarray((sector + 1) * sectorSize, (sector + 2) * sectorSize));
  return new Uint32Array(wholeWords(Buffer.concat(pieces)));
}

function readChain(bytes: Uint8Array, fat: Uint32Array, sectorSize: number, start: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let sector = start; sector < FREE && pieces.length <= fat.length; sector = fat[sector] ?? FREE) {
    pieces.push(bytes.subarray((sector + 1) * sectorSize, (sector + 2) * sectorSize));
  }
  return Buffer.concat(pieces);
}

function readMini(mini: Uint8Array, fat: Uint32Array, start: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let sector = start; sector < FREE && pieces.length <= fat.length; sector = fat[sector] ?? FREE) {
    pieces.push(mini.subarray(sector * 64, (sector + 1) * 64));
  }
  return Buffer.concat(pieces);
}

interface Node {
  readonly name: string;
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
  readonly clsid: string;
}

function readEntries(directory: Uint8Array): readonly CompoundEntry[] {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
  const nodes: Node[] = [];
  for (let at = 0; at + 128 <= directory.length; at += 128) nodes.push(readNode(directory, view, at));
  const found: CompoundEntry[] = [];
  const seen = new Set<number>();
  const pending = [{ id: 0, under: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = nodes[next.id];
    if (next.depth > MAX_DEPTH) throw new RangeError('storages are nested too deep');
    if (node === undefined || seen.has(next.id)) continue;
    seen.add(next.id);
    const path = next.id === 0 ? '' : `${next.under}${node.name}`;
    found.push({ path, isStream: node.kind === 2, start: node.start, size: node.size, clsid: node.clsid });
    const { under, depth } = next;
    pending.push({ id: node.left, under, depth }, { id: node.right, under, depth });
    pending.push({ id: node.child, under: path === '' ? '' : `${path}/`, depth: depth + 1 });
  }
  return found;
}

function readNode(directory: Uint8Array, view: DataView, at: number): Node {
  const length = Math.max(0, Math.min(64, view.getUint16(at + 64, true)) - 2);
  return {
    name: Buffer.from(directory.subarray(at, at + length))
      .toString('utf16le')
      .replace(/\p{Cc}/gu, (sign) => `^${sign.charCodeAt(0)}`),
    kind: directory[at + 66] ?? 0,
    left: view.getUint32(at + 68, true),
    right: view.getUint32(at + 72, true),
    child: view.getUint32(at + 76, true),
    start: view.getUint32(at + 116, true),
    size: view.getUint32(at + 120, true),
    clsid: Buffer.from(directory.subarray(at + 80, at + 96)).toString('hex'),
  };
}
