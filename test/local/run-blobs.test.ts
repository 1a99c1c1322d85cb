/** What a run writes stays in memory until it ends, and then is on the disk at once. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunBlobs, runBlobs } from '../../lib/local/session/run-blobs.ts';
import { NotFoundError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Blobs, Bucket } from '../../lib/pipeline/ports.ts';
import { directoryBlobs } from '../../lib/storage/directory/directory.ts';
import { entriesOf, WAY } from '../pipeline/way.ts';
import { describeBlobs } from '../storage/blobs-contract.ts';

const RUN = '0123456789abcdef0123456789abcdef';
const OTHER = 'fedcba9876543210fedcba9876543210';
const HASH = 'a'.repeat(64);
const bytes = (text: string) => new TextEncoder().encode(text);

let folder: string;
let next = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-run-blobs-'));
});
afterAll(() => rm(folder, { recursive: true }));

function held(): { root: string; blobs: RunBlobs } {
  const root = join(folder, String(next++));
  const blobs = runBlobs(directoryBlobs(root));
  blobs.holdBack(RUN);
  return { root, blobs };
}

/** Every key as one of the run. */
function ofRun(blobs: Blobs): Blobs {
  const key = (name: string) => `runs/${RUN}/${name}`;
  const named = (bucket: Bucket, name: string) => (error: unknown) => {
    throw error instanceof NotFoundError ? new NotFoundError(bucket, name) : error;
  };
  return {
    put: (bucket, name, body, options) => blobs.put(bucket, key(name), body, options),
    get: (bucket, name, options) => blobs.get(bucket, key(name), options).catch(named(bucket, name)),
    has: (bucket, name) => blobs.has(bucket, key(name)),
    copy: (source, target) => blobs.copy({ ...source, key: key(source.key) }, { ...target, key: key(target.key) }),
  };
}
describeBlobs('a run that is held back', () => ofRun(held().blobs));
describeBlobs('a run that was released', async () => {
  const { blobs } = held();
  await blobs.release(RUN);
  return ofRun(blobs);
});

const filesBelow = async (root: string) =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(root.length + 1)
        .replaceAll(RUN, 'RUN'),
    )
    .sort();

async function writeWholeRun(blobs: RunBlobs): Promise<void> {
  await blobs.put('work', keys.intake(RUN), bytes('i'));
  for (const name of entriesOf(['parse', ...WAY]))
    await blobs.put('work', keys.entry(RUN, 1, name), bytes(name), { ifAbsent: true });
  await blobs.put('work', keys.rebuilt(RUN, HASH), bytes('message'));
  await blobs.put('work', keys.terminal(RUN, 1), bytes('t'), { ifAbsent: true });
  await blobs.put('clean', keys.cleanFile(RUN, HASH, 'txt'), bytes('f'));
  await blobs.put('clean', keys.cleanMessage(RUN), bytes('message'));
}

test('a run that has ended is on the disk with its last entry alone, and before that nothing of it is', async () => {
  const { root, blobs } = held();
  await writeWholeRun(blobs);
  expect(existsSync(root)).toBe(false);
  await blobs.put('work', keys.entry(RUN, 1, 'deliver'), bytes('deliver'), { ifAbsent: true });
  await blobs.put('work', keys.artifact(HASH), bytes('shared by all runs'));
  expect(await filesBelow(root)).toEqual([`work/artifacts/${HASH}`]);
  await blobs.release(RUN);
  const clean = [`clean/RUN/files/${HASH}.txt`, 'clean/RUN/message.eml'];
  const work = ['work/runs/RUN/1/deliver.json', 'work/runs/RUN/1/terminal.json', 'work/runs/RUN/intake.json'];
  expect(await filesBelow(root)).toEqual([...clean, `work/artifacts/${HASH}`, ...work]);
});

test('a run that has not ended is on the disk with every entry and what was rebuilt, and goes on there', async () => {
  const { root, blobs } = held();
  await writeWholeRun(blobs);
  await blobs.release(RUN);
  expect((await filesBelow(join(root, 'work'))).length).toBe(9);
  await blobs.put('work', keys.entry(RUN, 1, 'deliver'), bytes('deliver'));
  expect(existsSync(join(root, 'work/runs', RUN, '1/deliver.json'))).toBe(true);
});

test('a run that writes much is written as it goes', async () => {
  const { root, blobs } = held();
  await blobs.put('work', keys.intake(RUN), bytes('i'));
  await blobs.put('work', keys.rebuilt(RUN, HASH), new Uint8Array(5 * 1024 * 1024));
  expect(await filesBelow(root)).toEqual(['work/runs/RUN/intake.json', `work/runs/RUN/rebuilt-${HASH}`]);
});

test('what was dropped is nowhere, and another run was never held back', async () => {
  const { root, blobs } = held();
  await blobs.put('work', keys.intake(RUN), bytes('i'));
  await blobs.put('work', keys.intake(OTHER), bytes('i'));
  blobs.drop(RUN);
  await blobs.release(RUN);
  expect(await blobs.has('work', keys.intake(RUN))).toBe(false);
  expect(await filesBelow(root)).toEqual([`work/runs/${OTHER}/intake.json`]);
});

test('what the disk does not take is kept, and is written with the next try', async () => {
  const { root, blobs } = held();
  await blobs.put('clean', keys.cleanMessage(RUN), bytes('message'));
  await blobs.put('work', keys.intake(RUN), bytes('i'));
  // A file is in the place of the folder of all runs.
  await directoryBlobs(root).put('work', 'runs', bytes('x'));
  await expect(blobs.release(RUN)).rejects.toMatchObject({ code: 'planted_link' });
  expect(await blobs.has('work', keys.intake(RUN))).toBe(true);
  await rm(join(root, 'work/runs'));
  await blobs.release(RUN);
  expect(await filesBelow(root)).toEqual(['clean/RUN/message.eml', 'work/runs/RUN/intake.json']);
});

test('while it is written, nothing else is put beside it, and all who release it wait for the same', async () => {
  const { root, blobs } = held();
  await blobs.put('work', keys.rebuilt(RUN, HASH), new Uint8Array(1024 * 1024));
  const releasing = blobs.release(RUN);
  expect(blobs.release(RUN)).toBe(releasing);
  await blobs.put('clean', keys.cleanMessage(RUN), bytes('message'));
  expect(await filesBelow(root)).toEqual(['clean/RUN/message.eml', `work/runs/RUN/rebuilt-${HASH}`]);
});

test('to remove it is to remove what is held back, too', async () => {
  const { root, blobs } = held();
  await blobs.put('quarantine', keys.quarantineRecord(RUN, 1), bytes('r'));
  await blobs.remove('quarantine', RUN);
  expect(await blobs.has('quarantine', keys.quarantineRecord(RUN, 1))).toBe(false);
  await writeFile(join(root, 'still there'), '');
  expect(await filesBelow(root)).toEqual(['still there']);
});
