/** A small text that several people change: every adapter of the port does the same. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SharedText } from '../../lib/pipeline/shared-text-port.ts';
import { directoryText } from '../../lib/storage/directory/shared-text.ts';
import { createS3Text } from '../../lib/storage/s3/shared-text.ts';
import { BUCKETS, serverRig } from '../twin/rig.ts';

const MOST = 1_000;
const NAME = 'desk/views.json';

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-text-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const inFolder = async () => directoryText(folderOf(), NAME, MOST);
const inBucket = async () => (await bucketRig()).text;

async function bucketRig() {
  const rig = await serverRig();
  onTestFinished(() => rig.close());
  return { rig, text: createS3Text({ client: rig.s3, bucket: BUCKETS.work, key: NAME, maxBytes: MOST }) };
}

const textOf = async (text: SharedText) => (await text.read())?.text ?? null;

describe.each([
  ['a folder', inFolder],
  ['a bucket', inBucket],
])('in %s', (_, open) => {
  test('there is nothing at first, and then what was written', async () => {
    const text = await open();
    expect(await text.read()).toBeNull();
    expect(await text.replace('ä one', null)).toBe(true);
    expect(await textOf(text)).toBe('ä one');
  });

  test('whoever has read it replaces it, once', async () => {
    const text = await open();
    await text.replace('one', null);
    const before = await text.read();
    expect([await text.replace('two', before), await text.replace('three', before)]).toEqual([true, false]);
    expect(await textOf(text)).toBe('two');
  });

  test('whoever found nothing replaces nothing', async () => {
    const text = await open();
    await text.replace('one', null);
    expect([await text.replace('two', null), await textOf(text)]).toEqual([false, 'one']);
  });

  test('of several that write at once, one does', async () => {
    const text = await open();
    const all = ['a', 'b', 'c', 'd'];
    for (const before of [null, 'again']) {
      const read = before === null ? null : await text.read();
      const done = await Promise.all(all.map((each) => text.replace(`${each} ${before}`, read)));
      expect(done.filter(Boolean)).toHaveLength(1);
      expect(await textOf(text)).toBe(`${all[done.indexOf(true)]} ${before}`);
    }
  });

  test('what is longer than it may be is not read', async () => {
    const text = await open();
    await text.replace('x'.repeat(MOST + 1), null);
    await expect(text.read()).rejects.toThrow('object bytes');
  });
});

test('what was deleted meanwhile is not written anew from what was read before', async () => {
  const { rig, text } = await bucketRig();
  await text.replace('one', null);
  const before = await text.read();
  rig.bucket('work').delete(NAME, null);
  expect([await text.replace('two', before), await text.read()]).toEqual([false, null]);
});

test('a link in the place of the file, or of its folder, is followed neither to read nor to write', async () => {
  const [folder, elsewhere] = [folderOf(), folderOf()];
  writeFileSync(join(elsewhere, 'views.json'), 'theirs');
  symlinkSync(elsewhere, join(folder, 'desk'));
  const throughFolder = directoryText(folder, NAME, MOST);
  await expect(throughFolder.read()).rejects.toThrow('is a link');
  await expect(throughFolder.replace('mine', null)).rejects.toThrow('is a link');
  const other = folderOf();
  mkdirSync(join(other, 'desk'));
  symlinkSync(join(elsewhere, 'views.json'), join(other, NAME));
  await expect(directoryText(other, NAME, MOST).read()).rejects.toThrow('is a link');
});
