/** Hyperlink objects ([MS-OSHARED] 2.3.7.1), as in Excel cells and in drawings of Word and Excel. */

const URL_MONIKER = 'e0c9ea79f9bace118c8200aa004ba90b';
const FILE_MONIKER = '0303000000000000c000000000000046';
/** Drawings put the class of the object before it. */
const HYPERLINK_CLASS = 'd0c9ea79f9bace118c8200aa004ba90b';
const HAS_MONIKER = 0x001;
const HAS_LOCATION = 0x008;
const HAS_DISPLAY_NAME = 0x010;
const HAS_FRAME_NAME = 0x080;
const MONIKER_IS_TEXT = 0x100;
const CLASS_BYTES = 16;
/** The data after the path of a file moniker in ANSI: two numbers, reserved bytes, and the length of the Unicode path with its head. */
const [FILE_TAIL_BYTES, UNICODE_HEAD_BYTES] = [24, 6];

/** The target of a hyperlink object. `path` is the path of a file, as Windows writes it. */
export type HyperlinkTarget =
  | { readonly kind: 'inside' }
  | { readonly kind: 'address' | 'path'; readonly untrustedTarget: string };

/**
 * Returns the target of the object: a place inside the document, an address, or a file. Returns null for other kinds of monikers, and for
 * an unreadable one.
 */
export function hyperlinkTarget(bytes: Buffer): HyperlinkTarget | null {
  try {
    const isPrefixed = bytes.toString('hex', 0, CLASS_BYTES) === HYPERLINK_CLASS;
    return targetIn(isPrefixed ? bytes.subarray(CLASS_BYTES) : bytes);
  } catch (error) {
    // The length points outside the object.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function targetIn(bytes: Buffer): HyperlinkTarget | null {
  if (bytes.readUInt32LE(0) !== 2) return null;
  const flags = bytes.readUInt32LE(4);
  let at = 8;
  if (flags & HAS_DISPLAY_NAME) at = endOfText(bytes, at);
  if (flags & HAS_FRAME_NAME) at = endOfText(bytes, at);
  if ((flags & HAS_MONIKER) === 0) return (flags & HAS_LOCATION) === 0 ? null : { kind: 'inside' };
  if (flags & MONIKER_IS_TEXT) return address(textOf(bytes, at + 4, bytes.readUInt32LE(at) * 2));
  const [moniker, from] = [bytes.toString('hex', at, at + CLASS_BYTES), at + CLASS_BYTES];
  if (moniker === URL_MONIKER) return address(textOf(bytes, from + 4, bytes.readUInt32LE(from)));
  return moniker === FILE_MONIKER ? { kind: 'path', untrustedTarget: pathIn(bytes, from) } : null;
}

const address = (untrustedTarget: string): HyperlinkTarget => ({ kind: 'address', untrustedTarget });

function endOfText(bytes: Buffer, at: number): number {
  return at + 4 + bytes.readUInt32LE(at) * 2;
}

/** UTF-16 text up to its terminator; a serial number of 24 bytes may follow it. */
function textOf(bytes: Buffer, at: number, length: number): string {
  if (at + length > bytes.length) throw new RangeError('the text leads out of the object');
  return bytes.toString('utf16le', at, at + length).split('\0', 1)[0] ?? '';
}

/** Returns the path of a file moniker ([MS-OSHARED] 2.3.7.8): folders to go up, the path in ANSI, and usually the same in Unicode. */
function pathIn(bytes: Buffer, at: number): string {
  const [foldersUp, ansiBytes] = [bytes.readUInt16LE(at), bytes.readUInt32LE(at + 2)];
  const end = at + 6 + ansiBytes;
  if (end > bytes.length) throw new RangeError('the path leads out of the object');
  const ansi = bytes.toString('latin1', at + 6, end).split('\0', 1)[0] ?? '';
  const unicodeAt = end + FILE_TAIL_BYTES;
  const unicodeBytes = unicodeAt + 4 <= bytes.length ? bytes.readUInt32LE(unicodeAt) : 0;
  const path =
    unicodeBytes > UNICODE_HEAD_BYTES
      ? textOf(bytes, unicodeAt + 4 + UNICODE_HEAD_BYTES, bytes.readUInt32LE(unicodeAt + 4))
      : ansi;
  return '..\\'.repeat(Math.min(foldersUp, MAX_FOLDERS_UP)) + path;
}

/** The most steps up. More would only make the text longer. */
const MAX_FOLDERS_UP = 50;
