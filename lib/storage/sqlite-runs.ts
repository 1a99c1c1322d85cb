/**
 * The Runs port in a SQLite file. Every fact of every run is a row of one table, sorted by fact and then by time, so a page of any filter is
 * read from one place and stops at its end. Several processes may have the file open.
 */
import type { RunPage, RunQuery, Runs } from '../pipeline/ports.ts';
import type { Fact, IndexedRun, RunRow } from '../pipeline/run-row.ts';
import { inTransaction, openSqlite, type Sqlite } from './sqlite.ts';

/** The version of the tables, which every change of them raises. A file of another version is not touched. */
const SCHEMA_VERSION = 1;
/** Facts with more runs than this count as equally frequent. */
const COUNTED = 1_000;

const TABLES = `
  CREATE TABLE runs (number INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, born INTEGER NOT NULL, row TEXT NOT NULL);
  CREATE INDEX by_time ON runs (born, run);
  CREATE TABLE facts (
    kind TEXT NOT NULL, value TEXT NOT NULL, born INTEGER NOT NULL, run TEXT NOT NULL,
    PRIMARY KEY (kind, value, born, run)
  ) WITHOUT ROWID;
  CREATE INDEX facts_of ON facts (run);
`;

export interface SqliteRuns extends Runs {
  close(): void;
}

/** Opens the index in this file, and makes its tables when it is new. Throws Error for a broken file and for one of another version. */
export function openSqliteRuns(path: string): SqliteRuns {
  const db = openSqlite(path, { sql: TABLES, version: SCHEMA_VERSION });
  return {
    put: async (run) => inTransaction(db, () => replace(db, run)),
    get: async (runId) => rowOf(db.prepare('SELECT row FROM runs WHERE run = ?').get(runId)),
    list: async (query) => page(db, query),
    remove: async (runId) => inTransaction(db, () => forget(db, runId)),
    close: () => void db.close(),
  };
}

function replace(db: Sqlite, { row, facts }: IndexedRun): void {
  forget(db, row.runId);
  db.prepare('INSERT INTO runs (run, born, row) VALUES (?, ?, ?)').run(row.runId, row.bornAt, JSON.stringify(row));
  const insert = db.prepare('INSERT OR IGNORE INTO facts (kind, value, born, run) VALUES (?, ?, ?, ?)');
  for (const { kind, value } of facts) insert.run(kind, value, row.bornAt, row.runId);
}

function forget(db: Sqlite, runId: string): void {
  db.prepare('DELETE FROM facts WHERE run = ?').run(runId);
  db.prepare('DELETE FROM runs WHERE run = ?').run(runId);
}

function page(db: Sqlite, { facts, since, until, after, most }: RunQuery): RunPage {
  const [first, ...others] = rarestFirst(db, facts);
  const from = first ? 'facts AS f' : 'runs AS f';
  const isOther =
    'EXISTS (SELECT 1 FROM facts AS o WHERE o.kind = ? AND o.value = ? AND o.born = f.born AND o.run = f.run)';
  const conditions: { readonly sql: string; readonly values: readonly (string | number)[] }[] = [
    ...(first ? [{ sql: 'f.kind = ? AND f.value = ?', values: [first.kind, first.value] }] : []),
    ...(since === null ? [] : [{ sql: 'f.born >= ?', values: [since] }]),
    ...(until === null ? [] : [{ sql: 'f.born < ?', values: [until] }]),
    ...(after === null ? [] : [{ sql: '(f.born, f.run) < (?, ?)', values: placeIn(after) }]),
    ...others.map(({ kind, value }) => ({ sql: isOther, values: [kind, value] })),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  const found = db
    .prepare(`SELECT f.born, f.run FROM ${from} ${where} ORDER BY f.born DESC, f.run DESC LIMIT ?`)
    .all(...conditions.flatMap(({ values }) => values), most + 1) as { born: number; run: string }[];
  const shown = found.slice(0, most);
  const row = db.prepare('SELECT row FROM runs WHERE run = ?');
  const rows = shown.flatMap(({ run }) => rowOf(row.get(run)) ?? []);
  const last = shown.at(-1);
  return { rows, next: found.length > most && last ? `${last.born}-${last.run}` : null };
}

/** A page is read along one fact. That with the fewest runs is the cheapest. */
function rarestFirst(db: Sqlite, facts: readonly Fact[]): Fact[] {
  if (facts.length < 2) return [...facts];
  const count = db.prepare('SELECT count(*) AS runs FROM (SELECT 1 FROM facts WHERE kind = ? AND value = ? LIMIT ?)');
  return facts
    .map((fact) => ({ fact, ...(count.get(fact.kind, fact.value, COUNTED) as { runs: number }) }))
    .sort((one, other) => one.runs - other.runs)
    .map(({ fact }) => fact);
}

function placeIn(after: string): [number, string] {
  const [, born, run] = /^(\d{1,15})-([0-9a-f]{32})$/.exec(after) ?? [];
  if (born === undefined || run === undefined) throw new TypeError('this is not where a page of runs ended');
  return [Number(born), run];
}

function rowOf(found: unknown): RunRow | null {
  return found ? (JSON.parse((found as { row: string }).row) as RunRow) : null;
}
