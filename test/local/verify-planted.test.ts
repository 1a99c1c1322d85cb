/** `airlock verify` over a folder in which somebody has put something else than files. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

let folder: string;
let runId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-verify-'));
  await writeFile(join(folder, 'good.eml'), emailWith({ text: 'Hello' }));
  expect((await airlock(['scan', '--out', join(folder, 'out'), join(folder, 'good.eml')])).code).toBe(0);
  runId = (await readdir(join(folder, 'out/clean'))).find((name) => name !== 'keys') ?? '';
});
afterAll(() => rm(folder, { recursive: true }));

/** Copies the clean bucket, and has `plant` change the copy. */
async function verified(plant: (run: string, keys: string) => Promise<unknown>) {
  const copy = await mkdtemp(join(folder, 'copy-'));
  await cp(join(folder, 'out/clean'), copy, { recursive: true });
  await plant(join(copy, runId), join(copy, 'keys'));
  return airlock(['verify', join(copy, runId, 'message.eml')]);
}
const pipe = (path: string) => execFileSync('mkfifo', [path]);

test('the copy itself fits', async () => {
  expect((await verified(async () => {})).code).toBe(0);
});

test.each(['message.eml', 'evidence.json'])(
  'a pipe, a device and a folder in the place of %s are said',
  async (name) => {
    const plants = [pipe, (path: string) => symlink('/dev/zero', path), (path: string) => mkdir(path)];
    for (const plant of plants) {
      const { code, stderr } = await verified(async (run) => {
        await rm(join(run, name));
        await plant(join(run, name));
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be read (ENOTFILE)')]);
    }
  },
);

test('a pipe among the files is said', async () => {
  const { code, stderr } = await verified(async (run) => {
    await mkdir(join(run, 'files'), { recursive: true });
    pipe(join(run, 'files', 'a.bin'));
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining('a.bin cannot be read')]);
});

test('a message of many gigabytes is not read', async () => {
  const { code, stdout } = await verified((run) => truncate(join(run, 'message.eml'), 9 * 2 ** 30));
  expect([code, stdout]).toEqual([1, expect.stringContaining('limit verifiedBytes')]);
});

test.each([
  ['pipes', pipe],
  ['files of gigabytes', (path: string) => writeFile(path, '').then(() => truncate(path, 3 * 2 ** 30))],
])('keys that are %s are no keys', async (_what, plant) => {
  const { code, stdout } = await verified(async (_run, keys) => {
    for (const name of await readdir(keys)) {
      await rm(join(keys, name));
      await plant(join(keys, name));
    }
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining('has no key')]);
});
