import { execFileSync } from 'node:child_process';
import fs, { appendFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { directoryBlobs } from '../../lib/storage/directory/directory.ts';
import { checkOwnFolders, makeOwnFolders } from '../../lib/storage/directory/own-folders.ts';
import { directorySubmissions } from '../../lib/storage/directory/submissions.ts';
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

/** Somebody who may write below the root leads a name of ours to a place of hers. */
async function planted(at: string) {
  const [root, elsewhere] = [fresh(), fresh()];
  await mkdir(elsewhere, { recursive: true });
  await writeFile(join(elsewhere, 'a'), 'hers');
  await mkdir(join(root, at, '..'), { recursive: true });
  await symlink(elsewhere, join(root, at));
  return { blobs: directoryBlobs(root), elsewhere, root };
}
const BYTES = new TextEncoder().encode('ours');

test.each(['work', 'work/runs'])('a link planted at %s is followed by no write, read, copy or removal', async (at) => {
  const { blobs, elsewhere } = await planted(at);
  const key = 'runs/a';
  await blobs.put('clean', 'a', BYTES);
  await expect(blobs.put('work', key, BYTES)).rejects.toMatchObject({ code: 'planted_link' });
  await expect(blobs.put('work', key, BYTES, { ifAbsent: true })).rejects.toMatchObject({ code: 'planted_link' });
  await expect(blobs.get('work', key, { maxBytes: 9 })).rejects.toMatchObject({ code: 'planted_link' });
  await expect(blobs.has('work', key)).rejects.toMatchObject({ code: 'planted_link' });
  await expect(blobs.remove('work', key)).rejects.toMatchObject({ code: 'planted_link' });
  await expect(blobs.copy({ bucket: 'work', key, versionId: '' }, { bucket: 'clean', key: 'b' })).rejects.toMatchObject(
    { code: 'planted_link' },
  );
  expect(await readdir(elsewhere)).toEqual(['a']);
});

test('a link planted in place of an object is replaced, not written through, and never read', async () => {
  const { blobs, root, elsewhere } = await planted('work/x');
  await symlink(join(elsewhere, 'a'), join(root, 'work/link'));
  expect(await blobs.has('work', 'link')).toBe(false);
  await expect(blobs.get('work', 'link', { maxBytes: 9 })).rejects.toMatchObject({ code: 'planted_link' });
  await blobs.put('work', 'link', BYTES);
  expect((await stat(join(elsewhere, 'a'))).size).toBe(4);
  expect(Buffer.from(await blobs.get('work', 'link', { maxBytes: 9 })).toString()).toBe('ours');
});

test('a pipe planted in place of an object makes nobody wait, and is never read', async () => {
  const { blobs, root } = await planted('work/x');
  execFileSync('mkfifo', [join(root, 'work/pipe')]);
  await expect(blobs.get('work', 'pipe', { maxBytes: 9 })).rejects.toMatchObject({ code: 'planted_link' });
});

test('submissions are not kept in a folder that is a link', async () => {
  const { root, elsewhere } = await planted('submissions');
  const record = { key: 'k', claimedBy: 'r', claimedAt: '', submissionId: null, expiresAtSeconds: 9 };
  await expect(directorySubmissions(join(root, 'submissions')).claim(record as never, 0)).rejects.toMatchObject({
    code: 'planted_link',
  });
  expect(await readdir(elsewhere)).toEqual(['a']);
});

test('what is kept is for its owner alone', async () => {
  const root = fresh();
  await directoryBlobs(root).put('clean', 'run/message.eml', BYTES);
  const modes = await Promise.all(
    ['clean', 'clean/run', 'clean/run/message.eml'].map((path) => stat(join(root, path))),
  );
  expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '700', '600']);
});

test('a file that grows while it is read does not slip past the limit, which the error names', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  await blobs.put('work', 'a', BYTES);
  const path = blobs.pathOf('work', 'a');
  const { fstatSync } = fs;
  // The writer is faster than the reader: between the look at the size and the reading, the file is a byte longer.
  fs.fstatSync = ((...args: Parameters<typeof fstatSync>) => {
    const found = fstatSync(...args);
    appendFileSync(path, '!');
    return found;
  }) as typeof fstatSync;
  syncBuiltinESMExports();
  try {
    await expect(blobs.get('work', 'a', { maxBytes: 100 })).rejects.toMatchObject({
      name: 'LimitExceededError',
      message: 'limit maxBytes exceeded: at most 4, found more',
    });
  } finally {
    fs.fstatSync = fstatSync;
    syncBuiltinESMExports();
  }
  expect((await blobs.get('work', 'a', { maxBytes: 5 })).length).toBe(5);
});

test('a link in place of an object is copied no more than it is read', async () => {
  const { blobs, root, elsewhere } = await planted('work/x');
  await symlink(join(elsewhere, 'a'), join(root, 'work/link'));
  const target = { bucket: 'clean', key: 'b' } as const;
  await expect(blobs.copy({ bucket: 'work', key: 'link', versionId: '' }, target)).rejects.toMatchObject({
    code: 'planted_link',
  });
  expect(await blobs.has('clean', 'b')).toBe(false);
});

test('a segment of a key that is too long for a file name is refused before anything is written', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  await blobs.put('work', `a/${'x'.repeat(200)}`, BYTES);
  await expect(blobs.put('work', `a/${'x'.repeat(201)}`, BYTES)).rejects.toThrow(TypeError);
  await expect(blobs.put('work', `a/${'ü'.repeat(40)}`, BYTES)).rejects.toThrow(TypeError);
});

test('a file where a folder must be is said, and what keeps a folder from being made or checked', async () => {
  const root = fresh();
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'work'), 'no folder');
  await expect(directoryBlobs(root).put('work', 'a/b', BYTES)).rejects.toMatchObject({ code: 'planted_link' });
  await expect(makeOwnFolders(root, join(root, 'x'.repeat(300)))).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
  await expect(checkOwnFolders(root, join(root, 'x'.repeat(300)))).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
});

test.each([
  ['inbox/a b.eml', 'inbox/a%20b.eml'],
  ['a//b', 'a/%/b'],
  ['', '%'],
  ['.hidden', '%2Ehidden'],
  ['..', '%2E.'],
  ['ü', '%C3%BC'],
  ['a%41', 'a%2541'],
  ['x\ny\\z', 'x%0Ay%5Cz'],
  ['UP-low_0.9', 'UP-low_0.9'],
])('the key %j is the file %s below its bucket', async (key, path) => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  await blobs.put('work', key, BYTES);
  expect(blobs.pathOf('work', key)).toBe(join(root, 'work', path));
  expect((await stat(join(root, 'work', path))).size).toBe(BYTES.length);
});

test('a finished file is moved to its place, in folders that are made for it', async () => {
  const root = fresh();
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'finished'), 'ours');
  const blobs = directoryBlobs(root);
  await blobs.adopt('clean', 'run/mail.eml', join(root, 'finished'));
  expect(Buffer.from(await blobs.get('clean', 'run/mail.eml', { maxBytes: 4 })).toString()).toBe('ours');
  expect(await readdir(root)).toEqual(['clean']);
});

test('removes an object or all below a key, and minds not when there are none', async () => {
  const blobs = directoryBlobs(fresh());
  for (const key of ['run/a', 'run/b/c', 'other/a']) await blobs.put('work', key, BYTES);
  await blobs.remove('work', 'run');
  await blobs.remove('work', 'run');
  await blobs.remove('work', 'never/was');
  await blobs.remove('work', 'other/a');
  expect(await Promise.all(['run/a', 'run/b/c', 'other/a'].map((key) => blobs.has('work', key)))).toEqual([
    false,
    false,
    false,
  ]);
});

test('a folder is no object', async () => {
  const blobs = directoryBlobs(fresh());
  await blobs.put('work', 'run/a', BYTES);
  expect(await blobs.has('work', 'run')).toBe(false);
});

test('a copy is for its owner alone and leaves nothing else behind', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  await blobs.put('work', 'a', BYTES);
  await blobs.copy({ bucket: 'work', key: 'a', versionId: '' }, { bucket: 'clean', key: 'b' });
  expect(((await stat(join(root, 'clean/b'))).mode & 0o777).toString(8)).toBe('600');
  expect(await readdir(join(root, 'clean'))).toEqual(['b']);
});

test('what is wrong with a name on the way is said, and is not called absence', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  await blobs.put('work', 'a', BYTES);
  // A file is in the place of a folder.
  const inside = { bucket: 'work', key: 'a/b', versionId: '' } as const;
  await expect(blobs.get('work', 'a/b', { maxBytes: 9 })).rejects.toMatchObject({ code: 'planted_link' });
  await expect(blobs.has('work', 'a/b')).rejects.toMatchObject({ code: 'planted_link' });
  await expect(blobs.copy(inside, { bucket: 'clean', key: 'c' })).rejects.toMatchObject({ code: 'planted_link' });
  // A folder is in the place of an object.
  await blobs.put('work', 'run/a', BYTES);
  const folderAsObject = { bucket: 'work', key: 'run', versionId: '' } as const;
  await expect(blobs.get('work', 'run', { maxBytes: 100_000 })).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(blobs.put('work', 'run', BYTES, { ifAbsent: true })).resolves.toBe(false);
  await expect(blobs.copy(folderAsObject, { bucket: 'clean', key: 'c' })).rejects.not.toMatchObject({
    name: 'NotFoundError',
  });
});

test('records are for their owner alone, one file each, and nothing else stays', async () => {
  const directory = join(fresh(), 'submissions');
  const submissions = directorySubmissions(directory);
  const record = (submissionId: string | null) =>
    ({ key: 'a:b:c', claimedBy: 'r', submissionId, report: null, disarmed: null, expiresAtSeconds: 9 }) as const;
  await submissions.claim(record(null), 0);
  await submissions.claim(record(null), 0);
  await submissions.update(record('s'));
  expect(await readdir(directory)).toEqual(['a_b_c.json']);
  expect(((await stat(join(directory, 'a_b_c.json'))).mode & 0o777).toString(8)).toBe('600');
  expect(((await stat(directory)).mode & 0o777).toString(8)).toBe('700');
});

test('a damaged record is said, and is neither absence nor a free key', async () => {
  const directory = join(fresh(), 'submissions');
  const submissions = directorySubmissions(directory);
  const record = { key: 'k', claimedBy: 'r', submissionId: null, report: null, disarmed: null, expiresAtSeconds: 9 };
  await submissions.claim(record, 0);
  await writeFile(join(directory, 'k.json'), '{');
  await expect(submissions.find('k', 0)).rejects.toMatchObject({ name: 'CorruptDataError' });
  await expect(submissions.claim(record, 0)).rejects.toMatchObject({ name: 'CorruptDataError' });
});

test('an expired record that another process has renewed meanwhile is put back', async () => {
  const directory = join(fresh(), 'submissions');
  const submissions = directorySubmissions(directory);
  const record = (claimedBy: string, expiresAtSeconds: number) =>
    ({ key: 'k', claimedBy, submissionId: null, report: null, disarmed: null, expiresAtSeconds }) as const;
  await submissions.claim(record('old', 10), 0);
  const [name = ''] = await readdir(directory);
  // Between the look at the expired record and its removal, another process claims the key.
  const parse = JSON.parse.bind(JSON);
  let looks = 0;
  const spied = vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
    const value: unknown = parse(text);
    if (looks++ === 0) writeFileSync(join(directory, name), JSON.stringify(record('new', 100)));
    return value;
  });
  try {
    expect(await submissions.claim(record('late', 200), 50)).toMatchObject({
      won: false,
      record: { claimedBy: 'new' },
    });
  } finally {
    spied.mockRestore();
  }
  expect((await submissions.find('k', 50))?.claimedBy).toBe('new');
  expect(await readdir(directory)).toEqual([name]);
});

const HASHED = `artifacts/${'a'.repeat(64)}`;

test('an object that is named by its content is written once, and what is used again does not grow old', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  await blobs.put('work', HASHED, BYTES);
  const { ino } = await stat(join(root, 'work', HASHED));
  await utimes(join(root, 'work', HASHED), 0, 0);
  await blobs.put('work', HASHED, BYTES);
  const again = await stat(join(root, 'work', HASHED));
  expect([again.ino, again.mtimeMs > Date.now() - 3_600_000]).toEqual([ino, true]);
});

test.each([
  ['other bytes of the same length', (path: string) => writeFile(path, 'hers')],
  ['fewer bytes, as after a cut of the power', (path: string) => writeFile(path, '')],
  ['a link', (path: string) => symlink('/dev/null', path)],
])('what stands in its place is replaced when it is %s', async (_, plant) => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  await mkdir(join(root, 'work/artifacts'), { recursive: true });
  await plant(join(root, 'work', HASHED));
  await blobs.put('work', HASHED, BYTES);
  expect(Buffer.from(await blobs.get('work', HASHED, { maxBytes: 9 })).toString()).toBe('ours');
});

const TOGETHER = new Map([
  ['message.eml', BYTES],
  ['files/b/c', BYTES],
]);

test('objects below one key are there together, for their owner alone, beside what was there before', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  await blobs.putBelow('clean', 'run', TOGETHER);
  expect(await readdir(join(root, 'clean'))).toEqual(['run']);
  const modes = ['clean/run', 'clean/run/files/b', 'clean/run/files/b/c'].map((path) => fs.statSync(join(root, path)));
  expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '700', '600']);
  await blobs.putBelow('clean', 'run', new Map([['files/b/d', BYTES]]));
  expect(await readdir(join(root, 'clean/run/files/b'))).toEqual(['c', 'd']);
});

test('an object that was put elsewhere has its room there, and keeps its bytes when that one is replaced or removed', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  const twin = { bucket: 'clean', key: 'run/message.eml' } as const;
  await blobs.putBelow('clean', 'run', TOGETHER);
  await blobs.putBelow('work', 'run', new Map([['chain', BYTES]]), new Map([['chain', twin]]));
  const inode = (path: string) => fs.statSync(join(root, path)).ino;
  expect(inode('work/run/chain')).toBe(inode('clean/run/message.eml'));
  await blobs.put(twin.bucket, twin.key, Buffer.from('other'));
  expect(Buffer.from(await blobs.get('work', 'run/chain', { maxBytes: 9 }))).toEqual(Buffer.from(BYTES));
  await blobs.remove('clean', 'run');
  await blobs.putBelow('work', 'later', new Map([['chain', BYTES]]), new Map([['chain', twin]]));
  expect(Buffer.from(await blobs.get('work', 'later/chain', { maxBytes: 9 }))).toEqual(Buffer.from(BYTES));
});

test('of objects that cannot all be written below a new key, none is there', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  const tooLong = new Map([...TOGETHER, ['x'.repeat(300), BYTES]]);
  await expect(blobs.putBelow('clean', 'run', tooLong)).rejects.toThrow();
  const taken = new Map([...TOGETHER, ['message.eml/x', BYTES]]);
  await expect(blobs.putBelow('clean', 'run', taken)).rejects.toThrow();
  expect(await readdir(join(root, 'clean')).catch(() => [])).toEqual([]);
});

test('no folder is made below a link', async () => {
  const { blobs, elsewhere } = await planted('work/runs');
  await expect(blobs.putBelow('work', 'runs/b', TOGETHER)).rejects.toMatchObject({ code: 'planted_link' });
  expect(await readdir(elsewhere)).toEqual(['a']);
});

test('an object that is named after its bytes is written again once somebody has changed it', async () => {
  const root = fresh();
  const blobs = directoryBlobs(root);
  const key = `artifacts/${'a'.repeat(64)}`;
  const path = join(root, 'work', key);
  await blobs.put('work', key, BYTES);
  const { ctimeMs } = await stat(path);
  // Later, and twice, so that the process knows the file as it is.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  try {
    for (let times = 0; times < 2; times += 1) await blobs.put('work', key, BYTES);
    do await writeFile(path, 'hers');
    while ((await stat(path)).ctimeMs === ctimeMs);
    await blobs.put('work', key, BYTES);
  } finally {
    vi.useRealTimers();
  }
  expect(new TextDecoder().decode(await blobs.get('work', key, { maxBytes: 9 }))).toBe('ours');
});

test('a key has something below it when it is an object or has objects below it', async () => {
  const blobs = directoryBlobs(fresh());
  await blobs.put('work', 'runs/a/1', BYTES);
  expect(await Promise.all(['runs/a', 'runs/a/1', 'runs/b'].map((key) => blobs.hasBelow('work', key)))).toEqual([
    true,
    true,
    false,
  ]);
});
