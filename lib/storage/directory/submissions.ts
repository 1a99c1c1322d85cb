/**
 * Submissions as one JSON file each, so that an interrupted run finds its submissions in flight at a remote service. Only one of
 * several processes wins a claim, because the file is created with its content in one step.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SubmissionRecord, Submissions } from '../../pipeline/ports.ts';
import { parseSubmissionRecord, submissionRecordJson } from '../submission-record.ts';
import { partialOf } from './files.ts';
import { makeOwnFolders } from './own-folders.ts';

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;

/** Makes the port below `directory`, which the first write creates. */
export function directorySubmissions(directory: string): Submissions {
  const pathOf = (key: string) => join(directory, `${key.replaceAll(':', '_')}.json`);

  async function read(key: string): Promise<SubmissionRecord | null> {
    try {
      return parseSubmissionRecord(await readFile(pathOf(key), 'utf8'));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  async function temporaryFile(record: SubmissionRecord): Promise<string> {
    await makeOwnFolders(dirname(directory), directory);
    const path = partialOf(pathOf(record.key));
    await writeFile(path, submissionRecordJson(record), { mode: 0o600, flag: 'wx' });
    return path;
  }

  async function create(record: SubmissionRecord): Promise<boolean> {
    const temporary = await temporaryFile(record);
    try {
      await link(temporary, pathOf(record.key));
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Moves an expired record away. If another process has written a newer record meanwhile, it is moved back. */
  async function removeExpired(key: string, nowSeconds: number): Promise<void> {
    const moved = `${pathOf(key)}.${randomUUID()}.expired`;
    try {
      await rename(pathOf(key), moved);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return;
      throw error;
    }
    const record = parseSubmissionRecord(await readFile(moved, 'utf8'));
    if (record.expiresAtSeconds > nowSeconds) await create(record);
    await rm(moved, { force: true });
  }

  return {
    async claim(record, nowSeconds) {
      for (;;) {
        if (await create(record)) return { record, won: true };
        const holder = await read(record.key);
        if (holder && holder.expiresAtSeconds > nowSeconds) return { record: holder, won: false };
        if (holder) await removeExpired(record.key, nowSeconds);
      }
    },
    async find(key, nowSeconds) {
      const found = await read(key);
      return found && found.expiresAtSeconds > nowSeconds ? found : null;
    },
    async update(record) {
      if ((await read(record.key))?.claimedBy !== record.claimedBy) return false;
      await rename(await temporaryFile(record), pathOf(record.key));
      return true;
    },
    async release(key, runId) {
      if ((await read(key))?.claimedBy === runId) await rm(pathOf(key), { force: true });
    },
  };
}
