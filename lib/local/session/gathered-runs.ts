/**
 * Rows that go into the index of runs together. A row of one run changes some forty pages of the file. The rows of runs that end within a
 * moment change nearly the same pages, so that one transaction for all of them costs little more than one for a single run.
 *
 * A journal has the ids of the runs whose rows are not written yet. It belongs to one process, and is locked while that process lives. After
 * a kill, whoever opens the index next writes the rows of these runs from their chains.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_ID } from '../../pipeline/ledger/run-id.ts';
import type { IndexedRun } from '../../pipeline/runs/row.ts';
import { ownFolders } from '../../storage/directory/own-folders.ts';
import { holdLock, type Lock } from '../../storage/sqlite/lock.ts';
import type { SqliteRuns } from '../../storage/sqlite/runs.ts';
import { hasRun } from './run-context.ts';

/** Milliseconds for which a row waits for others. People who list runs see a run that much later. */
const GATHERED_MS = 500;
/** The most rows in one transaction. Other processes wait for its end. */
const MAX_GATHERED = 200;
const LOCK = '.lock';

export interface GatheredRuns {
  /** Takes a row. Throws when its id cannot be written into the journal. */
  add(run: IndexedRun): void;
  /** Forgets the row of a run that is not written yet. */
  drop(runId: string): void;
  /** Writes all rows now. Never rejects. */
  flush(): Promise<void>;
  /** Resolves when the rows that were added before are written. Never rejects. */
  written(): Promise<void>;
  /** Writes all rows, and removes the journal. */
  close(): Promise<void>;
}

const journals = (out: string) => join(out, 'index', 'unwritten');

/** Opens the rows of a process. `onFault` is called when rows could not be written; they are not written again. */
export function gatherRuns(out: string, runs: Pick<SqliteRuns, 'putAll'>, onFault: () => void): GatheredRuns {
  const waiting = new Map<string, IndexedRun>();
  let journal: Journal | null = null;
  let next: { readonly timer: NodeJS.Timeout; readonly done: Promise<void>; readonly end: () => void } | null = null;
  const flush = async () => {
    const ended = next;
    next = null;
    clearTimeout(ended?.timer);
    // Another process may have removed a run meanwhile.
    const rows = [...waiting.values()].filter(({ row }) => hasRun(out, row.runId));
    const isNothing = waiting.size === 0;
    waiting.clear();
    try {
      await runs.putAll(rows);
      // A row that came meanwhile is in the journal, too.
      if (!isNothing && waiting.size === 0) journal?.clear();
    } catch {
      onFault();
    }
    ended?.end();
  };
  const plan = () => {
    let end = () => {};
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { timer: setTimeout(flush, GATHERED_MS), done, end };
  };
  return {
    add(run) {
      journal ??= openJournal(out);
      journal.add(run.row.runId);
      waiting.set(run.row.runId, run);
      next ??= plan();
      if (waiting.size >= MAX_GATHERED) void flush();
    },
    drop: (runId) => void waiting.delete(runId),
    flush,
    written: async () => await next?.done,
    async close() {
      await flush();
      await journal?.close();
      journal = null;
    },
  };
}

interface Journal {
  add(runId: string): void;
  clear(): void;
  close(): Promise<void>;
}

function openJournal(out: string): Journal {
  const folder = journals(out);
  ownFolders(out).make(folder);
  const path = join(folder, randomUUID());
  const lock = holdLock(`${path}${LOCK}`);
  if (lock === null) throw new Error(`${path} is locked although it is new`);
  const file = openSync(path, 'ax', 0o600);
  return {
    add: (runId) => void writeSync(file, `${runId}\n`),
    clear: () => ftruncateSync(file),
    async close() {
      closeSync(file);
      await removeJournal(path, lock);
    },
  };
}

async function removeJournal(path: string, lock: Lock): Promise<void> {
  rmSync(path, { force: true });
  await lock.close();
  rmSync(`${path}${LOCK}`, { force: true });
}

/** Gives `rewrite` the ids of runs whose rows a killed process did not write, and forgets them when it has written them. */
export async function withLeftRuns(out: string, rewrite: (runIds: readonly string[]) => Promise<void>): Promise<void> {
  ownFolders(out).check(journals(out));
  for (const name of leftNames(journals(out))) {
    const path = join(journals(out), name);
    const lock = holdLock(`${path}${LOCK}`);
    if (lock === null) continue;
    try {
      const ids = new Set(readFileSync(path, 'latin1').split('\n'));
      await rewrite([...ids].filter((id) => RUN_ID.test(id)));
    } catch (error) {
      await lock.close();
      throw error;
    }
    await removeJournal(path, lock);
  }
}

function leftNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => !name.includes('.'));
}
