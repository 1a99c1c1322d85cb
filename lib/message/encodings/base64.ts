/**
 * Decodes base64 as it comes in mail (RFC 2045 §6.8). The native decoder decodes ordinary bodies. Any other body is decoded in each way
 * that programs have for junk, padding in the middle, and the URL-safe alphabet.
 */
import { createHash } from 'node:crypto';
import { CR, LF, SPACE, TAB, withoutLineBreak } from '../../formats/byte-scan.ts';
import { STEP_BYTES, type Steps } from '../../formats/steps.ts';

export interface Decoded {
  readonly bytes: Uint8Array;
  readonly isWellFormed: boolean;
}

const WHITE_SPACE = 64;
const PADDING = 65;
const JUNK = 66;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** For each byte its base64 value, or one of the three classes above. */
const STANDARD = classes('+', '/');
/** The alphabet of RFC 4648 §5. Its two extra characters are junk in mail, but lenient decoders take both alphabets. */
const URL_SAFE = classes('-', '_');
/** Encoded bytes per call of the native decoder. Strings of this size stay in the young generation of the heap, which is fast. */
const CHUNK_BYTES = 64 * 1024;
/** The longest line that counts as regular. Writers use much shorter ones. */
const LINE_LENGTH = 1_000;

function classes(...lastTwo: readonly [string, string]): Uint8Array {
  const table = new Uint8Array(256).fill(JUNK);
  for (const [value, char] of [...ALPHABET, ...lastTwo].entries()) table[char.charCodeAt(0)] = value;
  for (const byte of [SPACE, TAB, CR, LF]) table[byte] = WHITE_SPACE;
  table[0x3d] = PADDING;
  return table;
}

/** The state of reading a body up to some place. */
interface Count {
  digits: number;
  padding: number;
  isWhole: boolean;
}

/** Returns true for well-formed base64: whole groups of four, with padding only at the end. White space does not count. */
export function* isBase64Steps(body: Uint8Array): Steps<boolean> {
  const count: Count = { digits: 0, padding: 0, isWhole: true };
  for (let at = 0; at < body.length && count.isWhole; at += STEP_BYTES) {
    if (at > 0) yield;
    countDigits(body, at, Math.min(at + STEP_BYTES, body.length), count);
  }
  return isWellFormed(count);
}

function isWellFormed({ digits, padding, isWhole }: Count): boolean {
  return isWhole && padding <= 2 && (digits + padding) % 4 === 0;
}

function countDigits(body: Uint8Array, from: number, to: number, count: Count): void {
  let { digits, padding } = count;
  for (let at = from; at < to; at++) {
    const kind = STANDARD[body[at] as number] as number;
    if (kind === JUNK || (kind < WHITE_SPACE && padding > 0)) {
      count.isWhole = false;
      return;
    }
    if (kind < WHITE_SPACE) digits++;
    else if (kind === PADDING) padding++;
  }
  count.digits = digits;
  count.padding = padding;
}

function isBase64(body: Uint8Array): boolean {
  const count: Count = { digits: 0, padding: 0, isWhole: true };
  countDigits(body, 0, body.length, count);
  return isWellFormed(count);
}

/** Decodes base64 as most mail programs do: junk is skipped, and a new group starts behind padding. */
export function* base64Steps(body: Buffer): Steps<Decoded> {
  const bytes = Buffer.allocUnsafe(Math.ceil((body.length * 3) / 4) + 3);
  const run = regularRun(body);
  const written = yield* decodeRun(body, run, bytes);
  const rest = body.subarray(run.end);
  // A long rest is decoded the long way, which also tells whether it is well formed.
  if (written === (run.digits * 3) / 4 && rest.length <= CHUNK_BYTES && isBase64(rest)) {
    const tail = bytes.write(rest.toString('latin1'), written, 'base64');
    return { bytes: bytes.subarray(0, written + tail), isWellFormed: true };
  }
  const size = yield* looseSteps(body, bytes, { table: STANDARD, atPadding: 'restart' });
  return { bytes: bytes.subarray(0, size), isWellFormed: yield* isBase64Steps(body) };
}

/** The lines at the start of a body that all have one length, a multiple of four. The last lines are not among them. */
export interface RegularRun {
  readonly end: number;
  /** The length of a line with its line break. */
  readonly stride: number;
  readonly digits: number;
}

/** Returns the regular lines at the start of a body. Their characters are not checked. */
export function regularRun(body: Buffer): RegularRun {
  const lineEnd = body.indexOf(LF);
  if (lineEnd < 0 || lineEnd > LINE_LENGTH) {
    // A body of one line is regular up to its last groups, which may be padded.
    const end = lineEnd < 0 ? Math.max(0, body.length - 8) & ~3 : 0;
    return { end, stride: 4, digits: end };
  }
  const length = withoutLineBreak(body, 0, lineEnd + 1);
  const stride = lineEnd + 1;
  if (length === 0 || length % 4 !== 0) return { end: 0, stride: 4, digits: 0 };
  let end = 0;
  while (body[end + lineEnd] === LF && (length === lineEnd || body[end + length] === CR)) end += stride;
  return { end, stride, digits: (end / stride) * length };
}

/** Decodes a run natively. The number of bytes it returns tells whether every character was a digit. -1 for URL-safe digits. */
function* decodeRun(body: Buffer, run: RegularRun, into: Buffer): Steps<number> {
  const step = stepOf(run);
  let written = 0;
  for (let at = 0; at < run.end; at += step) {
    const size = decodeChunk(body, at, Math.min(at + step, run.end), into, written);
    if (size < 0) return -1;
    written += size;
    if (at % STEP_BYTES < step && at > step) yield;
  }
  return written;
}

/** Returns the bytes of as many whole lines as fit into a chunk. */
function stepOf({ stride }: RegularRun): number {
  return Math.floor(CHUNK_BYTES / stride) * stride;
}

/** Returns the number of bytes decoded. Returns -1 for URL-safe digits, which the native decoder accepts and mail programs do not. */
function decodeChunk(body: Buffer, start: number, end: number, into: Buffer, at: number): number {
  const text = body.toString('latin1', start, end);
  return text.includes('-') || text.includes('_') ? -1 : into.write(text, at, 'base64');
}

/**
 * Returns the hash and size of a long body, without holding its decoded bytes. Returns null when the body is not well-formed base64 in
 * regular lines. It must then be decoded the long way.
 */
export function* base64HashSteps(
  body: Buffer,
  run: RegularRun,
): Steps<{ readonly sha256: string; readonly size: number } | null> {
  const rest = body.subarray(run.end);
  if (rest.length > CHUNK_BYTES || !isBase64(rest)) return null;
  const step = stepOf(run);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const hash = createHash('sha256');
  let size = 0;
  for (let at = 0; at < run.end; at += step) {
    const written = decodeChunk(body, at, Math.min(at + step, run.end), chunk, 0);
    if (written < 0) return null;
    hash.update(chunk.subarray(0, written));
    size += written;
    if (at % STEP_BYTES < step && at > step) yield;
  }
  if (size !== (run.digits * 3) / 4) return null;
  const tail = chunk.write(rest.toString('latin1'), 0, 'base64');
  return { sha256: hash.update(chunk.subarray(0, tail)).digest('hex'), size: size + tail };
}

interface Way {
  readonly table: Uint8Array;
  /** The effect of padding in the middle: a new group starts, the rest is left out, or the padding is skipped like junk. */
  readonly atPadding: 'restart' | 'stop' | 'ignore';
}

/** The state of decoding a body: what is left of the last group, and where the next byte is written. */
interface Loose extends Way {
  readonly body: Buffer;
  readonly into: Buffer;
  written: number;
  group: number;
  bits: number;
  isStopped: boolean;
}

function* looseSteps(body: Buffer, into: Buffer, way: Way): Steps<number> {
  const loose: Loose = { ...way, body, into, written: 0, group: 0, bits: 0, isStopped: false };
  for (let at = 0; at < body.length && !loose.isStopped; at += STEP_BYTES) {
    if (at > 0) yield;
    decodeLoosely(loose, at, Math.min(at + STEP_BYTES, body.length));
  }
  return loose.written;
}

function decodeLoosely(loose: Loose, from: number, to: number): void {
  const { body, into, table, atPadding } = loose;
  let { written, group, bits } = loose;
  for (let at = from; at < to; at++) {
    const kind = table[body[at] as number] as number;
    if (kind < WHITE_SPACE) {
      group = ((group << 6) | kind) & 0xffffff;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        into[written++] = group >> bits;
      }
    } else if (kind === PADDING && atPadding !== 'ignore') {
      if (atPadding === 'stop' && written > 0) {
        loose.isStopped = true;
        break;
      }
      bits = 0;
    }
  }
  loose.written = written;
  loose.group = group;
  loose.bits = bits;
}

/**
 * Returns the bytes that other programs decode from a body that is not well-formed base64. The results may equal each other and the first
 * one.
 */
export function* base64Variants(body: Buffer): Steps<readonly Uint8Array[]> {
  const ways: Way[] = [
    { table: STANDARD, atPadding: 'stop' },
    { table: STANDARD, atPadding: 'ignore' },
  ];
  if (body.includes('-') || body.includes('_')) {
    const both = STANDARD.map((kind, byte) => Math.min(kind, URL_SAFE[byte] as number));
    ways.push({ table: both, atPadding: 'restart' });
  }
  const found: Uint8Array[] = [];
  for (const source of [body, onlyBase64Lines(body)]) {
    for (const way of source === body ? ways : [{ table: STANDARD, atPadding: 'restart' } as const]) {
      const bytes = Buffer.allocUnsafe(Math.ceil((source.length * 3) / 4) + 3);
      const size = yield* looseSteps(source, bytes, way);
      // It is copied, because a slice would keep the whole buffer in memory.
      found.push(Buffer.from(bytes.subarray(0, size)));
    }
  }
  return found;
}

/** Returns the body without lines that contain other characters. Some decoders skip the whole of such a line. */
function onlyBase64Lines(body: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(body.length);
  let written = 0;
  for (let at = 0; at < body.length; ) {
    let end = at;
    let digits = 0;
    let isPure = true;
    for (; end < body.length && body[end] !== LF && body[end] !== CR; end++) {
      const kind = STANDARD[body[end] as number] as number;
      if (kind < WHITE_SPACE || kind === PADDING) digits++;
      else if (kind === JUNK) isPure = false;
    }
    if (isPure && digits % 4 === 0) written += body.copy(kept, written, at, end);
    at = end + 1;
  }
  return kept.subarray(0, written);
}
