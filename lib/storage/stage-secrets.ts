/** The secrets of the stages on a laptop: one private file for each, made on first use. The stages derive their keys from them. */
import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writer } from '../pipeline/model.ts';
import { partialOf } from './directory/files.ts';
import { makeOwnFolders } from './directory/own-folders.ts';
import { privateFile } from './directory/private-file.ts';

const SECRET_BYTES = 32;

/** Reads the secret of a stage below `root`, and makes it when it is missing. All processes get the same secret. */
export function fileSecrets(root: string): (stage: Writer) => Promise<string> {
  return (stage) => fileSecret(root, stage);
}

/** Returns the secret of this name below `root`, as 64 hexadecimal digits. Makes it when it is missing. */
export async function fileSecret(root: string, name: Writer | 'loop' | 'links'): Promise<string> {
  const folder = join(root, 'secrets');
  await makeOwnFolders(root, folder);
  const path = join(folder, `${name}.key`);
  return (await read(path)) ?? (await make(path));
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Linking fails when the name is taken. Two processes that make the secret at once therefore both use the first one. */
async function make(path: string): Promise<string> {
  const temporary = privateFile(partialOf(path));
  try {
    await writeFile(temporary, randomBytes(SECRET_BYTES).toString('hex'));
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return await readFile(path, 'utf8');
  } finally {
    await rm(temporary, { force: true });
  }
}
