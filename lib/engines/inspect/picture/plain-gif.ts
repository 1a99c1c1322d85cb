/**
 * Decides whether every byte of a GIF belongs to its picture (GIF89a). It has no extension but those of animations and comments. Each frame
 * has compressed data for its number of pixels, with colours of its table, and no bytes follow the last one.
 */
import { isPlainText } from './plain-notes.ts';

/** The largest picture that is decoded; a larger one takes minutes. Ordinary animations have a tenth of it. */
const MAX_PIXELS = 64_000_000;
const LOOP = Buffer.from('21ff0b4e45545343415045322e300301', 'hex');
const [EXTENSION, FRAME, TRAILER, CONTROL, COMMENT] = [0x21, 0x2c, 0x3b, 0xf9, 0xfe];
const MAX_BITS = 12;
const MAX_CODES = 2 ** MAX_BITS;

interface Screen {
  readonly width: number;
  readonly height: number;
  /** Colours of the table that frames without one of their own use. */
  readonly colours: number;
}

/** Returns true when nothing else is in the file. Never throws. */
export function isPlainGif(bytes: Buffer): boolean {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return false;
  const [width, height, flags] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8), bytes[10] ?? 0];
  const screen = { width, height, colours: coloursOf(flags) };
  let at = 13 + 3 * screen.colours;
  let pixels = 0;
  const seen = new Set<number>();
  while (at < bytes.length && bytes[at] !== TRAILER) {
    if (!isExpected(bytes, at, seen)) return false;
    const block = bytes[at] === FRAME ? frameAt(bytes, at, screen) : extensionAt(bytes, at);
    pixels += block?.pixels ?? 0;
    if (block === null || pixels > MAX_PIXELS) return false;
    at = block.end;
  }
  return pixels > 0 && at === bytes.length - 1;
}

/** Checks the extensions. A control is for the frame behind it, and comment and loop occur once. More of them hold something else. */
function isExpected(bytes: Buffer, at: number, seen: Set<number>): boolean {
  if (bytes[at] === FRAME) return seen.delete(CONTROL) || true;
  const kind = bytes[at + 1] ?? 0;
  const isFirst = !seen.has(kind);
  seen.add(kind);
  return isFirst;
}

const coloursOf = (flags: number) => ((flags & 0x80) === 0 ? 0 : 2 << (flags & 7));

interface Block {
  readonly end: number;
  readonly pixels: number;
}

/** Reads an extension: a comment, the time of a frame, or the repeat count of an animation. Returns null for any other. */
function extensionAt(bytes: Buffer, at: number): Block | null {
  if (bytes[at] !== EXTENSION) return null;
  const isControl = bytes[at + 1] === CONTROL && bytes[at + 2] === 4 && bytes[at + 7] === 0;
  if (bytes[at + 1] === COMMENT) return commentAt(bytes, at);
  const isLoop = bytes.subarray(at, at + LOOP.length).equals(LOOP) && bytes[at + LOOP.length + 2] === 0;
  if (isControl) return { end: at + 8, pixels: 0 };
  return isLoop ? { end: at + LOOP.length + 3, pixels: 0 } : null;
}

function commentAt(bytes: Buffer, at: number): Block | null {
  const blocks = blocksAt(bytes, at + 2);
  return blocks !== null && isPlainText(blocks.data) ? { end: blocks.end, pixels: 0 } : null;
}

function frameAt(bytes: Buffer, at: number, screen: Screen): Block | null {
  if (at + 12 > bytes.length) return null;
  const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
  const [width, height] = [bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)];
  const own = coloursOf(bytes[at + 9] ?? 0);
  const start = at + 10 + 3 * own;
  const [codeBits = 0] = bytes.subarray(start);
  const pixels = width * height;
  const isInside = pixels > 0 && left + width <= screen.width && top + height <= screen.height;
  if (!isInside || pixels > MAX_PIXELS || codeBits < 2 || codeBits > 8) return null;
  const blocks = blocksAt(bytes, start + 1);
  if (blocks === null) return null;
  const colours = own || screen.colours;
  return pixelsIn(blocks.data, codeBits, colours, pixels) === pixels ? { end: blocks.end, pixels } : null;
}

/** Returns the data of a chain of blocks, and its end. Returns null when it does not end. */
function blocksAt(bytes: Buffer, from: number): { readonly data: Buffer; readonly end: number } | null {
  const blocks: Buffer[] = [];
  for (let at = from; at < bytes.length; ) {
    const length = bytes[at] as number;
    if (length === 0) return { data: Buffer.concat(blocks), end: at + 1 };
    blocks.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return null;
}

/**
 * Returns the number of pixels of the codes (appendix F). Returns null when a code is not defined or has no colour, when there are more
 * than `most`, and when anything follows the last code.
 */
function pixelsIn(data: Buffer, codeBits: number, colours: number, most: number): number | null {
  const table = openTable(codeBits);
  const codes = openCodes(data);
  let pixels = 0;
  for (;;) {
    const code = codes.take(table.bits());
    if (code === null) return null;
    if (code === table.end) return codes.isAtEnd() ? pixels : null;
    const length = code === table.clear ? table.empty() : table.lengthOf(code, colours);
    if (length === null) return null;
    pixels += length;
    if (pixels > most) return null;
  }
}

/** Reads codes, whose lowest bit comes first. */
function openCodes(data: Buffer) {
  let [at, held, count] = [0, 0, 0];
  return {
    take(bits: number): number | null {
      for (; count < bits && at < data.length; count += 8) held |= (data[at++] as number) << count;
      if (count < bits) return null;
      const code = held & ((1 << bits) - 1);
      held >>>= bits;
      count -= bits;
      return code;
    },
    /** Returns true when all is read, and the bits that fill the last byte are zeros. */
    isAtEnd: () => at === data.length && held === 0,
  };
}

/** Builds the table of a decoder. It has the number of pixels of each code. */
function openTable(codeBits: number) {
  const [clear, end] = [1 << codeBits, (1 << codeBits) + 1];
  const lengths = new Uint32Array(MAX_CODES).fill(1, 0, clear);
  let [next, previous] = [end + 1, -1];
  return {
    clear,
    end,
    bits: () => Math.min(MAX_BITS, Math.max(codeBits + 1, 32 - Math.clz32(next))),
    empty(): number {
      [next, previous] = [end + 1, -1];
      return 0;
    },
    lengthOf(code: number, colours: number): number | null {
      if (code < clear && code >= colours) return null;
      // A new code is the previous one and one more pixel. It may be used at once.
      if (previous >= 0 && next < MAX_CODES) lengths[next++] = (lengths[previous] as number) + 1;
      if (code >= next) return null;
      previous = code;
      return lengths[code] as number;
    },
  };
}
