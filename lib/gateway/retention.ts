/**
 * Removes the remains of old runs below the root: known results, and ledgers and clean messages of sent mail. Messages in the spool and in
 * quarantine are not touched.
 */

import { RUN_ID } from '../pipeline/ledger/run-id.ts';
import type { Files } from './files.ts';

/** Folders whose entries are removed one by one when they are old. An entry that is used again is written again. */
const BY_AGE = [
  'work/artifacts',
  'work/disarmed',
  'work/reports/static',
  'work/reports/cdr',
  'work/reports/sandbox',
  'work/reports/url_analysis',
  'work/notices',
  'work/budget/sandbox',
  'work/seen/sender',
  'work/seen/file',
  'submissions',
  'locks',
];
/** Folders with an entry for each run. */
const BY_RUN = ['work/runs', 'clean'];

export interface Retention {
  readonly files: Files;
  /** Milliseconds since the epoch. Messages that were written later stay. */
  readonly before: number;
  /** Runs of messages that are still in the spool. */
  readonly runs: ReadonlySet<string>;
  /** Removes everything of a run. */
  readonly forget: (runId: string) => Promise<void>;
}

/** Removes old entries. Returns how many. */
export async function removeOld({ files, before, runs, forget }: Retention): Promise<number> {
  const kept = new Set([...runs, ...(await files.list('quarantine'))]);
  let removed = 0;
  for (const folder of [...BY_AGE, ...BY_RUN])
    for (const name of await files.list(folder)) {
      const path = `${folder}/${name}`;
      const modifiedAt = await files.modifiedAt(path);
      const isKept = modifiedAt === null || modifiedAt >= before || (BY_RUN.includes(folder) && kept.has(name));
      if (isKept) continue;
      if (BY_RUN.includes(folder) && RUN_ID.test(name)) await forget(name);
      await files.remove(path);
      removed += 1;
    }
  return removed;
}
