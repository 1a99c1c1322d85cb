/** One frame of FLAC (RFC 9639, 9). Its length is written nowhere, so its bits are skipped as a player reads them. */
import { Bits } from './bits.ts';
import { crc8, crc16 } from './checksums.ts';

/** The properties that all frames of a stream share, from its first metadata block. */
export interface FlacForm {
  readonly maxBlock: number;
  readonly channels: number;
  readonly sampleBits: number;
}

export interface FlacFrame {
  /** Bytes, with the checksum. */
  readonly length: number;
  /** Samples of each channel. */
  readonly samples: number;
  readonly isVariable: boolean;
  /** The number of the frame, or of its first sample when frames are of variable size. */
  readonly number: number;
}

type Header = Omit<FlacFrame, 'length'> & { readonly bytes: number; readonly side: number | null };

/** The format has 24 bits for the length of a frame. */
const MAX_FRAME_BYTES = 2 ** 24;

/** Returns the frame at this place. Returns null when there is no whole frame with right checksums. */
export function flacFrame(bytes: Uint8Array, at: number, form: FlacForm): FlacFrame | null {
  const header = headerOf(bytes, at, form);
  if (header === null) return null;
  const bits = new Bits(bytes.subarray(at + header.bytes, at + MAX_FRAME_BYTES));
  for (let channel = 0; channel < form.channels; channel++) {
    const width = form.sampleBits + (channel === header.side ? 1 : 0);
    if (!passSubframe(bits, header.samples, width) || bits.isOver) return null;
  }
  const length = header.bytes + bits.bytesRead + 2;
  // The remainder over bytes and their checksum is 0.
  if (at + length > bytes.length || crc16(bytes, at, at + length) !== 0) return null;
  return { length, samples: header.samples, isVariable: header.isVariable, number: header.number };
}

/** Returns the place of a frame's header with a higher number than this one, from a place on. Returns null when there is none. */
export function laterFrame(bytes: Uint8Array, from: number, form: FlacForm, last: FlacFrame): number | null {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const header = headerOf(bytes, at, form);
    if (header !== null && header.number > last.number) return at;
  }
  return null;
}

/** Samples by four bits. 6 and 7 mean that the number follows. */
const BLOCKS = [0, 192, 576, 1152, 2304, 4608, -1, -2, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];
/** Bits of a sample by three bits. 0 means that the stream states them. */
const SAMPLE_BITS = [0, 8, 12, -1, 16, 20, 24, 32];
/** Bytes of the sample rate after the header, by four bits; 15 is forbidden. */
const RATE_BYTES = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2];

function headerOf(bytes: Uint8Array, at: number, form: FlacForm): Header | null {
  const [sync = 0, kind = 0, sizes = 0, shape = 0] = bytes.subarray(at, at + 4);
  if (sync !== 0xff || (kind & 0xfe) !== 0xf8 || (shape & 1) !== 0) return null;
  const [block = 0, rateBytes] = [BLOCKS[sizes >> 4], RATE_BYTES[sizes & 15]];
  const assigned = shape >> 4;
  const channels = assigned < 8 ? assigned + 1 : assigned < 11 ? 2 : 0;
  const sampleBits = SAMPLE_BITS[(shape >> 1) & 7] || form.sampleBits;
  if (rateBytes === undefined || channels !== form.channels || sampleBits !== form.sampleBits) return null;
  const coded = codedNumber(bytes, at + 4);
  if (coded === null) return null;
  const behind = at + 4 + coded.bytes;
  const samples =
    block >= 0 ? block : (block === -1 ? 0 : (bytes[behind] ?? 0) * 256) + (bytes[behind - block - 1] ?? 0) + 1;
  const end = behind + (block < 0 ? -block : 0) + rateBytes;
  if (samples === 0 || samples > form.maxBlock || end >= bytes.length || crc8(bytes, at, end) !== bytes[end])
    return null;
  const side = assigned < 8 ? null : assigned === 9 ? 0 : 1;
  return { bytes: end + 1 - at, samples, isVariable: (kind & 1) === 1, number: coded.number, side };
}

/** Returns a number in the form of UTF-8, with up to seven bytes. */
function codedNumber(bytes: Uint8Array, at: number): { readonly number: number; readonly bytes: number } | null {
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return { number: first, bytes: 1 };
  const length = Math.clz32(~first & 0xff) - 24;
  if (length < 2 || length > 7) return null;
  let number = first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0;
    if ((byte & 0xc0) !== 0x80) return null;
    number = number * 64 + (byte & 0x3f);
  }
  return { number, bytes: length };
}

/** Skips the samples of one channel. Returns false when they have no form of the format. */
function passSubframe(bits: Bits, samples: number, sampleBits: number): boolean {
  if (bits.read(1) !== 0) return false;
  const kind = bits.read(6);
  let width = sampleBits;
  if (bits.read(1) === 1) {
    width--;
    while (bits.read(1) === 0 && width > 0) width--;
  }
  if (width < 1) return false;
  if (kind < 2) {
    bits.skip(kind === 0 ? width : width * samples);
    return true;
  }
  const isLinear = kind >= 32;
  const order = isLinear ? kind - 31 : kind - 8;
  if (order < 0 || order > (isLinear ? 32 : 4) || order > samples) return false;
  bits.skip(width * order);
  return (!isLinear || passCoefficients(bits, order)) && passResidual(bits, samples, order);
}

function passCoefficients(bits: Bits, order: number): boolean {
  const precision = bits.read(4) + 1;
  bits.skip(5 + precision * order);
  return precision < 16;
}

/** Skips the residual of the samples after the prediction. */
function passResidual(bits: Bits, samples: number, order: number): boolean {
  const method = bits.read(2);
  const partitions = 2 ** bits.read(4);
  const each = samples / partitions;
  if (method > 1 || !Number.isInteger(each) || each < order) return false;
  const width = 4 + method;
  for (let index = 0; index < partitions && !bits.isOver; index++) {
    const count = index === 0 ? each - order : each;
    const parameter = bits.read(width);
    if (parameter === 2 ** width - 1) bits.skip(bits.read(5) * count);
    else bits.skipRice(count, parameter);
  }
  return true;
}
