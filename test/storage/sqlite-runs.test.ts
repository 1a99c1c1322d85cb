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
