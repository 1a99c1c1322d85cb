/** The index of runs in a SQLite file: the contract, several processes, and files that are not ours. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { fullPage } from '../../lib/local/session/run-index.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/sqlite-runs.ts';
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

test('a page of two frequent facts that hardly occur together ends early, and its next pages find what there is', async () => {
  const path = fresh();
  openSqliteRuns(path).close();
  const db = new Database(path);
  const [first, second] = [2_600, 3_700];
  // The oldest run has both facts, then come runs of the one, and then runs of the other.
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${second})
      INSERT INTO runs (run, born, row) SELECT printf('%032x', i), i, json_object('runId', printf('%032x', i)) FROM n;
    INSERT INTO facts SELECT 'state', 'delivered', born, run FROM runs WHERE born <= ${first};
    INSERT INTO facts SELECT 'word', 'news', born, run FROM runs WHERE born > ${first} OR born = 1;
  `);
  db.close();
  const runs = openSqliteRuns(path);
  const facts = [
    { kind: 'state', value: 'delivered' },
    { kind: 'word', value: 'news' },
  ] as const;
  const all = { facts, since: null, until: null, most: 5 };
  const early = await runs.list({ ...all, after: null });
  expect([early.rows.length, early.next === null]).toEqual([0, false]);
  const last = await runs.list({ ...all, after: early.next });
  expect([last.rows.map(({ runId }) => Number.parseInt(runId, 16)), last.next]).toEqual([[1], null]);
  expect((await fullPage(runs, { ...all, after: null })).rows).toHaveLength(1);
  runs.close();
});
