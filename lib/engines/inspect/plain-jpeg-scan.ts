/**
 * Whether the compressed data of a JPEG scan are the blocks of its picture and nothing else (ITU-T T.81, F.2 and G.2). Values are stepped
 * over, not computed: only how many bits they have counts.
 */

/** A code by its first 16 bits: its length in the upper byte, its value in the lower. Zero where there is no code. */
export type Codes = Uint16Array;
const CODE_BITS = 16;
/** The longest values of pictures with 8 bits (F.1.2). The first of a block is a difference. */
const [MOST_BITS, MOST_FIRST_BITS] = [10, 11];

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
  /** For each of the 64 values of a block, how many of its bits are still to come; -1 when none of it was there. */
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

/** The codes of a table by how many there are of each length (C.2); null when they do not fit into their bits. */
export function codesOf(counts: Uint8Array, values: Uint8Array): Codes | null {
  const codes = new Uint16Array(1 << CODE_BITS);
  let [next, index] = [0, 0];
  for (let bits = 1; bits <= CODE_BITS; bits++) {
    const room = 1 << (CODE_BITS - bits);
    for (let count = counts[bits - 1] as number; count > 0; count--) {
      // The code of only ones is never used.
      if (next + room >= codes.length) return null;
      codes.fill((bits << 8) | (values[index++] as number), next, next + room);
      next += room;
    }
  }
  return codes;
}

/** True when the pieces between the restarts hold all units of the scan, and nothing is left of any. */
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
  const bits = openBits(piece);
  const run = { left: 0 };
  const read = scan.isProgressive ? progressiveBlock : sequentialBlock;
  for (let unit = from; unit < to; unit++)
    for (const [component, block] of blocksOf(scan, unit))
      if (!read({ bits, scan, run }, component, block * 64)) return false;
  return run.left === 0 && bits.isAtEnd();
}

/** The blocks of a unit with their numbers (A.2). */
function* blocksOf({ components, unitsWide }: Scan, unit: number): Generator<readonly [Coded, number]> {
  const [only, ...more] = components;
  if (only !== undefined && more.length === 0) {
    yield [only, Math.floor(unit / only.wide) * only.stride + (unit % only.wide)];
    return;
  }
  for (const component of components) {
    const { across, down, stride } = component;
    const corner = Math.floor(unit / unitsWide) * down * stride + (unit % unitsWide) * across;
    for (let row = 0; row < down; row++)
      for (let column = 0; column < across; column++) yield [component, corner + row * stride + column];
  }
}

interface Bits {
  /** The value of the next code; -1 when there is none. */
  code(codes: Codes): number;
  take(count: number): number;
  isAtEnd(): boolean;
}

/** Reads bits, the highest first. Behind the end there are zeros, which `isAtEnd` then tells. */
function openBits(bytes: Buffer): Bits {
  let at = 0;
  const peek = () => {
    const byte = at >> 3;
    const all = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
    return (all >> (8 - (at & 7))) & 0xffff;
  };
  return {
    code(codes) {
      const found = codes[peek()] as number;
      at += found >> 8;
      return found === 0 ? -1 : found & 0xff;
    },
    take(count) {
      const value = count === 0 ? 0 : peek() >> (CODE_BITS - count);
      at += count;
      return value;
    },
    isAtEnd: () => Math.ceil(at / 8) === bytes.length,
  };
}

interface Work {
  readonly bits: Bits;
  readonly scan: Scan;
  /** Blocks without further values that were announced (G.1.2.2). */
  readonly run: { left: number };
}

/** All 64 values of a block. */
function sequentialBlock({ bits }: Work, { first, others }: Coded): boolean {
  if (first === undefined || others === undefined || !stepOverFirst(bits, first)) return false;
  for (let at = 1; at < 64; ) {
    const code = bits.code(others);
    const [zeros, size] = [code >> 4, code & 15];
    if (code < 0 || size > MOST_BITS) return false;
    if (size === 0 && zeros < 15) return true;
    at += zeros + 1;
    if (at > 64) return false;
    bits.take(size);
  }
  return true;
}

function stepOverFirst(bits: Bits, codes: Codes): boolean {
  const size = bits.code(codes);
  if (size < 0 || size > MOST_FIRST_BITS) return false;
  bits.take(size);
  return true;
}

function progressiveBlock(work: Work, component: Coded, block: number): boolean {
  const { bits, scan } = work;
  if (scan.from > 0) return scan.isRefining ? refinedBlock(work, component, block) : laterBlock(work, component, block);
  if (!scan.isRefining) return component.first !== undefined && stepOverFirst(bits, component.first);
  bits.take(1);
  return true;
}

/** Some values of a block, for the first time (G.1.2.2). */
function laterBlock({ bits, scan, run }: Work, { others, known }: Coded, block: number): boolean {
  if (others === undefined) return false;
  if (run.left > 0) {
    run.left -= 1;
    return true;
  }
  for (let at = scan.from; at <= scan.to; ) {
    const code = bits.code(others);
    const [zeros, size] = [code >> 4, code & 15];
    if (code < 0 || size > MOST_BITS) return false;
    if (size === 0 && zeros < 15) {
      run.left = (1 << zeros) - 1 + bits.take(zeros);
      return true;
    }
    at += zeros + 1;
    if (at > scan.to + 1) return false;
    if (size > 0) known[block + at - 1] = 1;
    bits.take(size);
  }
  return true;
}

/** Another bit of some values of a block, and values that become other than zero by it (G.1.2.3). */
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
  for (; at <= scan.to; at++) bits.take(known[block + at] as number);
  run.left -= 1;
  return true;
}

/** The place behind so many values that still are zero. Each known value on the way gets its bit. */
function behindZeros({ bits, scan }: Work, known: Uint8Array, block: number, from: number, zeros: number): number {
  let left = zeros;
  for (let at = from; at <= scan.to; at++) {
    if (known[block + at] === 1) bits.take(1);
    else if (left === 0) return at;
    else left -= 1;
  }
  return scan.to + 1;
}
