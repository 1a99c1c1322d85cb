/** The index of runs in a SQLite file: the contract, several processes, and files that are not ours. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fullPage } from '../../lib/local/session/run-index.ts';
import type { RunPage, RunQuery, Runs } from '../../lib/pipeline/ports.ts';
import type { RunRow } from '../../lib/pipeline/runs/row.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { describeRuns } from './runs-contract.ts';

const fresh = () => join(scratchDirectory(), 'runs.sqlite');

describeRuns('SQLite', () => {
  const runs = openSqliteRuns(fresh());
  onTestFinished(() => runs.close());
  return runs;
});

test('two that have the file open see what the other wrote', async () => {
  const path = fresh();
  const [one, other] = [openSqliteRuns(path), openSqliteRuns(path)];
  const texts = { from: '', to: '', subject: '', messageId: '' };
  const rest = { attempt: 1, state: 'running', reasons: [], bornAt: 1, endedAt: null, size: null } as const;
  const runId = 'ab'.repeat(16);
  const row = { runId, reference: '', ...rest, ...texts, parts: { keep: 0, disarm: 0, remove: 0 } };
  await one.put({ row, facts: [] });
  expect(await other.get(runId)).toEqual(row);
  one.close();
  other.close();
});

test('leaves a file of another version alone', () => {
  const path = fresh();
  const db = new Database(path);
  db.exec('PRAGMA user_version = 99');
  db.close();
  expect(() => openSqliteRuns(path)).toThrow('version 99');
});

test('an index of before holds were kept counts those of the mail that is held now, until it is made anew', async () => {
  const path = fresh();
  const db = new Database(path);
  const row = (number: number, state: string, endedAt: number | null, reasons: readonly string[]) => {
    const run = String(number).padStart(32, '0');
    const text = JSON.stringify({ runId: run, attempt: 1, bornAt: number, state, endedAt, reasons });
    return `INSERT INTO runs (run, born, row) VALUES ('${run}', ${number}, '${text}');
      INSERT INTO facts VALUES ('state', '${state}', ${number}, '${run}');`;
  };
  db.exec(`
    CREATE TABLE runs (number INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, born INTEGER NOT NULL, row TEXT NOT NULL);
    CREATE INDEX by_time ON runs (born, run);
    CREATE TABLE facts (
      kind TEXT NOT NULL, value TEXT NOT NULL, born INTEGER NOT NULL, run TEXT NOT NULL,
      PRIMARY KEY (kind, value, born, run)
    ) WITHOUT ROWID;
    CREATE INDEX facts_of ON facts (run);
    PRAGMA user_version = 1;
    ${row(1, 'quarantined', 5, ['timeout', 'blocked'])} ${row(2, 'quarantined', 6, [])}
    ${row(3, 'delivered', 7, ['malicious'])} ${row(4, 'running', null, [])}
  `);
  db.close();
  const [one, other] = [openSqliteRuns(path), openSqliteRuns(path)];
  const counted = (await other.holds([6, 5])).map(({ reasons, holds }) => [reasons, holds]);
  expect(counted).toEqual([
    [[], [1, 1]],
    [
      ['timeout', 'blocked'],
      [0, 1],
    ],
  ]);
  const { rows } = await other.list({ facts: [], since: null, until: null, after: null, most: 9 });
  expect(rows).toHaveLength(4);
  one.close();
  other.close();
});

test('says that a file is no index', () => {
  const path = fresh();
  writeFileSync(path, 'this is no database, and long enough to be looked at as one. '.repeat(40));
  expect(() => openSqliteRuns(path)).toThrow();
});

describe('two frequent facts that hardly occur together', () => {
  const RUNS = 90_000;
  const fact = (value: string) => ({ kind: 'word' as const, value });
  /** The number of a run is the time at which it came in. */
  const numbersOf = (rows: readonly RunRow[]) => rows.map(({ runId }) => Number.parseInt(runId, 16));

  function filled() {
    const path = fresh();
    openSqliteRuns(path).close();
    const db = new Database(path);
    // Both stand in the oldest and the newest run and in one in the middle. One in 30 runs is rare, too.
    db.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RUNS})
        INSERT INTO runs (run, born, row) SELECT printf('%032x', i), i, json_object('runId', printf('%032x', i)) FROM n;
      INSERT INTO facts SELECT 'word', 'even', born, run FROM runs WHERE born % 2 = 0 OR born IN (1, 45001);
      INSERT INTO facts SELECT 'word', 'odd', born, run FROM runs WHERE born % 2 = 1 OR born = ${RUNS};
      INSERT INTO facts SELECT 'word', 'rare', born, run FROM runs WHERE born % 30 = 0 OR born = 1;
      INSERT INTO facts SELECT 'word', 'usual', born, run FROM runs WHERE born % 30 > 0;
    `);
    db.close();
    const runs = openSqliteRuns(path);
    onTestFinished(() => runs.close());
    return runs;
  }

  /** The runs of all pages, and how many pages there are. */
  async function allOf(runs: Runs, query: Pick<RunQuery, 'facts'> & Partial<RunQuery>, most = 1) {
    const found: number[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const page: RunPage = await runs.list({ since: null, until: null, ...query, most, after });
      found.push(...numbersOf(page.rows));
      after = page.next;
      pages += 1;
    } while (after !== null);
    return { found, pages };
  }

  test('are read side by side, so a few pages go through all runs, and each finds what there is', async () => {
    const runs = filled();
    const facts = [fact('even'), fact('odd')];
    expect(await allOf(runs, { facts })).toEqual({ found: [RUNS, 45_001, 1], pages: 4 });
    expect(await allOf(runs, { facts }, 50)).toEqual({ found: [RUNS, 45_001, 1], pages: 4 });
    expect(await allOf(runs, { facts, since: 2, until: 45_001 }, 50)).toEqual({ found: [], pages: 2 });
    expect((await fullPage(runs, { facts, since: null, until: RUNS, after: null, most: 5 })).rows).toHaveLength(2);
  });

  test('are looked up in each other when one of them is so rare that this goes further back', async () => {
    const runs = filled();
    expect(await allOf(runs, { facts: [fact('usual'), fact('rare')] }, 50)).toEqual({ found: [1], pages: 2 });
    const three = { facts: [fact('odd'), fact('usual'), fact('even')] };
    expect(await allOf(runs, three, 50)).toEqual({ found: [45_001, 1], pages: 6 });
  });
});
