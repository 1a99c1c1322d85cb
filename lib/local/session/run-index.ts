/**
 * The index of the runs below a folder. A session writes it beside the chains. A lost or broken index stops no mail. The fault is noted in
 * a file, and people are told when they list runs. `airlock index rebuild` makes the index anew.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readLedger } from '../../pipeline/chain/ledger-store.ts';
import type { StoreContext } from '../../pipeline/context.ts';
import { TransientError } from '../../pipeline/errors.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { RUN_ID } from '../../pipeline/ledger/run-id.ts';
import type { RunPage, RunQuery, Runs } from '../../pipeline/ports.ts';
import { indexedRunOf } from '../../pipeline/runs/indexed-run.ts';
import { inertText } from '../../pipeline/safe-text.ts';
import { makeOwnFolders } from '../../storage/directory/own-folders.ts';
import { openSqliteRuns, type SqliteRuns } from '../../storage/sqlite/runs.ts';
import { type Console, UsageError } from '../console.ts';
import { type GatheredRuns, gatherRuns, withLeftRuns } from './gathered-runs.ts';
import { hasRun, storesOf } from './run-context.ts';

export interface RunIndex {
  /** Writes a run; an index that gathers writes it with others, a moment later. Never rejects. */
  note(ledger: Ledger): Promise<void>;
  /** Resolves when the runs that were noted before are written. Never rejects. */
  written(): Promise<void>;
  /** Removes a run. Never rejects. */
  forget(runId: string): Promise<void>;
  /** Searches runs. Never rejects: an unreadable index finds nothing. */
  list(query: RunQuery): Promise<RunPage>;
  close(): Promise<void>;
}

const FOLDER = 'index';
const indexPath = (out: string) => join(out, FOLDER, 'runs.sqlite');
const stalePath = (out: string) => join(out, FOLDER, 'incomplete');

/** Returns true when a run could not be written to the index since it was made. */
export const isIncomplete = (out: string) => existsSync(stalePath(out));

/** Says on stderr when runs may be missing from the index. */
export function warnIncomplete(console: Console, out: string): void {
  if (!isIncomplete(out)) return;
  console.stderr.write(
    `Some runs could not be written to the index, so this list may lack them. Run: airlock index rebuild --out ${inertText(out, 200)}\n`,
  );
}

/** Makes the index for a session. The first run opens it. With `isGathering`, runs that end within a moment are written together. */
export function openRunIndex(out: string, isGathering = false): RunIndex {
  const stores = storesOf(out);
  let opened: Promise<{ runs: SqliteRuns; gathered: GatheredRuns | null }> | null = null;
  const open = async () => {
    const runs = await openRuns(out);
    return { runs, gathered: isGathering ? gatherRuns(out, runs, () => noteIncomplete(out)) : null };
  };
  const attempt = async (work: (runs: SqliteRuns, gathered: GatheredRuns | null) => Promise<void>) => {
    try {
      opened ??= open();
      const { runs, gathered } = await opened;
      await work(runs, gathered);
    } catch {
      noteIncomplete(out);
    }
  };
  return {
    note: (ledger) =>
      attempt(async (runs, gathered) => {
        const run = await indexedRunOf(stores, ledger);
        if (gathered === null) await runs.put(run);
        else gathered.add(run);
      }),
    written: () => attempt(async (_, gathered) => await gathered?.written()),
    forget: (runId) =>
      attempt(async (runs, gathered) => {
        gathered?.drop(runId);
        await runs.remove(runId);
      }),
    async list(query) {
      let found: RunPage = { rows: [], next: null };
      await attempt(async (runs, gathered) => {
        await gathered?.flush();
        found = await runs.list(query);
      });
      return found;
    },
    close: async () => {
      const last = opened;
      opened = null;
      await last?.then(
        async ({ runs, gathered }) => {
          await gathered?.close();
          runs.close();
        },
        () => {},
      );
    },
  };
}

/**
 * Opens the index of a folder, and writes the runs that a killed process had not written yet. Rejects when it is broken, or when a link was
 * planted in its place.
 */
export async function openRuns(out: string): Promise<SqliteRuns> {
  await makeOwnFolders(out, join(out, FOLDER));
  const runs = openSqliteRuns(indexPath(out));
  await withLeftRuns(out, async (runIds) => {
    const { unreadable } = await rebuiltFrom(runs, storesOf(out), runIds, 1);
    if (unreadable.some(({ runId }) => hasRun(out, runId))) noteIncomplete(out);
  }).catch(() => noteIncomplete(out));
  return runs;
}

function noteIncomplete(out: string): void {
  try {
    writeFileSync(stalePath(out), '', { mode: 0o600 });
  } catch {
    // If nothing can be written, the run itself reports it.
  }
}

/** The result of a rebuild. */
export interface Rebuilt {
  readonly runs: number;
  /** Runs whose chains cannot be read or were changed. */
  readonly unreadable: readonly { readonly runId: string; readonly why: string }[];
}

const PAGE = 1_000;

/** Builds the index of a folder from its chains. An existing index stays in use meanwhile, if it can be opened. */
export async function rebuildIndex(out: string, ctx: StoreContext): Promise<Rebuilt> {
  const names = (await readdir(join(out, 'work', 'runs'))).filter((name) => RUN_ID.test(name));
  rmSync(stalePath(out), { force: true });
  const runs = await openOrReplace(out);
  try {
    const rebuilt = await rebuiltFrom(runs, ctx, names, 1);
    await removeOthers(runs, out);
    // Their mail is held, and no list can show it.
    if (rebuilt.unreadable.length > 0) noteIncomplete(out);
    return rebuilt;
  } finally {
    runs.close();
  }
}

/** Writes these runs into an index by their chains, several at once. Removes runs whose chain cannot be trusted. */
export async function rebuiltFrom(
  index: Pick<Runs, 'put' | 'remove'>,
  ctx: StoreContext,
  runIds: Iterable<string> | AsyncIterable<string>,
  atOnce: number,
): Promise<Rebuilt> {
  const unreadable: { runId: string; why: string }[] = [];
  let runs = 0;
  const one = async (runId: string) => {
    try {
      const found = await indexedRunOf(ctx, await readLedger(ctx, runId));
      // The chain counts, even when the index says that the run went on.
      await index.remove(runId);
      await index.put(found);
      runs += 1;
    } catch (error) {
      if (error instanceof TransientError) throw error;
      unreadable.push({ runId, why: error instanceof Error ? error.message : String(error) });
      await index.remove(runId);
    }
  };
  let batch: Promise<void>[] = [];
  for await (const runId of runIds) {
    batch.push(one(runId));
    if (batch.length < atOnce) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
  return { runs, unreadable };
}

async function openOrReplace(out: string): Promise<SqliteRuns> {
  try {
    return await openRuns(out);
  } catch (error) {
    if (isBusy(error)) throw error;
    for (const end of ['-wal', '-shm', '']) rmSync(`${indexPath(out)}${end}`, { force: true });
    return openRuns(out);
  }
}

/** Returns true when another process is writing to the index. The index is then not broken. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/** Forgets runs that do not exist in the folder any more. */
async function removeOthers(runs: SqliteRuns, out: string): Promise<void> {
  let after: string | null = null;
  do {
    const page = await runs.list({ facts: [], since: null, until: null, after, most: PAGE });
    for (const { runId } of page.rows) if (!hasRun(out, runId)) await runs.remove(runId);
    after = page.next;
  } while (after !== null);
}

/** Returns a page with the requested number of rows, unless no run is left. */
export async function fullPage(runs: Pick<Runs, 'list'>, query: RunQuery): Promise<RunPage> {
  const rows: RunPage['rows'][number][] = [];
  let after = query.after;
  do {
    const page: RunPage = await runs.list({ ...query, after, most: query.most - rows.length });
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null && rows.length < query.most);
  return { rows, next: after };
}

/** Opens the index for a verb. When it is broken, throws UsageError that says how to rebuild it. */
export async function openOrExplain(out: string): Promise<SqliteRuns> {
  try {
    return await openRuns(out);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `The index of ${out} cannot be read: ${why}. Make it anew: airlock index rebuild --out ${out}`,
    );
  }
}
