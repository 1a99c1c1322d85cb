/**
 * Windows metafiles inside documents: pictures of objects, clip art, formulas. They are written anew, record by record. Only records that
 * draw are kept. Each gets one form, whose counts, offsets and objects were checked. The whole drawing is refused when a record is unknown
 * or not sound, and when nothing of the drawing would be left.
 */
import { rebuildEmf } from './emf.ts';
import { rebuildWmf } from './wmf.ts';

/** Returns the drawing, written anew; null when it cannot be read with certainty. */
export function rebuildMetafile(untrustedBytes: Uint8Array, format: 'emf' | 'wmf'): Uint8Array | null {
  const drawing = Buffer.from(untrustedBytes.buffer, untrustedBytes.byteOffset, untrustedBytes.byteLength);
  try {
    return format === 'emf' ? rebuildEmf(drawing) : rebuildWmf(drawing);
  } catch (error) {
    // A record ended before its numbers did.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
