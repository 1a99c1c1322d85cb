/** Copies an input into the intake folder and hashes it, piece by piece: no input of any size is held in memory. */
import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sha256Hex } from '../../pipeline/keys.ts';
import type { IntakeObject } from '../../pipeline/ledger/intake-object.ts';
import { directoryBlobs } from '../../storage/directory/directory.ts';
import { makeOwnFolders } from '../../storage/directory/own-folders.ts';
import type { Input } from './input.ts';

/** Bytes of a file name that an intake key keeps. Encoding for the file system can turn each byte into three. */
const MAX_NAME_BYTES = 60;

/**
 * Copies the input below `root` and returns its intake object. The same path with the same content is the same object, and so
 * the same run.
 */
export async function bringIn(root: string, input: Extract<Input, { kind: 'bytes' }>): Promise<IntakeObject> {
  const folder = join(root, 'intake');
  await makeOwnFolders(root, folder);
  const temporary = join(folder, `${randomUUID()}.partial`);
  try {
    const { sha256, size } = await writeHashed(temporary, input.open());
    const key = `${sha256Hex(input.label).slice(0, 8)}-${sha256.slice(0, 24)}/${keptName(input.name)}`;
    await directoryBlobs(root).adopt('intake', key, temporary);
    return { bucket: 'intake', untrustedKey: key, versionId: sha256, size };
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Keeps the end of the name, because it has the extension. A name in another script is three times as long when encoded. */
function keptName(path: string): string {
  // A name may have megabytes, and no more characters than bytes are kept.
  const characters = [...basename(path.slice(-2 * MAX_NAME_BYTES))].slice(-MAX_NAME_BYTES);
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES) characters.shift();
  return characters.join('') || 'input';
}

async function writeHashed(path: string, pieces: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const piece of pieces) {
      hash.update(piece);
      size += piece.length;
      await file.write(piece);
    }
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), size };
}
