/** The output folder of a verb. It is checked once, before any work, so that a person is told of a fault once and not with every mail. */
import { randomUUID } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../../storage/directory/own-folders.ts';
import { UsageError } from '../console.ts';

/** Makes the folder, and writes and removes a file in it. Throws UsageError with the fault. */
export function checkOutFolder(folder: string, option: string): void {
  try {
    makeFolders(folder);
    if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is no folder. Name another with ${option}.`);
    tryFolder(folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${folder} cannot be written into (${code}): ${WHY[code] ?? 'it is not usable'}. Name another folder with ${option}.`,
    );
  }
}

/** Writes and removes a file in the folder. Throws the errors of the file system. */
export function tryFolder(folder: string): void {
  const probe = join(folder, `.airlock-${randomUUID()}`);
  writeFileSync(probe, '', { flag: 'wx', mode: 0o600 });
  rmSync(probe);
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'that disk is read-only',
  ENOSPC: 'that disk is full',
  EDQUOT: 'the quota of this user is used up',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'no folder can be made there',
};
