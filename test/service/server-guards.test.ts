/** The guards between a caller and the service, one by one: keys, quotas, uploads. Each limit is tested one step below and above. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createQuotas } from '../../lib/service/server/jobs/quotas.ts';
import {
  type Caller,
  digestOf,
  eitherRing,
  givenKeys,
  NO_QUOTAS,
  newKey,
} from '../../lib/service/server/store/api-keys.ts';
import type { BlobStore } from '../../lib/service/server/store/blobs.ts';
import { createMemoryBlobs } from '../../lib/service/server/store/memory-blobs.ts';
import { createUploads, storeContent } from '../../lib/service/server/store/uploads.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('keys', () => {
  test('given by the operator open their own workspace with their own quotas, and no other text does', async () => {
    const quotas = { ...NO_QUOTAS, submissionsPerDay: 5 };
    const ring = givenKeys([{ key: 'one' }, { key: 'two', workspace: 'w', quotas }], 7);
    const named = { name: 'given by the operator', createdAtMs: 7 };
    expect(await ring.find('one')).toEqual({ keyId: 'given-0', workspace: 'local', quotas: NO_QUOTAS, ...named });
    expect(await ring.find('two')).toEqual({ keyId: 'given-1', workspace: 'w', quotas, ...named });
    for (const other of ['', 'on', 'onee', 'One', ' one', digestOf('one')]) expect(await ring.find(other)).toBeNull();
  });

  test.each([[[]], [[{ key: '' }]], [[{ key: 'one' }, { key: '' }]]])(
    'a service without one cannot be made: %j',
    (keys) => {
      expect(() => givenKeys(keys)).toThrow(TypeError);
    },
  );

  test('that are generated are random, and only their digest is kept', () => {
    const facts = { name: 'a', workspace: 'w' };
    const { key, record } = newKey(facts, 7);
    expect(key).toMatch(/^ma_[A-Za-z0-9_-]{32}$/);
    expect(JSON.stringify(record)).not.toContain(key);
    expect(record).toEqual({
      ...{ ...facts, keyId: record.keyId, quotas: NO_QUOTAS, createdAtMs: 7, revokedAtMs: null },
      digest: sha256(key),
    });
    const again = newKey({ ...facts, quotas: { ...NO_QUOTAS, requestsPerMinute: 1 } }, 7);
    expect(again.key).not.toBe(key);
    expect(again.record.keyId).not.toBe(record.keyId);
    expect(again.record.quotas.requestsPerMinute).toBe(1);
  });

  test('of two rings both work, and the first that knows a key says whose it is', async () => {
    const ring = eitherRing(givenKeys([{ key: 'a', workspace: 'first' }]), givenKeys([{ key: 'a' }, { key: 'b' }]));
    expect((await ring.find('a'))?.workspace).toBe('first');
    expect((await ring.find('b'))?.workspace).toBe('local');
    expect(await ring.find('c')).toBeNull();
  });
});

const DAY_MS = 86_400_000;
const caller = (quotas: Partial<Caller['quotas']> = {}, keyId = 'k'): Caller => ({
  ...{ keyId, name: 'a', workspace: 'w', createdAtMs: 0 },
  quotas: { ...NO_QUOTAS, ...quotas },
});

function quotasAt(nowMs: number, made: Record<string, number> = {}) {
  const clock = { nowMs };
  const asked: [string, number][] = [];
  const countSince = async (keyId: string, sinceMs: number) => {
    asked.push([keyId, sinceMs]);
    return made[keyId] ?? 0;
  };
  return { clock, asked, quotas: createQuotas({ now: () => clock.nowMs, countSince }) };
}
const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return 'let through';
};

describe('quotas', () => {
  test('do not exist unless they are given', () => {
    expect(NO_QUOTAS).toEqual({ requestsPerMinute: 0, submissionsPerDay: 0, concurrentSubmissions: 0 });
  });

  test('of requests end with the minute, and each key has its own', () => {
    const { clock, quotas } = quotasAt(10 * 60_000 + 1);
    const two = caller({ requestsPerMinute: 2 });
    quotas.request(two);
    quotas.request(two);
    expect(refusal(() => quotas.request(two))).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      options: { retryAfterSeconds: 60, details: { limit: 2 } },
    });
    quotas.request(caller({ requestsPerMinute: 2 }, 'other'));
    clock.nowMs = 11 * 60_000 - 1;
    expect(refusal(() => quotas.request(two))).toMatchObject({ options: { retryAfterSeconds: 1 } });
    clock.nowMs = 11 * 60_000;
    expect(refusal(() => quotas.request(two))).toBe('let through');
  });

  test('of zero are no quotas', async () => {
    const { quotas } = quotasAt(DAY_MS);
    for (let count = 0; count < 50; count++) {
      quotas.request(caller());
      (await quotas.submission(caller())).use();
    }
    expect(await quotas.usage(caller())).toEqual({ requests: 50, dailySubmissions: 50, concurrentSubmissions: 50 });
  });

  test('of a day start with what the store knows of the day, and end with the day', async () => {
    const { clock, asked, quotas } = quotasAt(3 * DAY_MS + 1_500, { k: 2 });
    const three = caller({ submissionsPerDay: 3 });
    (await quotas.submission(three)).use();
    await expect(quotas.submission(three)).rejects.toMatchObject({
      code: 'SUBMISSION_LIMIT_EXCEEDED',
      options: { retryAfterSeconds: DAY_MS / 1_000 - 1, details: { limit: 3 } },
    });
    expect(asked).toEqual([['k', 3 * DAY_MS]]);
    clock.nowMs = 4 * DAY_MS;
    (await quotas.submission(three)).use();
    expect(asked.at(-1)).toEqual(['k', 4 * DAY_MS]);
    expect(await quotas.usage(three)).toMatchObject({ dailySubmissions: 3 });
  });

  test('of a day are counted once when two requests ask the store at the same time', async () => {
    const { quotas } = quotasAt(DAY_MS);
    const [one, other] = await Promise.all([quotas.submission(caller()), quotas.submission(caller())]);
    one.use();
    other.use();
    expect(await quotas.usage(caller())).toMatchObject({ dailySubmissions: 2 });
  });

  test('of a day keep what was counted while the store was answering', async () => {
    const answers: ((count: number) => void)[] = [];
    const countSince = () => new Promise<number>((resolve) => answers.push(resolve));
    const quotas = createQuotas({ now: () => DAY_MS, countSince });
    const [one, other] = [quotas.submission(caller()), quotas.submission(caller())];
    answers[0]?.(5);
    (await one).use();
    answers[1]?.(5);
    (await other).use();
    expect(await quotas.usage(caller())).toMatchObject({ dailySubmissions: 7 });
  });

  test('of running submissions count those that run and those found after a restart', async () => {
    const { quotas } = quotasAt(DAY_MS);
    const two = caller({ concurrentSubmissions: 2 });
    quotas.resumed('k');
    (await quotas.submission(two)).use();
    await expect(quotas.submission(two)).rejects.toMatchObject({
      code: 'SUBMISSION_LIMIT_EXCEEDED',
      options: { retryAfterSeconds: 5, details: { limit: 2 } },
    });
    quotas.ended('k');
    expect(await quotas.usage(two)).toMatchObject({ concurrentSubmissions: 1 });
    (await quotas.submission(two)).use();
  });

  test('give a place back once, unless it was used or belongs to another day', async () => {
    const { clock, quotas } = quotasAt(DAY_MS);
    const used = await quotas.submission(caller());
    used.use();
    used.release();
    expect(await quotas.usage(caller())).toMatchObject({ dailySubmissions: 1, concurrentSubmissions: 1 });
    const given = await quotas.submission(caller());
    given.release();
    given.release();
    expect(await quotas.usage(caller())).toMatchObject({ dailySubmissions: 1, concurrentSubmissions: 1 });
    const late = await quotas.submission(caller());
    clock.nowMs = 2 * DAY_MS;
    (await quotas.submission(caller())).use();
    late.release();
    expect(await quotas.usage(caller())).toMatchObject({ dailySubmissions: 1, concurrentSubmissions: 2 });
  });

  test('show only the requests of the current minute', async () => {
    const { clock, quotas } = quotasAt(0);
    quotas.request(caller());
    expect(await quotas.usage(caller())).toMatchObject({ requests: 1 });
    clock.nowMs = 60_000;
    expect(await quotas.usage(caller())).toMatchObject({ requests: 0 });
  });
});

describe('uploads', () => {
  async function* pieces(...texts: string[]) {
    for (const text of texts) yield Buffer.from(text);
  }
  const holding = (options: { needed?: readonly string[]; blobs?: Partial<BlobStore> } = {}) => {
    const blobs = { ...createMemoryBlobs(1_000_000), ...options.blobs };
    const uploads = createUploads({ blobs, needs: async (hash) => options.needed?.includes(hash) ?? false });
    return { blobs, uploads };
  };
  const ABC = sha256('abc');
  const isThere = async (blobs: BlobStore, hash: string) => (await blobs.read(hash)) !== null;

  test('are hashed on the way, held while their request lasts, and removed when no submission needs them', async () => {
    const { blobs, uploads } = holding();
    const batch = uploads.begin();
    const file = await batch.sink('a.txt', pieces('a', 'bc'));
    expect(file).toEqual({
      ...{ untrustedName: 'a.txt', size: 3 },
      hashes: {
        md5: '900150983cd24fb0d6963f7d28e17f72',
        sha1: 'a9993e364706816aba3e25717850c26c9cd0d89d',
        sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      },
    });
    expect([uploads.isHeld(ABC), await isThere(blobs, ABC)]).toEqual([true, true]);
    await batch.end();
    expect([uploads.isHeld(ABC), await isThere(blobs, ABC)]).toEqual([false, false]);
  });

  test('that a submission needs stay', async () => {
    const { blobs, uploads } = holding({ needed: [ABC] });
    const batch = uploads.begin();
    await batch.sink('a', pieces('abc'));
    await batch.end();
    expect([uploads.isHeld(ABC), await isThere(blobs, ABC)]).toEqual([false, true]);
  });

  test('of the same bytes stay until the last of their requests ends', async () => {
    const { blobs, uploads } = holding();
    const [one, other] = [uploads.begin(), uploads.begin()];
    await one.sink('a', pieces('abc'));
    await other.sink('b', pieces('abc'));
    await one.end();
    expect([uploads.isHeld(ABC), await isThere(blobs, ABC)]).toEqual([true, true]);
    await other.end();
    expect([uploads.isHeld(ABC), await isThere(blobs, ABC)]).toEqual([false, false]);
  });

  test('are held before they exist', async () => {
    const memory = createMemoryBlobs(1_000_000);
    const seen: boolean[] = [];
    const { uploads } = holding({
      blobs: {
        create: async () => {
          const writer = await memory.create();
          const commit = async (hash: string) => {
            seen.push(uploads.isHeld(hash));
            await writer.commit(hash);
          };
          return { ...writer, commit };
        },
      },
    });
    await uploads.begin().sink('a', pieces('abc'));
    expect(seen).toEqual([true]);
  });

  test('that are cut off leave nothing behind, and those that cannot be kept are released', async () => {
    const { blobs, uploads } = holding();
    async function* broken() {
      yield Buffer.from('abc');
      throw new Error('the connection broke');
    }
    const batch = uploads.begin();
    await expect(batch.sink('a', broken())).rejects.toThrow('the connection broke');
    await batch.end();
    expect([uploads.isHeld(ABC), await isThere(blobs, ABC)]).toEqual([false, false]);

    const discarded: string[] = [];
    const full = holding({
      blobs: {
        create: async () => ({
          write: async () => undefined,
          commit: async () => Promise.reject(new Error('the disk is full')),
          discard: async () => void discarded.push('discarded'),
        }),
      },
    });
    const lost = full.uploads.begin();
    await expect(lost.sink('a', pieces('abc'))).rejects.toThrow('the disk is full');
    await lost.end();
    expect([full.uploads.isHeld(ABC), discarded]).toEqual([false, ['discarded']]);
  });

  test('of files that an engine made are stored under their hash', async () => {
    const { blobs } = holding();
    expect(await storeContent(blobs, Buffer.from('abc'))).toMatchObject({ sha256: ABC, size: 3 });
    expect(await isThere(blobs, ABC)).toBe(true);
    const discarded: string[] = [];
    const full = holding({
      blobs: {
        create: async () => ({
          write: async () => Promise.reject(new Error('the disk is full')),
          commit: async () => undefined,
          discard: async () => void discarded.push('discarded'),
        }),
      },
    });
    await expect(storeContent(full.blobs, Buffer.from('abc'))).rejects.toThrow('the disk is full');
    expect(discarded).toEqual(['discarded']);
  });
});
