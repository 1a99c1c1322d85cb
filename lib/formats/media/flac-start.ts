/** Finds the beginning of a FLAC stream. */
import { asBuffer } from '../byte-scan.ts';
import { firstFrame } from './mpeg-frames.ts';

/** The letters of the stream, and the head of the block that must be first: its number 0 and its 34 bytes (RFC 9639, 8.1). */
const MAGIC = 'fLaC';
const FORM_BYTES = 34;

/** Returns the place of the stream, after tags of MP3 that some programs put before it. Returns null when there is none. */
export function flacStart(untrusted: Uint8Array): number | null {
  const bytes = asBuffer(untrusted);
  const at = bytes.toString('latin1', 0, 4) === MAGIC ? 0 : firstFrame(bytes);
  const isStream = bytes.toString('latin1', at, at + 4) === MAGIC && at + 8 + FORM_BYTES <= bytes.length;
  return isStream && (bytes.readUInt32BE(at + 4) & 0x7fff_ffff) === FORM_BYTES ? at : null;
}
