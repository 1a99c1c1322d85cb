/**
 * The entries of a zip by zip.js, for what our own reader does not have: members behind a password (AES, ZipCrypto), Deflate64, and
 * its strict reading, which finds the archives that programs read in different ways.
 */
import { type Entry, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { setUpZipJs } from './zip-js.ts';

export type Strictness = 'strict' | 'tolerant';

/** The entries as the directory lists them; null when it cannot be read that way. */
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
