/** What a mail costs without us: the popular parser with its defaults, and the least anybody can do with a file. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { timed } from './statistics.ts';

export const SIMPLE_PARSER = "mailparser's simpleParser";
export const READ_AND_HASH = 'reading and hashing the file';

/** Milliseconds that simpleParser takes for the mail, with its defaults. */
export function simpleParserMs(email: Buffer): Promise<number> {
  return timed(() => simpleParser(email));
}

/** Milliseconds for reading a file (from the page cache) and its SHA-256. */
export function readAndHashMs(path: string): Promise<number> {
  return timed(async () =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  );
}

/** Runs `work` with a folder that is gone afterwards. */
export async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'airlock-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `work` with the path of a file that holds these bytes. */
export function withFile<T>(bytes: Uint8Array, work: (path: string) => Promise<T>): Promise<T> {
  return withScratch(async (folder) => {
    const path = join(folder, 'mail.eml');
    await writeFile(path, bytes);
    return work(path);
  });
}
