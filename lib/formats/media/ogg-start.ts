/** Recognises recordings in Ogg pages. */
import { asBuffer } from '../byte-scan.ts';

const MAGIC = 'OggS';
/** The first bytes of the first packet: Opus (RFC 7845, 5.1), and Vorbis (Vorbis I, 4.2.1). */
const SOUNDS = ['OpusHead', '\x01vorbis'];

/** Returns true when the first page (RFC 3533, 6) begins a stream and contains one packet that introduces Opus or Vorbis. */
export function isOggSound(untrusted: Uint8Array): boolean {
  const bytes = asBuffer(untrusted.subarray(0, 64));
  const start = bytes.toString('latin1', 28);
  const isFirst = bytes[4] === 0 && bytes[5] === 2 && bytes[26] === 1;
  return bytes.toString('latin1', 0, 4) === MAGIC && isFirst && SOUNDS.some((sound) => start.startsWith(sound));
}
