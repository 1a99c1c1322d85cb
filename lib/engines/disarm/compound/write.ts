/**
 * Writes compound files ([MS-CFB], version 3) from scratch. They have no times, no unused space, and streams in a fixed order, so equal
 * content gives equal bytes.
 */

const SECTOR = 512;
const MINI_SECTOR = 64;
const MINI_CUTOFF = 4096;
const FREE = 0xffffffff;
const END_OF_CHAIN = 0xfffffffe;
const FAT_SECTOR = 0xfffffffd;
const DIFAT_SECTOR = 0xfffffffc;
const PER_SECTOR = SECTOR / 4;
const HEADER_SLOTS = 109;

export interface OutputFile {
  /** Class id of the root, 32 hex digits in file order. */
  readonly clsid: string;
  /** By path; one level of storages (`storage/stream`) at most. */
  readonly streams: ReadonlyMap<string, Uint8Array>;
}

interface Node {
  readonly name: string;
  readonly kind: 1 | 2 | 5;
  readonly bytes: Uint8Array;
  readonly children: Node[];
  start: number;
  left: number;
  right: number;
  child: number;
  isRed: boolean;
}

const newNode = (name: string, kind: Node['kind'], bytes: Uint8Array = new Uint8Array()): Node => ({
  name,
  kind,
  bytes,
  children: [],
  start: kind === 1 ? 0 : END_OF_CHAIN,
  left: FREE,
  right: FREE,
  child: FREE,
  isRed: false,
});

/** Returns the bytes of a compound file with these streams and nothing else. */
export function writeCompoundFile({ clsid, streams }: OutputFile): Buffer {
  const root = newNode('Root Entry', 5);
  for (const [path, bytes] of streams) folderOf(root, path).children.push(newNode(nameOf(path), 2, bytes));
  const nodes = [root];
  layOut(root, nodes);
  const mini = packMini(nodes);
  return assemble(nodes, mini, Buffer.from(clsid, 'hex'));
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function folderOf(root: Node, path: string): Node {
  const slash = path.indexOf('/');
  if (slash === -1) return root;
  const name = path.slice(0, slash);
  const known = root.children.find((child) => child.kind === 1 && child.name === name);
  const folder = known ?? newNode(name, 1);
  if (known === undefined) root.children.push(folder);
  return folder;
}

/** Numbers the children of a storage and puts them into a balanced search tree ([MS-CFB] 2.6.4). */
function layOut(folder: Node, nodes: Node[]): void {
  const sorted = [...folder.children].sort(byName);
  const first = nodes.length;
  nodes.push(...sorted);
  const depth = Math.floor(Math.log2(Math.max(1, sorted.length)));
  const hang = (from: number, to: number, level: number): number => {
    if (from >= to) return FREE;
    const middle = (from + to) >> 1;
    const node = sorted[middle];
    if (node === undefined) return FREE;
    // All missing leaves are on the lowest level. Painting that level red makes a valid red-black tree.
    node.isRed = level > 0 && level === depth;
    node.left = hang(from, middle, level + 1);
    node.right = hang(middle + 1, to, level + 1);
    return first + middle;
  };
  folder.child = hang(0, sorted.length, 0);
  for (const node of sorted) if (node.kind === 1) layOut(node, nodes);
}

function byName(one: Node, other: Node): number {
  const a = one.name.toUpperCase();
  const b = other.name.toUpperCase();
  return a.length - b.length || (a < b ? -1 : 1);
}

interface Mini {
  readonly bytes: Buffer;
  readonly fat: readonly number[];
}

const isMini = (node: Node): boolean => node.kind === 2 && node.bytes.length > 0 && node.bytes.length < MINI_CUTOFF;

function packMini(nodes: readonly Node[]): Mini {
  const chunks: Uint8Array[] = [];
  const fat: number[] = [];
  for (const node of nodes) {
    if (!isMini(node)) continue;
    node.start = fat.length;
    const count = Math.ceil(node.bytes.length / MINI_SECTOR);
    chunks.push(node.bytes, new Uint8Array(count * MINI_SECTOR - node.bytes.length));
    chain(fat, count);
  }
  return { bytes: Buffer.concat(chunks), fat };
}

function chain(fat: number[], count: number): void {
  for (let index = 1; index < count; index++) fat.push(fat.length + 1);
  fat.push(END_OF_CHAIN);
}

function assemble(nodes: readonly Node[], mini: Mini, clsid: Buffer): Buffer {
  const miniTable = tableOf(mini.fat);
  const directoryBytes = Math.ceil(nodes.length / 4) * SECTOR;
  const large = nodes.filter((node) => node.kind === 2 && node.bytes.length >= MINI_CUTOFF);
  const bodies = [Buffer.alloc(directoryBytes), miniTable, mini.bytes, ...large.map(({ bytes }) => bytes)];
  const bodySectors = bodies.reduce((sum, { length }) => sum + Math.ceil(length / SECTOR), 0);
  const { fatSectors, difatSectors } = tableSizes(bodySectors);
  const fat: number[] = [...Array(fatSectors).fill(FAT_SECTOR), ...Array(difatSectors).fill(DIFAT_SECTOR)];
  const starts = bodies.map(({ length }) => {
    const start = length === 0 ? END_OF_CHAIN : fat.length;
    if (length > 0) chain(fat, Math.ceil(length / SECTOR));
    return start;
  });
  for (const [index, node] of large.entries()) node.start = starts[index + 3] ?? END_OF_CHAIN;
  const root = nodes[0];
  if (root !== undefined) root.start = starts[2] ?? END_OF_CHAIN;
  const out = Buffer.alloc((1 + fat.length) * SECTOR);
  writeHeader(out, {
    fatSectors,
    difatSectors,
    directory: starts[0] ?? END_OF_CHAIN,
    miniTable: starts[1] ?? END_OF_CHAIN,
    miniSectors: miniTable.length / SECTOR,
  });
  out.set(tableOf(fat), SECTOR);
  for (const [index, node] of nodes.entries()) {
    writeEntry(bodies[0] as Buffer, index * 128, node, node.kind === 5 ? mini.bytes.length : node.bytes.length);
  }
  (bodies[0] as Buffer).set(clsid, 80);
  for (let index = nodes.length; index < directoryBytes / 128; index++)
    writeEmptyEntry(bodies[0] as Buffer, index * 128);
  for (const [index, body] of bodies.entries()) if (body.length > 0) out.set(body, (1 + (starts[index] ?? 0)) * SECTOR);
  return out;
}

/** Returns how many sectors the allocation table needs, itself and the table of its sectors included. */
function tableSizes(bodySectors: number): { fatSectors: number; difatSectors: number } {
  let fatSectors = 0;
  let difatSectors = 0;
  for (;;) {
    const needed = Math.ceil((bodySectors + fatSectors + difatSectors) / PER_SECTOR);
    const further = Math.ceil(Math.max(0, needed - HEADER_SLOTS) / (PER_SECTOR - 1));
    if (needed === fatSectors && further === difatSectors) return { fatSectors, difatSectors };
    fatSectors = needed;
    difatSectors = further;
  }
}

/** Returns a table of sector numbers, filled up to whole sectors. */
function tableOf(fat: readonly number[]): Buffer {
  const out = Buffer.alloc(Math.ceil(fat.length / PER_SECTOR) * SECTOR, 0xff);
  for (const [index, next] of fat.entries()) out.writeUInt32LE(next, index * 4);
  return out;
}

interface Layout {
  readonly fatSectors: number;
  readonly difatSectors: number;
  readonly directory: number;
  readonly miniTable: number;
  readonly miniSectors: number;
}

function writeHeader(out: Buffer, layout: Layout): void {
  out.write('d0cf11e0a1b11ae1', 0, 'hex');
  out.writeUInt16LE(0x3e, 0x18);
  out.writeUInt16LE(3, 0x1a);
  out.writeUInt16LE(0xfffe, 0x1c);
  out.writeUInt16LE(9, 0x1e);
  out.writeUInt16LE(6, 0x20);
  out.writeUInt32LE(layout.fatSectors, 0x2c);
  out.writeUInt32LE(layout.directory, 0x30);
  out.writeUInt32LE(MINI_CUTOFF, 0x38);
  out.writeUInt32LE(layout.miniTable, 0x3c);
  out.writeUInt32LE(layout.miniSectors, 0x40);
  out.writeUInt32LE(layout.difatSectors > 0 ? layout.fatSectors : END_OF_CHAIN, 0x44);
  out.writeUInt32LE(layout.difatSectors, 0x48);
  out.fill(0xff, 0x4c, SECTOR);
  writeDifat(out, layout);
}

/** Writes the allocation table. It is in the first sectors, directly before the sectors that list the rest of it. */
function writeDifat(out: Buffer, { fatSectors, difatSectors }: Layout): void {
  for (let index = 0; index < Math.min(fatSectors, HEADER_SLOTS); index++) out.writeUInt32LE(index, 0x4c + index * 4);
  for (let list = 0; list < difatSectors; list++) {
    const at = (1 + fatSectors + list) * SECTOR;
    out.fill(0xff, at, at + SECTOR);
    const first = HEADER_SLOTS + list * (PER_SECTOR - 1);
    for (let slot = 0; slot < PER_SECTOR - 1 && first + slot < fatSectors; slot++) {
      out.writeUInt32LE(first + slot, at + slot * 4);
    }
    out.writeUInt32LE(list + 1 < difatSectors ? fatSectors + list + 1 : END_OF_CHAIN, at + SECTOR - 4);
  }
}

function writeEntry(out: Buffer, at: number, node: Node, size: number): void {
  out.write(node.name, at, 'utf16le');
  out.writeUInt16LE(node.name.length * 2 + 2, at + 64);
  out[at + 66] = node.kind;
  out[at + 67] = node.isRed ? 0 : 1;
  out.writeUInt32LE(node.left, at + 68);
  out.writeUInt32LE(node.right, at + 72);
  out.writeUInt32LE(node.child, at + 76);
  out.writeUInt32LE(node.start, at + 116);
  out.writeUInt32LE(size, at + 120);
}

function writeEmptyEntry(out: Buffer, at: number): void {
  out.fill(0xff, at + 68, at + 80);
}
