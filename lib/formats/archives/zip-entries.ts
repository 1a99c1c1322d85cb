/**
 * Reads the entries of a zip with zip.js. It can do what the project's own reader cannot: open members with a password (AES, ZipCrypto)
 * and Deflate64, and read strictly, which finds archives that programs read in different ways.
 */
import { type Entry, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { setUpZipJs } from './zip-js.ts';

export type Strictness = 'strict' | 'tolerant';

/** Returns the entries in the directory. Returns null when it cannot be read with this strictness. */
export async function zipEntries(bytes: Uint8Array, strictness: Strictness): Promise<readonly Entry[] | null> {
  setUpZipJs();
  try {
    // Names are only data here, never paths, so an unsafe name must not hide its member.
    const reader = new ZipReader(new Uint8ArrayReader(bytes), { strictness, filenameValidation: 'tolerant' });
    return await reader.getEntries();
  } catch {
    return null;
  }
}
