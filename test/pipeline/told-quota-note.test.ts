/** What a service said of its quota is noted for the desk, and no mail depends on it. */
import { describe, expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Quota } from '../../lib/pipeline/model.ts';
import { readQuotaNote } from '../../lib/pipeline/told-quota-note.ts';
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
    await rig.blobs.put('work', keys.toldQuota(), other);
    expect(await readQuotaNote(rig.ctx)).toBeNull();
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
