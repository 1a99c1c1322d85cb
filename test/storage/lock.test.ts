import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { privateFile } from '../../lib/storage/directory/private-file.ts';
import { holdLock } from '../../lib/storage/sqlite/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a lock that is held is not given a second time, and is free again when it is closed', async () => {
  const path = join(folder, 'lock');
  const first = holdLock(path);
  expect(first).not.toBeNull();
  expect(holdLock(path)).toBeNull();
  // The attempt that failed has not loosened the lock.
  expect(holdLock(path)).toBeNull();
  await first?.close();
  const second = holdLock(path);
  expect(second).not.toBeNull();
  await second?.close();
});

test('only the owner can read a lock', async () => {
  const path = join(folder, 'private');
  const lock = holdLock(path);
  expect(modeOf(path)).toBe('600');
  await lock?.close();
});

test('a private file is for its owner alone, also when others could read it before, and keeps its content', () => {
  expect(modeOf(privateFile(join(folder, 'made')))).toBe('600');
  const path = join(folder, 'found');
  writeFileSync(path, 'kept');
  chmodSync(path, 0o644);
  expect(privateFile(path)).toBe(path);
  expect(modeOf(path)).toBe('600');
  expect(statSync(path).size).toBe(4);
});
