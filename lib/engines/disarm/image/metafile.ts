/**
 * Windows metafiles inside documents: pictures of objects, clip art, formulas. They are written anew, record by record: only
 * records that draw are taken over, each in one form whose counts, offsets and objects were checked. A record that is not known or
 * not sound, or a drawing of which nothing would be left, makes the whole unusable.
 */
import { rebuildEmf } from './emf.ts';
import { rebuildWmf } from './wmf.ts';

/** The drawing written anew; null when it is none that is understood. */
export function rebuildMetafile(untrustedBytes: Uint8Array, format: 'emf' | 'wmf'): Uint8Array | null {
  const drawing = Buffer.from(untrustedBytes.buffer, untrustedBytes.byteOffset, untrustedBytes.byteLength);
  try {
    return format === 'emf' ? rebuildEmf(drawing) : rebuildWmf(drawing);
  } catch (error) {
    // A record that ends before the numbers in it.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
