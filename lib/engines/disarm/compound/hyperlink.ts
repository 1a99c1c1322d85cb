/** Hyperlink objects ([MS-OSHARED] 2.3.7.1), as Excel cells and drawings of Word and Excel hold them. */
import { isSafeLink } from '../safe-links.ts';

const URL_MONIKER = 'e0c9ea79f9bace118c8200aa004ba90b';
/** Drawings put the class of the object in front of it. */
const HYPERLINK_CLASS = 'd0c9ea79f9bace118c8200aa004ba90b';
const HAS_MONIKER = 0x001;
const HAS_LOCATION = 0x008;
const HAS_DISPLAY_NAME = 0x010;
const HAS_FRAME_NAME = 0x080;
const MONIKER_IS_TEXT = 0x100;

/**
 * Whether a hyperlink object leads to a place inside the document, or to a safe address written as a URL. Monikers of files,
 * of composed or unknown kinds, and objects that cannot be read are not safe.
 */
export function isSafeHyperlink(bytes: Buffer): boolean {
  try {
    const isPrefixed = bytes.toString('hex', 0, 16) === HYPERLINK_CLASS;
    return judge(isPrefixed ? bytes.subarray(16) : bytes);
  } catch (error) {
    // The length points outside the object.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function judge(bytes: Buffer): boolean {
  if (bytes.readUInt32LE(0) !== 2) return false;
  const flags = bytes.readUInt32LE(4);
  let at = 8;
  if (flags & HAS_DISPLAY_NAME) at = endOfText(bytes, at);
  if (flags & HAS_FRAME_NAME) at = endOfText(bytes, at);
  if ((flags & HAS_MONIKER) === 0) return (flags & HAS_LOCATION) !== 0;
  if (flags & MONIKER_IS_TEXT) return isSafeLink(textOf(bytes, at + 4, bytes.readUInt32LE(at) * 2));
  if (bytes.toString('hex', at, at + 16) !== URL_MONIKER) return false;
  return isSafeLink(textOf(bytes, at + 20, bytes.readUInt32LE(at + 16)));
}

function endOfText(bytes: Buffer, at: number): number {
  return at + 4 + bytes.readUInt32LE(at) * 2;
}

/** UTF-16 text up to its terminator; a serial number of 24 bytes may follow it. */
function textOf(bytes: Buffer, at: number, length: number): string {
  if (at + length > bytes.length) throw new RangeError('the text leads out of the object');
  return bytes.toString('utf16le', at, at + length).split('\0', 1)[0] ?? '';
}
