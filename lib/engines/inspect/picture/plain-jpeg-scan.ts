/**
 * Decides whether the compressed data of a JPEG scan are the blocks of its picture and nothing else (ITU-T T.81, F.2 and G.2). Values are
 * skipped, not computed: only their number of bits counts.
 */

/** The codes of a table by the next bits: the length of each in the upper byte, its value in the lower. Zero where there is no code. */
export interface Codes {
  /** By 16 bits: every code. */
  readonly all: Uint16Array;
  /**
   * By the first few bits: the short codes. Nearly all codes of a picture are short, and this table stays in the cache of the processor.
   */
  readonly short: Uint16Array;
}
const CODE_BITS = 16;
const SHORT_BITS = 9;
/** The longest values of pictures with 8 bits (F.1.2). The first value of a block is a difference. */
const [MAX_BITS, MAX_FIRST_BITS] = [10, 11];

/** Where the blocks of a component are, and how they are coded. */
export interface Coded {
  /** Blocks of it in a unit of an interleaved scan. */
  readonly across: number;
  readonly down: number;
  /** Blocks that cover it. */
  readonly wide: number;
  readonly high: number;
  /** Blocks that are stored in a row: a whole number of units. */
  readonly stride: number;
  readonly first: Codes | undefined;
  readonly others: Codes | undefined;
  /** For each value of each block, whether an earlier scan made it another than zero. */
  readonly known: Uint8Array;
  /** For each of the 64 values of a block, the number of its missing bits; -1 when no bit was there. */
  readonly levels: Int8Array;
}

export interface Scan {
  readonly components: readonly Coded[];
  /** Units of an interleaved scan. */
  readonly unitsWide: number;
  readonly unitsHigh: number;
  readonly isProgressive: boolean;
  /** Which values of a block it holds, and whether it only adds a bit to each. */
  readonly from: number;
  readonly to: number;
  readonly isRefining: boolean;
  /** Units between restarts; 0 for none. */
  readonly interval: number;
}

/** Returns the codes of a table by the number of each length (C.2), or null when they do not fit into their bits. */
export function codesOf(counts: Uint8Array, values: Uint8Array): Codes | null {
  const all = new Uint16Array(1 << CODE_BITS);
  let [next, index] = [0, 0];
  for (let bits = 1; bits <= CODE_BITS; bits++) {
    const room = 1 << (CODE_BITS - bits);
    for (let count = counts[bits - 1] as number; count > 0; count--) {
      // The code of only ones is never used.
      if (next + room >= all.length) return null;
      all.fill((bits << 8) | (values[index++] as number), next, next + room);
      next += room;
    }
  }
  const short = Uint16Array.from({ length: 1 << SHORT_BITS }, (_, start) => {
    const code = all[start << (CODE_BITS - SHORT_BITS)] as number;
    return code >> 8 <= SHORT_BITS ? code : 0;
  });
  return { all, short };
}

/** Returns true when the pieces between the restarts hold all units of the scan, and nothing is left over. */
export function isWholeScan(pieces: readonly Buffer[], scan: Scan): boolean {
  const units = unitCount(scan);
  const each = scan.interval === 0 ? units : scan.interval;
  if (pieces.length !== Math.ceil(units / each)) return false;
  return pieces.every((piece, index) => {
    const from = index * each;
    return isWholePiece(piece, scan, from, Math.min(units, from + each));
  });
}

function unitCount({ components, unitsWide, unitsHigh }: Scan): number {
  const [only, ...more] = components;
  return only !== undefined && more.length === 0 ? only.wide * only.high : unitsWide * unitsHigh;
}

function isWholePiece(piece: Buffer, scan: Scan, from: number, to: number): boolean {
  const work: Work = { bits: new Bits(piece), scan, run: { left: 0 } };
  const read = scan.isProgressive ? progressiveBlock : sequentialBlock;
  for (let unit = from; unit < to; unit++) if (!isUnit(work, unit, read)) return false;
  return work.run.left === 0 && work.bits.isAtEnd();
}

type ReadBlock = (work: Work, component: Coded, block: number) => boolean;

/** Reads the blocks of a unit with their numbers (A.2). Returns false for damaged ones. */
function isUnit(work: Work, unit: number, read: ReadBlock): boolean {
  const { components, unitsWide } = work.scan;
  const only = components.length === 1 ? components[0] : undefined;
  if (only !== undefined) {
    const block = Math.floor(unit / only.wide) * only.stride + (unit % only.wide);
    return read(work, only, block * 64);
  }
  const [unitRow, unitColumn] = [Math.floor(unit / unitsWide), unit % unitsWide];
  for (const component of components) {
    const { across, down, stride } = component;
    const corner = unitRow * down * stride + unitColumn * across;
    for (let row = 0; row < down; row++)
      for (let column = 0; column < across; column++)
        if (!read(work, component, (corner + row * stride + column) * 64)) return false;
  }
  return true;
}

/** Reads bits, the highest first. Zeros follow the end, and `isAtEnd` tells of it. A picture has millions of codes. */
class Bits {
  private at = 0;
  private readonly length: number;
  /** With zeros behind the end. */
  private readonly bytes: Uint8Array;

  constructor(piece: Buffer) {
    this.length = piece.length;
    this.bytes = new Uint8Array(piece.length + 4);
    this.bytes.set(piece);
  }

  /** Returns the value of the next code, or -1 when there is none. */
  code(codes: Codes): number {
    const next = this.peek();
    const found = (codes.short[next >> (CODE_BITS - SHORT_BITS)] as number) || (codes.all[next] as number);
    this.at += found >> 8;
    return found === 0 ? -1 : found & 0xff;
  }

  take(count: number): number {
    const value = count === 0 ? 0 : this.peek() >> (CODE_BITS - count);
    this.at += count;
    return value;
  }

  skip(count: number): void {
    this.at += count;
  }

  isAtEnd(): boolean {
    return (this.at + 7) >> 3 === this.length;
  }

  private peek(): number {
    const byte = this.at >> 3;
    if (byte >= this.length) return 0;
    const { bytes } = this;
    const all = ((bytes[byte] as number) << 16) | ((bytes[byte + 1] as number) << 8) | (bytes[byte + 2] as number);
    return (all >> (8 - (this.at & 7))) & 0xffff;
  }
}

interface Work {
  readonly bits: Bits;
  readonly scan: Scan;
  /** Blocks without further values that were announced (G.1.2.2). */
  readonly run: { left: number };
}

/** Reads all 64 values of a block. */
function sequentialBlock({ bits }: Work, { first, others }: Coded): boolean {
  if (first === undefined || others === undefined || !stepOverFirst(bits, first)) return false;
  for (let at = 1; at < 64; ) {
    const code = bits.code(others);
    const size = code & 15;
    if (code < 0 || size > MAX_BITS) return false;
    if (size === 0 && code < 0xf0) return true;
    at += (code >> 4) + 1;
    if (at > 64) return false;
    bits.skip(size);
  }
  return true;
}

function stepOverFirst(bits: Bits, codes: Codes): boolean {
  const size = bits.code(codes);
  if (size < 0 || size > MAX_FIRST_BITS) return false;
  bits.skip(size);
  return true;
}

function progressiveBlock(work: Work, component: Coded, block: number): boolean {
  const { bits, scan } = work;
  if (scan.from > 0) return scan.isRefining ? refinedBlock(work, component, block) : laterBlock(work, component, block);
  if (!scan.isRefining) return component.first !== undefined && stepOverFirst(bits, component.first);
  bits.skip(1);
  return true;
}

/** Reads some values of a block for the first time (G.1.2.2). */
function laterBlock({ bits, scan, run }: Work, { others, known }: Coded, block: number): boolean {
  if (others === undefined) return false;
  if (run.left > 0) {
    run.left -= 1;
    return true;
  }
  for (let at = scan.from; at <= scan.to; ) {
    const code = bits.code(others);
    const [zeros, size] = [code >> 4, code & 15];
    if (code < 0 || size > MAX_BITS) return false;
    if (size === 0 && zeros < 15) {
      run.left = (1 << zeros) - 1 + bits.take(zeros);
      return true;
    }
    at += zeros + 1;
    if (at > scan.to + 1) return false;
    if (size > 0) known[block + at - 1] = 1;
    bits.skip(size);
  }
  return true;
}

/** Reads another bit of some values of a block, and the values that it makes other than zero (G.1.2.3). */
function refinedBlock(work: Work, { others, known }: Coded, block: number): boolean {
  const { bits, scan, run } = work;
  if (others === undefined) return false;
  let at = scan.from;
  while (run.left === 0 && at <= scan.to) {
    const code = bits.code(others);
    const [zeros, size] = [code >> 4, code & 15];
    if (code < 0 || size > 1) return false;
    if (size === 0 && zeros < 15) {
      run.left = (1 << zeros) + bits.take(zeros);
      break;
    }
    bits.take(size);
    at = behindZeros(work, known, block, at, zeros);
    if (at > scan.to) return size === 0 && at === scan.to + 1;
    if (size === 1) known[block + at] = 1;
    at += 1;
  }
  if (run.left === 0) return true;
  for (; at <= scan.to; at++) bits.skip(known[block + at] as number);
  run.left -= 1;
  return true;
}

/** Returns the place behind this number of values that are still zero. Each known value on the way gets its bit. */
function behindZeros({ bits, scan }: Work, known: Uint8Array, block: number, from: number, zeros: number): number {
  let left = zeros;
  for (let at = from; at <= scan.to; at++) {
    if (known[block + at] === 1) bits.skip(1);
    else if (left === 0) return at;
    else left -= 1;
  }
  return scan.to + 1;
}
