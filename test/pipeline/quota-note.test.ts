/** What a service said of its quota is noted for the desk, and no mail depends on it. */
import { describe, expect, test } from 'vitest';
import { readQuotaNote } from '../../lib/pipeline/analysis/quota-note.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Quota } from '../../lib/pipeline/model.ts';
import { createRig, emailWith, PDF } from './rig.ts';

const MAIL = emailWith({ text: 'Hello', files: [{ name: 'a.pdf', bytes: PDF }] });
const DAY_MS = 86_400_000;

/** A rig whose service tells this of its quota. */
function telling(quota: () => Promise<Quota | null>) {
  return createRig({ overrides: (ctx) => ({ analyzer: { ...ctx.analyzer, quota } }) });
}

test('it can be read on the day on which the service said it', async () => {
  const rig = telling(async () => ({ limit: 100, left: 7 }));
  await rig.scan(MAIL);
  expect(await readQuotaNote(rig.ctx)).toMatchObject({ limit: 100, left: 7, at: '2026-11-20T12:00:00.000Z' });
  rig.advance(DAY_MS / 2 - 1);
  expect(await readQuotaNote(rig.ctx)).not.toBeNull();
  rig.advance(1);
  expect(await readQuotaNote(rig.ctx)).toBeNull();
});

describe('there is none, and the mail goes on', () => {
  test.each<[string, () => Promise<Quota | null>]>([
    ['of a service that tells no limit', async () => null],
    ['while the service is away', () => Promise.reject(new TransientError('away'))],
  ])('%s', async (_, quota) => {
    const rig = telling(quota);
    expect((await rig.scan(MAIL)).ledger.terminal?.state).toBe('delivered');
    expect(await readQuotaNote(rig.ctx)).toBeNull();
  });

  test('when somebody wrote over it', async () => {
    const rig = telling(async () => ({ limit: 100, left: 7 }));
    await rig.scan(MAIL);
    const other = new TextEncoder().encode('{"schema":"mail-airlock/quota/1","limit":-1,"left":7}');
    await rig.blobs.put('work', keys.quotaNote(), other);
    expect(await readQuotaNote(rig.ctx)).toBeNull();
  });
});

describe('it is written again', () => {
  /** Sends a mail for each of these numbers, with this time before each but the first. Returns what each has written. */
  async function written(left: readonly number[], everyMs: number): Promise<(number | null)[]> {
    let answer = 0;
    let puts = 0;
    const count = (key: string) => {
      if (key === keys.quotaNote()) puts += 1;
    };
    const rig = createRig({
      overrides: (ctx) => ({
        analyzer: { ...ctx.analyzer, quota: async () => ({ limit: 1_000, left: answer }) },
        blobs: {
          ...ctx.blobs,
          put: (bucket, key, ...rest) => {
            count(key);
            return ctx.blobs.put(bucket, key, ...rest);
          },
        },
      }),
    });
    const each: (number | null)[] = [];
    for (const [index, number] of left.entries()) {
      answer = number;
      if (index > 0) rig.advance(everyMs);
      const before = puts;
      await rig.scan(emailWith({ text: `Hello ${index}`, files: [{ name: 'a.txt', bytes: `file ${index}` }] }));
      each.push(puts > before ? ((await readQuotaNote(rig.ctx))?.left ?? null) : null);
    }
    return each;
  }

  test('when a hundredth of the limit was used, when it is used up, and when it is another one', async () => {
    expect(await written([900, 899, 891, 890, 889, 0, 0, 999], 1_000)).toEqual([
      900,
      null,
      null,
      890,
      null,
      0,
      null,
      999,
    ]);
  });

  test('after five minutes for the smallest change, and on another day', async () => {
    expect(await written([900, 899, 899], 300_000)).toEqual([900, 899, null]);
    expect(await written([900, 900], DAY_MS)).toEqual([900, 900]);
  });
});

test('a mail of which nothing is sent asks nobody', async () => {
  let asked = 0;
  const rig = telling(async () => {
    asked += 1;
    return null;
  });
  await rig.scan('');
  expect(asked).toBe(0);
});
