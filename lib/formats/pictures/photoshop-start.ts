/** Recognises Photoshop files (PSD). */
import { asBuffer } from '../byte-scan.ts';

/** Returns true for the first bytes of a PSD. Large documents (PSB) have another version. */
export function isPhotoshop(bytes: Uint8Array): boolean {
  return asBuffer(bytes).toString('latin1', 0, 12) === '8BPS\0\x01\0\0\0\0\0\0';
}
