/** Finds frames of MP3, and the tags before them. */

const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** Returns bytes of the layer III frame at this place; 0 when there is none (ISO/IEC 11172-3, 2.4.2.3). The frame may go beyond the end. */
export function frameLength(bytes: Uint8Array, at: number): number {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(at, at + 3);
  const version = (kind >> 3) & 3;
  // Layer III has the number 1, and version 1 is reserved.
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0 || ((kind >> 1) & 3) !== 1 || version === 1) return 0;
  const isFirst = version === 3;
  const bitrate = (isFirst ? BITRATES_1 : BITRATES_2)[rates >> 4] ?? 0;
  const sampleRate = (SAMPLE_RATES[(rates >> 2) & 3] ?? 0) >> (isFirst ? 0 : version === 2 ? 1 : 2);
  if (bitrate === 0 || sampleRate === 0) return 0;
  return Math.floor(((isFirst ? 144 : 72) * bitrate * 1_000) / sampleRate) + ((rates >> 1) & 1);
}

/** Properties that all frames of a recording share: version, layer and sample rate. */
export function frameKind(bytes: Uint8Array, at: number): number {
  return ((bytes[at + 1] ?? 0) & 0xfe) * 256 + ((bytes[at + 2] ?? 0) & 0x0c);
}

/** Tags of a file. Ordinary files have one or two. */
const MAX_TAGS = 8;
/** Blanks after a tag. Programs leave room for longer titles. */
const MAX_PADDING = 256 * 1024;

/** Returns the place of the first frame after the tags (ID3v2 §3) and their padding. */
export function firstFrame(bytes: Uint8Array): number {
  let at = 0;
  for (let tags = 0; tags < MAX_TAGS && isTag(bytes, at); tags++) at += tagLength(bytes, at);
  const end = Math.min(bytes.length, at + MAX_PADDING);
  while (at < end && bytes[at] === 0) at++;
  return at;
}

function isTag(bytes: Uint8Array, at: number): boolean {
  const [i, d, three, version = 255, revision = 255, , ...size] = bytes.subarray(at, at + 10);
  const isNamed = i === 0x49 && d === 0x44 && three === 0x33 && version < 0x10 && revision < 0x10;
  return isNamed && size.length === 4 && size.every((byte) => byte < 0x80);
}

function tagLength(bytes: Uint8Array, at: number): number {
  const size = bytes.subarray(at + 6, at + 10).reduce((sum, byte) => sum * 128 + byte, 0);
  const hasFooter = ((bytes[at + 5] ?? 0) & 0x10) !== 0;
  return 10 + size + (hasFooter ? 10 : 0);
}

/** The number of frames that must follow one another. By chance, text and pictures have bytes that look like one frame. */
const SURE_FRAMES = 4;

/** Returns true when frames follow the tags. */
export function isMp3(bytes: Uint8Array): boolean {
  let at = firstFrame(bytes);
  const kind = frameKind(bytes, at);
  for (let frames = 0; frames < SURE_FRAMES; frames++) {
    const length = frameLength(bytes, at);
    if (length === 0 || frameKind(bytes, at) !== kind) return false;
    at += length;
    if (at >= bytes.length) return frames > 0;
  }
  return true;
}
