/**
 * Removes what old runs left below the root: results that are known, ledgers and clean messages of mail that was sent. Nothing of a message
 * that is still in the spool is touched, and nothing in quarantine.
 */
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
  'submissions',
  'locks',
];
/** Folders with an entry for each run. */
const BY_RUN = ['work/runs', 'clean'];

/** Removes what was last written before `before`, and belongs to none of `runs`. Returns how many entries. */
export async function removeOld(files: Files, before: number, runs: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (const folder of [...BY_AGE, ...BY_RUN])
    for (const name of await files.list(folder)) {
      const path = `${folder}/${name}`;
      const modifiedAt = await files.modifiedAt(path);
      const isKept = modifiedAt === null || modifiedAt >= before || runs.has(name);
      if (isKept) continue;
      await files.remove(path);
      removed += 1;
    }
  return removed;
}
