import { describe, expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { IntakeObject } from '../../lib/pipeline/ledger/intake-object.ts';
import { mirroredKey } from '../../lib/pipeline/results/mirrored-key.ts';
import { place } from '../../lib/pipeline/results/place.ts';
import type { PlacedVersion } from '../../lib/pipeline/results/place-port.ts';
import { isOwnResult } from '../../lib/pipeline/results/placed-note.ts';
import { RunEvent } from '../../lib/pipeline/results/run-event.ts';
import { SourceSetting } from '../../lib/pipeline/results/source.ts';
import { memoryPlaces } from './places-rig.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';

const SAFE = PDF.replace('Catalog', 'Catalog /Safe true');
/** What the service makes of every PDF. */
const DISARMS: RigOptions = {
  script: {
    answer: ({ kind }) =>
      kind === 'cdr' ? { disarmed: Buffer.from(SAFE), removed: ['JavaScript in PDF'] } : { verdict: 'suspicious' },
  },
};
/** Of two PDFs, two results. */
const DISARMS_EACH: RigOptions = {
  script: {
    answer: (asked) =>
      asked.kind === 'cdr' && 'bytes' in asked
        ? { disarmed: Buffer.concat([asked.bytes, Buffer.from('% safe')]), removed: ['JavaScript in PDF'] }
        : { verdict: 'suspicious' },
  },
};
const HELD: RigOptions = { script: { answer: () => ({ verdict: 'malicious' }) } };

interface Options {
  readonly results?: object | null;
  readonly rig?: RigOptions;
  readonly isVersioned?: boolean | undefined;
}

/** Uploads whose results go where `results` says. */
function source({
  results = { keys: 'in-place', bucket: 'intake' },
  rig: options = DISARMS,
  isVersioned,
}: Options = {}) {
  const told: { type: string; detail: RunEvent }[] = [];
  const emit = async ({ type, detail }: { type: string; detail: RunEvent }) => void told.push({ type, detail });
  const rig = createRig({ ...options, overrides: () => ({ events: { emit } }) });
  const places = memoryPlaces({ isVersioned: isVersioned ?? true });
  const sources = [SourceSetting.parse({ bucket: 'intake', results })];
  const ctx = { ...rig.ctx, places, sources };
  const upload = async (key: string, bytes: string) => {
    places.upload({ bucket: 'intake', key }, bytes, sha256Hex(bytes));
    const { etag } = (await places.newest({ bucket: 'intake', key })) as PlacedVersion;
    // Events of S3 have it without quotes.
    const unversioned = { versionId: '', upload: { etag: etag.replaceAll('"', ''), sequencer: etag } };
    const { runId } = await rig.scan(bytes, key, isVersioned === false ? unversioned : {});
    return told.find(({ type, detail }) => type !== 'MessagePlaced' && detail.runId === runId)?.detail as RunEvent;
  };
  return {
    rig,
    places,
    ctx,
    upload,
    put: (event: RunEvent) => place(ctx, event),
    placed: () =>
      told.filter(({ type }) => type === 'MessagePlaced').map(({ detail }) => RunEvent.parse(detail).placed),
    at: (bucket: string, key: string) =>
      places.versions({ bucket, key }).map(({ bytes }) => Buffer.from(bytes).toString()),
    isOwn: async (intake: Partial<IntakeObject>, bytes: string) => {
      await rig.blobs.put('intake', 'a.pdf', Buffer.from(bytes));
      const object = { bucket: 'intake', untrustedKey: 'a.pdf', versionId: '', size: null, ...intake };
      return isOwnResult(ctx, sources, object);
    },
  };
}

describe('in place', () => {
  test('the disarmed object is the newest version, tagged as clean, and the original stays behind it', async () => {
    const { upload, put, places, at, placed } = source();
    const event = await upload('a.pdf', PDF);
    await put(event);
    expect(at('intake', 'a.pdf')).toEqual([PDF, SAFE]);
    const [, result] = places.versions({ bucket: 'intake', key: 'a.pdf' });
    expect(result).toMatchObject({
      contentType: 'application/pdf',
      tags: { 'airlock-state': 'clean', 'airlock-run': `${event.runId}-1` },
    });
    expect(placed()).toEqual([
      { form: 'in-place', outcome: 'written', bucket: 'intake', untrustedKeys: ['a.pdf'], versionId: 'v2' },
    ]);
  });

  test('its own result is not scanned, and the same bytes uploaded by somebody are', async () => {
    const { upload, put, isOwn } = source();
    await put(await upload('a.pdf', PDF));
    expect(await isOwn({ versionId: 'v2' }, SAFE)).toBe(true);
    expect(await isOwn({ versionId: 'v3' }, SAFE)).toBe(false);
    expect(await isOwn({ versionId: 'v2' }, PDF)).toBe(false);
    expect(await isOwn({ versionId: 'v2', bucket: 'another' }, SAFE)).toBe(false);
    expect(await isOwn({ versionId: 'v2', untrustedKey: 'gone.pdf' }, SAFE)).toBe(false);
  });

  test('a repetition writes nothing more, and tells again', async () => {
    const { upload, put, at, placed } = source();
    const event = await upload('a.pdf', PDF);
    await put(event);
    await put(event);
    expect(at('intake', 'a.pdf')).toEqual([PDF, SAFE]);
    expect(placed()).toHaveLength(2);
  });

  test('a process that dies after it wrote: nobody scans the result, and the repetition knows it again', async () => {
    const { upload, put, places, at, isOwn, placed, rig } = source();
    const event = await upload('a.pdf', PDF);
    places.afterPut = () => {
      throw new Error('the process was killed');
    };
    await expect(put(event)).rejects.toThrow('killed');
    await expect(isOwn({ versionId: 'v2' }, SAFE)).rejects.toThrow(TransientError);
    places.afterPut = () => {};
    await put(event);
    expect(at('intake', 'a.pdf')).toEqual([PDF, SAFE]);
    expect(placed()).toMatchObject([{ outcome: 'written', versionId: 'v2' }]);
    expect(await isOwn({ versionId: 'v2' }, SAFE)).toBe(true);
    rig.advance(60 * 60_000);
    expect(await isOwn({ versionId: 'v2' }, SAFE)).toBe(true);
  });

  test('a write that never came does not keep later uploads of these bytes from being scanned', async () => {
    const { upload, put, places, isOwn, rig } = source();
    const event = await upload('a.pdf', PDF);
    places.beforePut = () => {
      throw new Error('the process was killed');
    };
    await expect(put(event)).rejects.toThrow('killed');
    rig.advance(60 * 60_000);
    expect(await isOwn({ versionId: 'v2' }, SAFE)).toBe(false);
  });

  test.each(['before', 'while'])(
    'an upload under the same key %s the result is written is never replaced',
    async (when) => {
      const { upload, put, places, at, placed } = source();
      const event = await upload('a.pdf', PDF);
      const newer = () => void places.upload({ bucket: 'intake', key: 'a.pdf' }, 'newer', 'newer');
      if (when === 'before') newer();
      else places.beforePut = () => newer();
      await put(event);
      expect(at('intake', 'a.pdf').slice(0, 2)).toEqual([PDF, 'newer']);
      expect(at('intake', 'a.pdf')).not.toContain(SAFE);
      expect(placed()).toMatchObject([{ outcome: 'superseded', untrustedKeys: [], versionId: null }]);
    },
  );

  test('an object that was deleted meanwhile does not come back', async () => {
    const { upload, put, places, at, placed } = source();
    const event = await upload('a.pdf', PDF);
    places.delete({ bucket: 'intake', key: 'a.pdf' });
    await put(event);
    expect(at('intake', 'a.pdf')).toEqual([]);
    expect(placed()).toMatchObject([{ outcome: 'superseded' }]);
  });

  test('an object in which nothing was found stays as it is', async () => {
    const { upload, put, at, placed } = source({ rig: {} });
    await put(await upload('a.pdf', PDF));
    expect(at('intake', 'a.pdf')).toEqual([PDF]);
    expect(placed()).toMatchObject([{ outcome: 'unchanged', untrustedKeys: ['a.pdf'] }]);
  });

  test('nothing is written where the bucket keeps no versions', async () => {
    const { upload, put, at, placed } = source({ isVersioned: false });
    await put(await upload('a.pdf', PDF));
    expect(at('intake', 'a.pdf')).toEqual([PDF]);
    expect(placed()).toMatchObject([{ outcome: 'no_versions', untrustedKeys: [] }]);
  });

  test('nothing is written for what is held', async () => {
    const { upload, put, at, placed } = source({ rig: HELD });
    const event = await upload('a.pdf', PDF);
    await put(event);
    await put({ ...event, bucket: 'clean', state: 'clean' });
    expect(at('intake', 'a.pdf')).toEqual([PDF]);
    expect(placed()).toEqual([]);
  });

  test('bytes in the clean bucket that are not what was delivered are not put', async () => {
    const { rig, upload, put, at } = source();
    const event = await upload('a.pdf', PDF);
    await rig.blobs.put('clean', event.keys[0] ?? '', Buffer.from(SAFE.replace('Safe', 'Evil')));
    await expect(put(event)).rejects.toThrow('is not what was delivered');
    expect(at('intake', 'a.pdf')).toEqual([PDF]);
  });
});

describe('mirrored', () => {
  const results = { keys: 'mirrored', bucket: 'clean', prefix: 'clean/' };

  test('the result is called like the object, behind the prefix, and the object stays', async () => {
    const { upload, put, at, placed } = source({ results });
    await put(await upload('in/Übersicht 2026 (1).pdf', PDF));
    expect(at('clean', 'clean/in/Übersicht 2026 (1).pdf')).toEqual([SAFE]);
    expect(at('intake', 'in/Übersicht 2026 (1).pdf')).toEqual([PDF]);
    expect(placed()).toMatchObject([
      { form: 'mirrored', bucket: 'clean', untrustedKeys: ['clean/in/Übersicht 2026 (1).pdf'] },
    ]);
  });

  test.each([true, false])(
    'of two uploads the newest wins, whichever run ends last (versions: %s)',
    async (isVersioned) => {
      const { upload, put, at, placed } = source({ results, isVersioned, rig: DISARMS_EACH });
      const first = await upload('a.pdf', PDF);
      const newer = `${PDF}% second\n`;
      const second = await upload('a.pdf', newer);
      await put(second);
      await put(first);
      expect(placed().map((one) => one?.outcome)).toEqual(['written', 'superseded']);
      expect(at('clean', 'clean/a.pdf')).toEqual([`${newer}% safe`]);
    },
  );

  test('the result of a newer upload replaces that of an older one', async () => {
    const { upload, put, at } = source({ results, rig: DISARMS_EACH });
    await put(await upload('a.pdf', PDF));
    await put(await upload('a.pdf', `${PDF}% second\n`));
    expect(at('clean', 'clean/a.pdf').at(-1)).toBe(`${PDF}% second\n% safe`);
  });

  test('a newer result that is put while an older one is written stays', async () => {
    const { upload, put, places, at } = source({
      results,
      rig: { script: { answer: ({ kind }) => (kind === 'cdr' ? {} : { verdict: 'benign' }) } },
    });
    const first = await upload('a.pdf', PDF);
    let isFirst = true;
    const newer = `${PDF}% newer\n`;
    places.beforePut = () => {
      if (!isFirst) return;
      isFirst = false;
      places.upload({ bucket: 'intake', key: 'a.pdf' }, newer, sha256Hex(newer));
      places.upload({ bucket: 'clean', key: 'clean/a.pdf' }, newer);
    };
    await put(first);
    expect(at('clean', 'clean/a.pdf')).toEqual([newer]);
  });

  test('a key of which none may be made leaves the result by run, and says so', async () => {
    const { upload, put, placed } = source({ results });
    const event = await upload('../a.pdf', PDF);
    await put(event);
    expect(event.keys[0]).toBe(keys.cleanFile(event.runId, sha256Hex(SAFE), 'pdf'));
    expect(placed()).toMatchObject([{ outcome: 'unusable_key', untrustedKeys: [] }]);
  });
});

test('by run: every object of the delivery lies in the other bucket, too', async () => {
  const { upload, put, at, placed } = source({ results: { keys: 'by-run', bucket: 'team-a', prefix: 'mail/' } });
  const event = await upload('a.pdf', PDF);
  await put(event);
  await put(event);
  expect(at('team-a', `mail/${event.keys[0]}`)).toEqual([SAFE]);
  expect(placed()[0]).toMatchObject({ untrustedKeys: [`mail/${event.keys[0]}`], versionId: null });
});

test('by run under a long prefix: an event names as many keys as it has room for', async () => {
  const prefix = `${'x'.repeat(800)}/`;
  const { upload, put, placed } = source({ results: { keys: 'by-run', bucket: 'team-a', prefix }, rig: DISARMS_EACH });
  const files = Array.from({ length: 90 }, (_, at) => ({ name: `${at}.pdf`, bytes: `${PDF}% ${at}` }));
  await put(await upload('a.eml', emailWith({ files })));
  const { untrustedKeys = [], keysLeftOut = 0 } = placed()[0] ?? {};
  expect(untrustedKeys.length + keysLeftOut).toBe(91);
  expect(keysLeftOut).toBeGreaterThan(0);
});

test('without a word about results nothing is put and nothing told', async () => {
  const { upload, put, placed } = source({ results: null });
  await put(await upload('a.pdf', PDF));
  expect(placed()).toEqual([]);
});

test.each([
  ['../a', null],
  ['a/../../b', null],
  ['a/./b', null],
  ['/a', null],
  ['a//b', null],
  ['folder/', null],
  ['', null],
  ['a\\..\\b', null],
  ['a\u0000b', null],
  ['a\nb', null],
  ['a\u202Efdp.exe', null],
  ['a\u2028b', null],
  ['a\ud800b', null],
  ['x'.repeat(1019), null],
  ['é'.repeat(510), null],
  ['x'.repeat(1018), `clean/${'x'.repeat(1018)}`],
  ['..a/b..', 'clean/..a/b..'],
  ['報告 (1)+&=.pdf', 'clean/報告 (1)+&=.pdf'],
  ['a/b.pdf', 'clean/a/b.pdf'],
])('the mirrored key of %j', (key, expected) => {
  expect(mirroredKey('clean/', key)).toBe(expected);
});
