/** A second look at FLAC. It does not read the content of frames: a frame ends where the next one begins and the checksum is right. */
import type { Findings } from '../fact.ts';

/** One block of metadata, the last one, with 34 bytes. */
const HEAD = Buffer.from('fLaC\x80\0\0\x22', 'latin1');
const FRAMES_AT = 42;

/** Checks that every byte behind the form of the sound belongs to a frame, and that the numbers of the frames rise by one step. */
export function inspectFlac(view: Buffer, findings: Findings): void {
  if (!view.subarray(0, 8).equals(HEAD)) findings.add('media-chunk', 'metadata');
  const first = headerAt(view, FRAMES_AT);
  let at = FRAMES_AT;
  let expected = first?.number;
  while (at < view.length) {
    const header = headerAt(view, at);
    const next = nextFrame(view, at);
    if (header === null || next === null || header.kind !== first?.kind || header.number !== expected) break;
    expected = header.number + header.step;
    at = next;
  }
  if (at < view.length) findings.add('media-left-over', `byte ${at}`);
  if (at === FRAMES_AT) findings.add('media-empty', 'file');
}

/**
 * Returns where the frame at this place ends: in front of a header up to which the checksum is right, or at the end of the file. Else
 * returns null.
 */
function nextFrame(view: Buffer, start: number): number | null {
  let [sum, from] = [0, start];
  for (let at = view.indexOf(0xff, start + 1); at !== -1; at = view.indexOf(0xff, at + 1)) {
    if (headerAt(view, at) === null) continue;
    sum = remainder(view.subarray(from, at), 16, 0x8005, sum);
    from = at;
    if (sum === 0) return at;
  }
  return remainder(view.subarray(from), 16, 0x8005, sum) === 0 ? view.length : null;
}

/** How far the numbers of frames may jump over damage in an original. */
const MAX_JUMP = 100;

/** Returns the number of frames of a recording, also behind damage. */
export function framesOfFlac(view: Buffer, start: number): number {
  let last: FrameHeader | null = null;
  let count = 0;
  for (let at = view.indexOf(0xff, afterMetadata(view, start)); at !== -1; at = view.indexOf(0xff, at + 1)) {
    const header = headerAt(view, at);
    if (header === null) continue;
    const isNext: boolean =
      last === null ||
      (header.kind === last.kind && header.number > last.number && header.number <= last.number + last.step * MAX_JUMP);
    if (!isNext) continue;
    last = header;
    count++;
  }
  return count;
}

function afterMetadata(view: Buffer, start: number): number {
  let at = start + 4;
  for (let isLast = false; !isLast && at + 4 <= view.length; ) {
    isLast = view.readUInt8(at) >= 0x80;
    at += 4 + view.readUIntBE(at + 1, 3);
  }
  return at;
}

interface FrameHeader {
  readonly number: number;
  /** From the number of this frame to the number of the next. */
  readonly step: number;
  /** Form of the blocks, channels and bits of a sample. */
  readonly kind: string;
}

function headerAt(view: Buffer, at: number): FrameHeader | null {
  if (at + 6 > view.length || (view.readUInt16BE(at) & 0xfffe) !== 0xfff8) return null;
  const codes = view.readUInt16BE(at + 2);
  const [size, rate, channels, bits] = [codes >> 12, (codes >> 8) & 15, (codes >> 4) & 15, (codes >> 1) & 7];
  if (size === 0 || rate === 15 || channels > 10 || bits === 3 || (codes & 1) === 1) return null;
  const leading = [
    ...view
      .readUInt8(at + 4)
      .toString(2)
      .padStart(8, '0'),
  ].indexOf('0');
  if (leading === 1 || leading === -1) return null;
  const numberBytes = Math.max(1, leading);
  const behind = at + 4 + numberBytes;
  const sizeBytes = size === 6 ? 1 : size === 7 ? 2 : 0;
  const end = behind + sizeBytes + (rate === 12 ? 1 : rate > 12 ? 2 : 0);
  if (end >= view.length || remainder(view.subarray(at, end + 1), 8, 0x07, 0) !== 0) return null;
  const isVariable = (view.readUInt8(at + 1) & 1) === 1;
  let number = leading === 0 ? view.readUInt8(at + 4) : view.readUInt8(at + 4) % 2 ** (7 - leading);
  for (let place = at + 5; place < behind; place++) number = number * 64 + (view.readUInt8(place) & 63);
  const samples = sizeBytes > 0 ? view.readUIntBE(behind, sizeBytes) + 1 : samplesOf(size);
  const kind = `${isVariable} ${channels < 8 ? channels : 1} ${bits}`;
  return { number, step: isVariable ? samples : 1, kind };
}

function samplesOf(size: number): number {
  if (size === 1) return 192;
  return size < 6 ? 144 * 2 ** size : 2 ** size;
}

/** Tables of remainders, by polynomial. */
const TABLES = new Map<number, Uint16Array>();

/** Returns the remainder of the bytes by a polynomial of 8 or 16 bits, from the remainder of the bytes in front of them. */
function remainder(bytes: Uint8Array, width: 8 | 16, polynomial: number, from: number): number {
  const table = TABLES.get(polynomial) ?? makeTable(width, polynomial);
  const shift = width - 8;
  const mask = 2 ** width - 1;
  let value = from;
  for (const byte of bytes) value = ((value << 8) & mask) ^ (table[(value >> shift) ^ byte] ?? 0);
  return value;
}

function makeTable(width: 8 | 16, polynomial: number): Uint16Array {
  const table = new Uint16Array(256);
  for (let bit = 0; bit < 8; bit++) {
    const above =
      bit === 0
        ? polynomial
        : ((table[2 ** (bit - 1)] ?? 0) << 1) ^ ((table[2 ** (bit - 1)] ?? 0) >> (width - 1) === 1 ? polynomial : 0);
    const value = above & (2 ** width - 1);
    for (let low = 0; low < 2 ** bit; low++) table[2 ** bit + low] = value ^ (table[low] ?? 0);
  }
  TABLES.set(polynomial, table);
  return table;
}
