/**
 * Files that several processes share. One process may find that no submission needs a file just when another has stored the same bytes for
 * a submission that is not written yet. So nobody deletes a file for some time after it was stored. After that time, it is checked again.
 */
import type { BlobStore } from '../blobs.ts';
import type { Database, Run } from './database.ts';
import type { Part } from './schema.ts';
import { isNeeded } from './store.ts';

export interface RecentBlobs {
  readonly blobs: BlobStore;
  /** Deletes files that were stored some time ago and that no submission needs: the upload was refused, or its process was killed. */
  sweep(): Promise<void>;
}

/** The longest time from a file to its submission, in milliseconds. A job stores several files before it notes them. */
const RECENT_MS = 600_000;
/** The most files that one sweep checks, because others come soon. */
const SWEPT = 100;

/** Returns the files of one service, which `blobs` keeps. */
export function createRecentBlobs({ run, transaction }: Database, part: Part, blobs: BlobStore): RecentBlobs {
  /** Takes the lock of one file, until the end of the transaction. A file is thus never stored while it is being deleted. */
  const lock = (on: Run, sha256: string) =>
    on('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${part} ${sha256}`]);
  const note = (sha256: string) =>
    transaction(async (on) => {
      await lock(on, sha256);
      await on(
        `INSERT INTO ${part}.recent_blobs VALUES ($1, now() + $2 * interval '1 millisecond')
         ON CONFLICT (sha256) DO UPDATE SET until = excluded.until`,
        [sha256, RECENT_MS],
      );
    });
  const remove = (sha256: string) =>
    transaction(async (on) => {
      await lock(on, sha256);
      const recent = await on(`SELECT 1 FROM ${part}.recent_blobs WHERE sha256 = $1 AND until > now()`, [sha256]);
      if (recent.length > 0 || (await isNeeded(on, part, sha256))) return;
      await blobs.remove(sha256);
    });
  return {
    blobs: {
      ...blobs,
      create: async () => {
        const writer = await blobs.create();
        const commit = async (sha256: string) => {
          await note(sha256);
          await writer.commit(sha256);
        };
        return { ...writer, commit };
      },
      remove,
    },
    sweep: async () => {
      const old = await run<{ sha256: string }>(
        `SELECT sha256 FROM ${part}.recent_blobs WHERE until < now() ORDER BY until LIMIT ${SWEPT}`,
      );
      for (const { sha256 } of old) {
        await remove(sha256);
        await run(`DELETE FROM ${part}.recent_blobs WHERE sha256 = $1 AND until < now()`, [sha256]);
      }
    },
  };
}
