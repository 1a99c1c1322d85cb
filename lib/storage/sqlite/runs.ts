/**
 * The Runs port in a SQLite file. Every fact of every run is a row of one table, sorted by fact and then by time. A page of any filter is
 * therefore read from one place, and reading stops at its end. Several processes may have the file open.
 */
import type { Runs, TallySpan } from '../../pipeline/ports.ts';
import { type Fact, type IndexedRun, isLater, type RunRow } from '../../pipeline/runs/row.ts';
import { HELD_NOW, HOLD_TABLES, holdsSince, insertHolds } from './holds.ts';
import { countOf, pageOf, rowOf } from './pages.ts';
import { closeSqlite, inTransaction, openSqlite, prepared, type Sqlite } from './sqlite.ts';

/** The version of the tables. Every change of the tables raises it. A file of another version is not touched. */
const SCHEMA_VERSION = 2;
/** The number of facts that one statement writes. Each number needs its own statement, which is kept. */
const FACTS_AT_ONCE = 16;

const TABLES = `
  CREATE TABLE runs (number INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, born INTEGER NOT NULL, row TEXT NOT NULL);
  CREATE INDEX by_time ON runs (born, run);
  CREATE TABLE facts (
    kind TEXT NOT NULL, value TEXT NOT NULL, born INTEGER NOT NULL, run TEXT NOT NULL,
    PRIMARY KEY (kind, value, born, run)
  ) WITHOUT ROWID;
  CREATE INDEX facts_of ON facts (run);
  ${HOLD_TABLES}
`;

export interface SqliteRuns extends Runs {
  /** Writes several runs as one transaction. */
  putAll(runs: readonly IndexedRun[]): Promise<void>;
  close(): void;
}

/** Opens the index in this file, and makes its tables when it is new. Throws Error for a broken file and for one of another version. */
export function openSqliteRuns(path: string): SqliteRuns {
  const db = openSqlite(path, { sql: TABLES, version: SCHEMA_VERSION, changes: [HOLD_TABLES + HELD_NOW] });
  return {
    put: async (run) => inTransaction(db, () => replace(db, run)),
    putAll: async (runs) => {
      if (runs.length > 0) inTransaction(db, () => runs.forEach((run) => void replace(db, run)));
    },
    get: async (runId) => rowOf(prepared(db, 'SELECT row FROM runs WHERE run = ?').get(runId)),
    list: async (query) => pageOf(db, query),
    tally: async (fact, span) => tallyOf(db, fact, span),
    holds: async (sinces) => holdsSince(db, sinces),
    oldest: async (fact) => oldestOf(db, fact),
    count: async (fact, most, since = null) => countOf(db, fact, most, since),
    remove: async (runId) => {
      // Most runs are new, and this check takes no lock.
      if (prepared(db, 'SELECT 1 FROM runs WHERE run = ?').get(runId)) inTransaction(db, () => forget(db, runId));
    },
    close: () => closeSqlite(db),
  };
}

function replace(db: Sqlite, { row, facts }: IndexedRun): void {
  const known = rowOf(prepared(db, 'SELECT row FROM runs WHERE run = ?').get(row.runId));
  if (known !== null && isLater(known, row)) return;
  // Most runs are new, and have no facts yet.
  if (known !== null) forget(db, row.runId);
  prepared(db, 'INSERT INTO runs (run, born, row) VALUES (?, ?, ?)').run(row.runId, row.bornAt, JSON.stringify(row));
  for (let at = 0; at < facts.length; at += FACTS_AT_ONCE) insertFacts(db, row, facts.slice(at, at + FACTS_AT_ONCE));
  insertHolds(db, row);
}

/** A run has some thirty facts. Each call of SQLite costs more than the row that it writes. */
function insertFacts(db: Sqlite, { runId, bornAt }: RunRow, facts: readonly Fact[]): void {
  const rows = facts.map(() => '(?, ?, ?, ?)').join(', ');
  const insert = prepared(db, `INSERT OR IGNORE INTO facts (kind, value, born, run) VALUES ${rows}`);
  insert.run(...facts.flatMap(({ kind, value }) => [kind, value, bornAt, runId]));
}

function forget(db: Sqlite, runId: string): void {
  prepared(db, 'DELETE FROM facts WHERE run = ?').run(runId);
  prepared(db, 'DELETE FROM holds WHERE run = ?').run(runId);
  prepared(db, 'DELETE FROM runs WHERE run = ?').run(runId);
}

/** Reads along the sorted facts, and reads no row of a run. */
function tallyOf(
  db: Sqlite,
  { kind, value }: Fact,
  { since, until, slotMs }: TallySpan,
): { at: number; runs: number }[] {
  const slots = db
    .prepare(
      `SELECT CAST((born - ?) / ? AS INTEGER) AS slot, count(*) AS runs FROM facts
       WHERE kind = ? AND value = ? AND born >= ? AND born < ? GROUP BY slot ORDER BY slot`,
    )
    .all(since, slotMs, kind, value, since, until) as { slot: number; runs: number }[];
  return slots.map(({ slot, runs }) => ({ at: since + slot * slotMs, runs }));
}

function oldestOf(db: Sqlite, { kind, value }: Fact): RunRow | null {
  const first = prepared(db, 'SELECT run FROM facts WHERE kind = ? AND value = ? ORDER BY born, run LIMIT 1');
  const found = first.get(kind, value) as { run: string } | undefined;
  return found === undefined ? null : rowOf(prepared(db, 'SELECT row FROM runs WHERE run = ?').get(found.run));
}
