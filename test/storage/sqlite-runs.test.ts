/** The index of runs in a SQLite file: the contract, several processes, and files that are not ours. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteRuns } from '../../lib/storage/sqlite-runs.ts';
import { describeRuns } from './runs-contract.ts';

const fresh = () => join(mkdtempSync(join(tmpdir(), 'airlock-runs-')), 'runs.sqlite');

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
