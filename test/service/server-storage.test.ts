import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_SERVICE_LIMITS } from '../../lib/service/server/limits.ts';
import { newKey } from '../../lib/service/server/store/api-keys.ts';
import type { BlobStore } from '../../lib/service/server/store/blobs.ts';
import { openDirectoryBlobs } from '../../lib/service/server/store/directory-blobs.ts';
import { createMemoryBlobs } from '../../lib/service/server/store/memory-blobs.ts';
import { createMemoryStore } from '../../lib/service/server/store/memory-store.ts';
import { openS3Blobs } from '../../lib/service/server/store/s3-blobs.ts';
import { openSqliteStore } from '../../lib/service/server/store/sqlite-store.ts';
import { openKeys, openStorage, StorageLockedError } from '../../lib/service/server/store/storage.ts';
import { storeContent } from '../../lib/service/server/store/uploads.ts';
import { BUCKETS, type ServerRig, type ServerRigOptions, serverRig } from '../twin/rig.ts';
import { AwsError } from '../twin/servers/call.ts';
import type { Interruption } from '../twin/servers/front.ts';
import { storeContract } from './store-contract.ts';
import { storedSubmission } from './stored-submission.ts';

const root = await mkdtemp(join(tmpdir(), 'airlock-storage-'));
afterAll(() => rm(root, { recursive: true, force: true }));
let directories = 0;
const newDirectory = () => {
  directories += 1;
  return join(root, String(directories));
};

const rigs: ServerRig[] = [];
afterAll(() => Promise.all(rigs.map((rig) => rig.close())));
const newRig = async (options: ServerRigOptions = {}) => {
  const rig = await serverRig(options);
  rigs.push(rig);
  return rig;
};

storeContract('memory', createMemoryStore);
storeContract('SQLite', async () => {
  const directory = await mkdtemp(join(root, 'store-'));
  return openSqliteStore(join(directory, 'submissions.db'));
});

describe.each<[string, () => Promise<BlobStore>]>([
  ['memory', async () => createMemoryBlobs(1_000_000)],
  ['a directory', async () => await openDirectoryBlobs(newDirectory())],
  ['S3', async () => await openS3Blobs((await newRig()).s3, { bucket: BUCKETS.work, prefix: 'service/files' })],
])('blobs in %s', (_, open) => {
  const bytes = new Uint8Array(200_000).map((_, index) => index % 251);
  const sha256 = createHash('sha256').update(bytes).digest('hex');

  test('come back byte for byte, whole and in pieces, under their hash', async () => {
    const blobs = await open();
    expect(await storeContent(blobs, bytes)).toMatchObject({ sha256, size: bytes.byteLength });
    expect(Buffer.compare((await blobs.read(sha256)) ?? new Uint8Array(), bytes)).toBe(0);
    const content = await blobs.open(sha256);
    expect(content?.size).toBe(bytes.byteLength);
    const pieces: Uint8Array[] = [];
    for await (const piece of content?.stream() ?? []) pieces.push(piece);
    expect(Buffer.compare(Buffer.concat(pieces), bytes)).toBe(0);
    expect(pieces.length).toBeGreaterThan(1);
  });

  test('are kept once, and do not exist after they are removed', async () => {
    const blobs = await open();
    await storeContent(blobs, bytes);
    await storeContent(blobs, bytes);
    await blobs.remove(sha256);
    await blobs.remove(sha256);
    expect([await blobs.read(sha256), await blobs.open(sha256)]).toEqual([null, null]);
  });

  test('that were discarded do not exist', async () => {
    const blobs = await open();
    const writer = await blobs.create();
    await writer.write(bytes);
    await writer.discard();
    await writer.discard();
    expect(await blobs.read(sha256)).toBeNull();
  });

  test('are named by hashes only', async () => {
    const blobs = await open();
    for (const name of ['../../etc/passwd', sha256.toUpperCase(), '']) {
      const attempts = [async () => blobs.read(name), async () => blobs.open(name), async () => blobs.remove(name)];
      for (const attempt of attempts) await expect(attempt()).rejects.toThrow(TypeError);
    }
  });
});

test('blobs in memory are bounded, and room comes back', async () => {
  const blobs = createMemoryBlobs(100);
  const { sha256 } = await storeContent(blobs, new Uint8Array(60));
  await expect(storeContent(blobs, new Uint8Array(61))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  await blobs.remove(sha256);
  await storeContent(blobs, new Uint8Array(61));
});

test('an upload that a crash cut off is deleted at the next start', async () => {
  const directory = newDirectory();
  await (await (await openDirectoryBlobs(directory)).create()).write(new Uint8Array(10));
  expect(await readdir(join(directory, 'incoming'))).toHaveLength(1);
  await openDirectoryBlobs(directory);
  expect(await readdir(join(directory, 'incoming'))).toEqual([]);
});

test('a directory that processes share keeps the uploads that another process may have open', async () => {
  const directory = newDirectory();
  const HOUR_MS = 3_600_000;
  const first = await openDirectoryBlobs(directory, HOUR_MS);
  const writer = await first.create();
  await writer.write(new Uint8Array(10));
  const cutOff = join(directory, 'incoming', 'cut-off');
  await writeFile(cutOff, 'old');
  await utimes(cutOff, 1, 1);
  const second = await openDirectoryBlobs(directory, HOUR_MS);
  const sha256 = createHash('sha256').update(new Uint8Array(10)).digest('hex');
  await writer.commit(sha256);
  expect(await second.read(sha256)).toHaveLength(10);
  expect(await readdir(join(directory, 'incoming'))).toEqual([]);
});

test('blobs in S3 that does not answer are said to be unavailable, and are never taken for missing', async () => {
  const refusal: Interruption = { do: 'refuse', error: new AwsError('SlowDown', 503, 'slow down') };
  const { s3 } = await newRig({ interrupt: () => refusal });
  const blobs = await openS3Blobs(s3, { bucket: BUCKETS.work, prefix: '' });
  const name = 'a'.repeat(64);
  const calls = [() => blobs.read(name), () => blobs.open(name), () => blobs.remove(name)];
  for (const call of [...calls, () => storeContent(blobs, new Uint8Array(5))])
    await expect(call()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

describe('a storage directory', () => {
  test('keeps submissions, files and keys, readable by their owner only', async () => {
    const directory = newDirectory();
    const first = await openStorage(directory, DEFAULT_SERVICE_LIMITS);
    await first.analysis.store.add(storedSubmission({ uuid: 'kept' }), 'secret');
    const { sha256 } = await storeContent(first.analysis.blobs, new Uint8Array([1, 2, 3]));
    await first.close();
    const second = await openStorage(directory, DEFAULT_SERVICE_LIMITS);
    expect((await second.analysis.store.pending('kept'))?.password).toBe('secret');
    expect(await second.cdr.store.get('kept')).toBeNull();
    expect(await second.analysis.blobs.read(sha256)).toHaveLength(3);
    await second.close();
    expect((await stat(directory)).mode & 0o077).toBe(0);
  });

  test('serves one service at a time, and the keys of anybody', async () => {
    const directory = newDirectory();
    const storage = await openStorage(directory, DEFAULT_SERVICE_LIMITS);
    await expect(openStorage(directory, DEFAULT_SERVICE_LIMITS)).rejects.toThrow(StorageLockedError);
    const keys = await openKeys(directory);
    const { key, record } = newKey({ name: 'ci', workspace: 'lab' }, 1);
    await keys.add(record);
    expect(await storage.keys?.find(key)).toMatchObject({ keyId: record.keyId, workspace: 'lab' });
    expect(await keys.revoke(record.keyId, 2)).toBe(true);
    expect(await keys.revoke(record.keyId, 3)).toBe(false);
    expect(await storage.keys?.find(key)).toBeNull();
    expect(await keys.list()).toMatchObject([{ name: 'ci', revokedAtMs: 2 }]);
    expect(JSON.stringify(await keys.list())).not.toContain(key);
    await keys.close();
    await storage.close();
    await (await openStorage(directory, DEFAULT_SERVICE_LIMITS)).close();
  });

  test('of another version is not touched', async () => {
    const directory = newDirectory();
    await (await openStorage(directory, DEFAULT_SERVICE_LIMITS)).close();
    const { default: Database } = await import('libsql');
    const db = new Database(join(directory, 'keys.db'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    await expect(openKeys(directory)).rejects.toThrow(/version 99/);
    await writeFile(join(directory, 'note'), '');
  });
});

test('a database that cannot be read is said to be unavailable, not a fault of ours', async () => {
  const path = join(await mkdtemp(join(root, 'locked-')), 'submissions.db');
  const store = openSqliteStore(path);
  const { default: Database } = await import('libsql');
  const other = new Database(path);
  other.exec('PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE');
  await expect(store.add(storedSubmission({}), null)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  other.exec('ROLLBACK');
  other.close();
  await store.add(storedSubmission({}), null);
  expect(await store.usage()).toMatchObject({ submissions: 1 });
  await store.close();
});

test('every file of a data directory is its owner’s alone, also in a folder that was there and open to all', async () => {
  const directory = newDirectory();
  await mkdir(directory, { recursive: true, mode: 0o755 });
  // As an earlier version left it.
  await writeFile(join(directory, 'keys.db'), '', { mode: 0o644 });
  const storage = await openStorage(directory, DEFAULT_SERVICE_LIMITS);
  try {
    await storage.keys?.add(newKey({ name: 'a', workspace: 'w' }, 0).record);
    await storage.analysis.store.add(storedSubmission({}), 'secret');
    const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    const open: string[] = [];
    for (const { parentPath, name } of files)
      if (((await stat(join(parentPath, name))).mode & 0o077) !== 0) open.push(name);
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['keys.db', 'submissions.db', 'submissions.db-wal']),
    );
    expect(open).toEqual([]);
  } finally {
    await storage.close();
  }
});
