/**
 * Decides whether every byte of a JPEG belongs to its picture (ITU-T T.81). It has known segments of the right length and tables that a
 * decoder can build. Its scans use only what was defined before, and hold as many blocks as the picture has.
 */
import { type Coded, type Codes, codesOf, isWholeScan } from './plain-jpeg-scan.ts';
import { plainSegment } from './plain-notes.ts';

const SEGMENT = {
  jfif: 0xe0,
  adobe: 0xee,
  quantization: 0xdb,
  huffman: 0xc4,
  restart: 0xdd,
  scan: 0xda,
  end: 0xd9,
} as const;
/** Baseline, extended and progressive, with Huffman codes. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const PROGRESSIVE = 0xc2;
/** The most scans. A progressive picture of thousands of scans takes minutes to decode. Encoders write about ten. */
const MAX_SCANS = 64;
/**
 * The most blocks of all scans. Many scans of a large picture take minutes. A photograph of 24 megapixels in ten scans has four million.
 */
const MAX_BLOCKS = 6_000_000;
/** The largest picture; a larger one fills the memory. Photographs of telephones have half of it. */
const MAX_PIXELS = 50_000_000;
/** A table counts its codes by their length, 1 to 16 bits. */
const CODE_BITS = 16;
/** Blocks of all components in a unit (B.2.3). */
const MAX_BLOCKS_OF_UNIT = 10;

interface Component {
  readonly id: number;
  /** The number of its table of quantization. */
  readonly table: number;
  readonly layout: Omit<Coded, 'first' | 'others'>;
}

interface Frame {
  readonly isProgressive: boolean;
  readonly components: readonly Component[];
  readonly unitsWide: number;
  readonly unitsHigh: number;
}

/** The segments that were read so far. */
interface Seen {
  frame: Frame | null;
  scans: number;
  /** Blocks in all scans so far. */
  blocks: number;
  /** Units between restarts. */
  interval: number;
  readonly quantization: Set<number>;
  /** The tables since the last scan. A table that is defined twice, or for no scan, has another purpose. */
  readonly pending: Set<number | string>;
  /** By class and number of the table. */
  readonly codes: Map<number, Codes>;
  /** Kinds of the data of the picture about itself. */
  readonly notes: Set<string>;
  /** False for the small picture in the data about the picture. */
  readonly mayHaveNotes: boolean;
}

/** Returns true when nothing else is in the file. Never throws. */
export function isPlainJpeg(bytes: Buffer, mayHaveNotes = true): boolean {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return false;
  const read = {
    quantization: new Set<number>(),
    codes: new Map<number, Codes>(),
    notes: new Set<string>(),
    pending: new Set<number | string>(),
  };
  const seen: Seen = { frame: null, scans: 0, blocks: 0, interval: 0, ...read, mayHaveNotes };
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] as number;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (bytes[at] !== 0xff || end > bytes.length || end < at + 4) return false;
    const data = bytes.subarray(at + 4, end);
    at = marker === SEGMENT.scan ? endOfScan(bytes, end, seen.interval) : end;
    if (marker === SEGMENT.scan ? !isScan(data, bytes.subarray(end, at), seen) : !isSegment(marker, data, end, seen))
      return false;
  }
  const isWhole = seen.frame?.components.every(({ layout }) => (layout.levels[0] as number) >= 0) ?? false;
  return (
    isWhole && seen.pending.size === 0 && at + 2 === bytes.length && bytes[at] === 0xff && bytes[at + 1] === SEGMENT.end
  );
}

/** JFIF comes before everything else. */
const JFIF_END = 20;

function isSegment(marker: number, data: Buffer, end: number, seen: Seen): boolean {
  if (marker === SEGMENT.jfif) return end === JFIF_END && isJfif(data);
  if (marker === SEGMENT.adobe)
    return data.length === 12 && isNew('adobe', seen) && data.toString('latin1', 0, 5) === 'Adobe';
  if (marker === SEGMENT.quantization) return areQuantization(data, seen);
  if (marker === SEGMENT.huffman) return areHuffman(data, seen);
  if (marker === SEGMENT.restart) return isRestart(data, seen);
  return FRAMES.includes(marker) ? isFrame(data, marker, seen) : isNote(marker, data, seen);
}

function isNew(what: number | string, { pending }: Seen): boolean {
  const isFirst = !pending.has(what);
  pending.add(what);
  return isFirst;
}

/** Checks data about the picture: in front of the frame, and each kind once. */
function isNote(marker: number, data: Buffer, { frame, notes, mayHaveNotes }: Seen): boolean {
  if (!mayHaveNotes || frame !== null) return false;
  const kind = plainSegment(marker, data, (small) => isPlainJpeg(small, false));
  if (kind === null || notes.has(kind)) return false;
  notes.add(kind);
  return true;
}

/** Checks JFIF, without the small picture that it may hold. */
const isJfif = (data: Buffer) =>
  data.length === 14 && data.toString('latin1', 0, 5) === 'JFIF\0' && data[12] === 0 && data[13] === 0;

/** Checks that the tables of a segment fill it (B.2.4.1). */
function areQuantization(data: Buffer, { quantization }: Seen): boolean {
  let at = 0;
  while (at < data.length) {
    const [precision, table] = [(data[at] as number) >> 4, (data[at] as number) & 15];
    const values = data.subarray(at + 1, at + 1 + 64 * (precision + 1));
    if (precision > 1 || table > 3 || values.length !== 64 * (precision + 1)) return false;
    if (quantization.has(table) || isZero(values, precision + 1)) return false;
    quantization.add(table);
    at += 1 + values.length;
  }
  return at === data.length;
}

/** Checks values that decoders divide by. */
const isZero = (values: Buffer, size: number) =>
  values.some((_, at) => at % size === 0 && values.subarray(at, at + size).every((byte) => byte === 0));

/** Checks that the codes of a table fit into their bits. If they do not, the tables of decoders overflow (B.2.4.2). */
function areHuffman(data: Buffer, seen: Seen): boolean {
  let at = 0;
  while (at < data.length) {
    const [kind, table] = [(data[at] as number) >> 4, (data[at] as number) & 15];
    const counts = data.subarray(at + 1, at + 1 + CODE_BITS);
    const length = counts.reduce((sum, count) => sum + count, 0);
    const values = data.subarray(at + 1 + CODE_BITS, at + 1 + CODE_BITS + length);
    if (kind > 1 || table > 3 || counts.length !== CODE_BITS || length === 0 || length > 256) return false;
    const built = values.length === length ? codesOf(counts, values) : null;
    if (built === null || !isNew(codeOf(kind, table), seen)) return false;
    seen.codes.set(codeOf(kind, table), built);
    at += 1 + CODE_BITS + length;
  }
  return at === data.length;
}

const codeOf = (kind: number, table: number) => kind * 4 + table;

function isRestart(data: Buffer, seen: Seen): boolean {
  if (data.length !== 2 || !isNew('restart', seen)) return false;
  seen.interval = data.readUInt16BE(0);
  return true;
}

/** Checks for one frame of 8 bits, with a different name for each component (B.2.2). */
function isFrame(data: Buffer, marker: number, seen: Seen): boolean {
  const [precision, , , , , count = 0] = data;
  if (seen.frame !== null || precision !== 8 || ![1, 3, 4].includes(count) || data.length !== 6 + 3 * count)
    return false;
  const size = { high: data.readUInt16BE(1), wide: data.readUInt16BE(3) };
  const named = Array.from({ length: count }, (_, index) => {
    const [id = 0, sampling = 0, table = 0] = data.subarray(6 + index * 3);
    return { id, table, across: sampling >> 4, down: sampling & 15 };
  });
  const areSampled = named.every(({ across, down }) => [across, down].every((each) => each >= 1 && each <= 4));
  const isEmpty = size.high * size.wide === 0 || size.high * size.wide > MAX_PIXELS;
  if (isEmpty || !areSampled || new Set(named.map(({ id }) => id)).size !== count) return false;
  seen.frame = frameOf(size, named, marker === PROGRESSIVE);
  return true;
}

interface Named {
  readonly id: number;
  readonly table: number;
  readonly across: number;
  readonly down: number;
}

/** Computes how many blocks of 8 by 8 values each component has, and how many units of blocks there are (A.1.1, A.2). */
function frameOf(
  size: { readonly wide: number; readonly high: number },
  named: readonly Named[],
  isProgressive: boolean,
) {
  const most = {
    across: Math.max(...named.map(({ across }) => across)),
    down: Math.max(...named.map(({ down }) => down)),
  };
  const [unitsWide, unitsHigh] = [Math.ceil(size.wide / (8 * most.across)), Math.ceil(size.high / (8 * most.down))];
  const components = named.map(({ id, table, across, down }): Component => {
    const wide = Math.ceil(Math.ceil((size.wide * across) / most.across) / 8);
    const high = Math.ceil(Math.ceil((size.high * down) / most.down) / 8);
    const stride = unitsWide * across;
    const known = new Uint8Array(isProgressive ? stride * unitsHigh * down * 64 : 0);
    const levels = new Int8Array(64).fill(-1);
    return { id, table, layout: { across, down, wide, high, stride, known, levels } };
  });
  return { isProgressive, components, unitsWide, unitsHigh };
}

/** Checks that a scan names components of the frame and existing tables (B.2.3). */
function isScan(data: Buffer, packed: Buffer, seen: Seen): boolean {
  const { frame, quantization, codes, interval } = seen;
  const count = data[0] ?? 0;
  if (frame === null || count < 1 || count > frame.components.length || data.length !== 4 + 2 * count) return false;
  const [from = 0, to = 0, bits = 0] = data.subarray(1 + 2 * count);
  const components = Array.from({ length: count }, (_, index): (Coded & { readonly id: number }) | null => {
    const [id, tables = 0] = data.subarray(1 + index * 2);
    const component = frame.components.find((each) => each.id === id);
    if (component === undefined || !quantization.has(component.table)) return null;
    const [first, others] = [codes.get(codeOf(0, tables >> 4)), codes.get(codeOf(1, tables & 15))];
    return { ...component.layout, id: component.id, first, others };
  }).filter((each) => each !== null);
  seen.scans += 1;
  seen.pending.clear();
  if (seen.scans > MAX_SCANS || new Set(components.map(({ id }) => id)).size !== count) return false;
  if (count > 1 && components.reduce((sum, { across, down }) => sum + across * down, 0) > MAX_BLOCKS_OF_UNIT)
    return false;
  seen.blocks += components.reduce((sum, { wide, high }) => sum + wide * high, 0);
  if (seen.blocks > MAX_BLOCKS) return false;
  if (!isRangeOfScan(frame, { from, to, bits, count })) return false;
  if (!components.every(({ levels }) => isNextOf(levels, { from, to, bits, count }))) return false;
  return isWholeScan(piecesOf(packed), { ...frame, components, from, to, isRefining: bits >> 4 > 0, interval });
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly bits: number;
  readonly count: number;
}

/** Returns whether a scan holds a valid range of the 64 values of a block and of their bits (G.1.1.1.1). */
function isRangeOfScan({ isProgressive }: Frame, { from, to, bits, count }: Range): boolean {
  const [high, low] = [bits >> 4, bits & 15];
  if (!isProgressive) return from === 0 && to === 63 && bits === 0;
  const isSuccessive = high === 0 ? low <= 13 : high === low + 1 && low <= 13;
  return isSuccessive && (from === 0 ? to === 0 : from <= to && to <= 63 && count === 1);
}

/**
 * Checks that each value comes once and then bit by bit, and the first value of a block before the others. Decoders omit values that never
 * came.
 */
function isNextOf(levels: Int8Array, { from, to, bits }: Range): boolean {
  const [high, low] = [bits >> 4, bits & 15];
  const before = high === 0 ? -1 : high;
  if (from > 0 && (levels[0] as number) < 0) return false;
  if (!levels.subarray(from, to + 1).every((level) => level === before)) return false;
  levels.fill(low, from, to + 1);
  return true;
}

/** Returns the marker behind the compressed data. Restarts are counted from 0 to 7 and are only at the announced places. */
function endOfScan(bytes: Buffer, from: number, interval: number): number {
  let next = 0;
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 2)) {
    const marker = bytes[at + 1];
    if (marker === 0) continue;
    if (interval === 0 || marker !== 0xd0 + next) return at;
    next = (next + 1) % 8;
  }
  return bytes.length;
}

/** Returns the data between the restarts, without the zeros behind a byte of only ones. */
function piecesOf(packed: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let [from, kept]: [number, Buffer[]] = [0, []];
  for (let at = packed.indexOf(0xff); at !== -1; at = packed.indexOf(0xff, at + 2)) {
    const isStuffed = packed[at + 1] === 0;
    kept.push(packed.subarray(from, isStuffed ? at + 1 : at));
    from = at + 2;
    if (isStuffed) continue;
    pieces.push(Buffer.concat(kept));
    kept = [];
  }
  return [...pieces, Buffer.concat([...kept, packed.subarray(from)])];
}
