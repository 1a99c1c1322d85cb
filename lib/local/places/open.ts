/** Opens the place whose runs a verb lists: below a folder, or in a deployment. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { directoryBlobs } from '../../storage/directory/directory.ts';
import type { SqliteRuns } from '../../storage/sqlite/runs.ts';
import type { Console } from '../console.ts';
import { contextOf, namesOfRuns } from '../session/run-context.ts';
import { openOrExplain, warnIncomplete } from '../session/run-index.ts';
import type { RunsPlace } from './runs.ts';

export interface PlaceOptions {
  readonly out: string;
  /** The name of a stack. The folder is then ignored. */
  readonly stack?: string;
}

/** Opens a place. Throws UsageError when it does not exist. */
export async function openPlace(console: Console, { out, stack }: PlaceOptions): Promise<RunsPlace> {
  if (stack !== undefined) {
    // The clients of AWS are loaded only where they are used.
    const { openDeployedRuns } = await import('./deployed-runs.ts');
    return openDeployedRuns(console, stack);
  }
  let opened: Promise<SqliteRuns> | null = null;
  return {
    name: out,
    ctx: contextOf(out),
    files: directoryBlobs(out),
    runIds: () => namesOfRuns(out),
    async auditRecords() {
      const names = await readdir(join(out, 'work', 'audit')).catch(() => []);
      return names.filter((name) => /^\d{9}\.json$/.test(name)).length;
    },
    index() {
      if (opened === null) warnIncomplete(console, out);
      opened ??= openOrExplain(out);
      return opened;
    },
    async close() {
      await opened?.then(
        (runs) => runs.close(),
        () => {},
      );
    },
  };
}
