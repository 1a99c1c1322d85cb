import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { directoryBlobs } from '../../lib/storage/directory.ts';
import { directorySubmissions } from '../../lib/storage/directory-submissions.ts';
import { describeBlobs } from './blobs-contract.ts';
import { describeSubmissions } from './submissions-contract.ts';

let folder: string;
let next = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-directory-'));
});
afterAll(() => rm(folder, { recursive: true }));
const fresh = () => join(folder, String(next++));

describeBlobs('directory', async () => directoryBlobs(fresh()));
describeSubmissions('directory', async () => directorySubmissions(fresh()));

test('a key cannot climb out of the directory, whatever it says', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  for (const key of ['../evil', '..\\evil', 'a/../../evil', '/etc/evil', '.hidden', 'a\u0000b', 'con:'])
    await blobs.put('intake', key, new TextEncoder().encode(key));
  const written = await readdir(join(root, 'intake'), { recursive: true });
  expect(
    written.every(
      (path) => /^[A-Za-z0-9_%/.-]+$/.test(path) && !path.split('/').some((segment) => segment.startsWith('.')),
    ),
  ).toBe(true);
  expect(await readdir(root)).toEqual(['intake']);
});

test('what was interrupted while it was written is not an object', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => blobs.put('work', 'runs/a', new Uint8Array(100_000).fill(index))),
  );
  const bytes = await blobs.get('work', 'runs/a', { maxBytes: 100_000 });
  expect(new Set(bytes).size).toBe(1);
  expect(await readdir(join(root, 'work/runs'))).toEqual(['a']);
});
