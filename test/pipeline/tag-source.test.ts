import { expect, test } from 'vitest';
import type { Context } from '../../lib/pipeline/context.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import type { RunEvent } from '../../lib/pipeline/results/run-event.ts';
import { tagSource } from '../../lib/pipeline/results/tag-source.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { createRig, type RigOptions } from './rig.ts';

const PDF = buildPdf({ text: 'hello' });
type Tags = Readonly<Record<string, string>>;

/** A run with the event of its end, and the tags of its object. */
async function ended({ found = {}, ...options }: RigOptions & { found?: Tags | null } = {}) {
  const told: RunEvent[] = [];
  const emit = async ({ detail }: { detail: RunEvent }) => void told.push(detail);
  const rig = createRig({
    ...options,
    overrides: (ctx: Context) => ({ ...options.overrides?.(ctx), events: { emit } }),
  });
  await rig.scan(PDF, 'in/a.pdf');
  let tags: Tags | null = found;
  const asked: unknown[] = [];
  const sourceTags = {
    get: async (object: unknown) => {
      asked.push(object);
      return tags;
    },
    put: async (_: unknown, all: Tags) => {
      tags = all;
    },
  };
  const ctx = { ...rig.ctx, sourceTags };
  const event = told[0] as RunEvent;
  return {
    rig,
    event,
    asked,
    tag: async (changed: Partial<RunEvent> = {}) => {
      await tagSource(ctx, { ...event, ...changed });
      return tags;
    },
  };
}

const malicious = { script: { answer: () => ({ verdict: 'malicious' as const }) } };

test('an object in which nothing was found is clean, in the version that was judged', async () => {
  const { event, asked, tag } = await ended();
  const expected = { 'airlock-state': 'clean', 'airlock-verdict': 'benign', 'airlock-run': `${event.runId}-1` };
  expect(await tag()).toEqual(expected);
  expect(asked).toEqual([{ bucket: 'intake', key: 'in/a.pdf', versionId: event.intake.versionId }]);
  expect(await tag()).toEqual(expected);
});

test('a forged event that calls a held object clean changes nothing: the chain counts', async () => {
  const { tag } = await ended(malicious);
  const tags = await tag({ state: 'clean', verdict: 'benign', bucket: 'clean' });
  expect(tags).toMatchObject({ 'airlock-state': 'quarantined', 'airlock-verdict': 'malicious' });
});

test('a forged event about a run that does not exist makes nothing clean', async () => {
  const { tag } = await ended();
  const nowhere = { runId: '0'.repeat(32), state: 'clean', verdict: 'benign' } as const;
  await expect(tag({ ...nowhere, bucket: 'clean' })).rejects.toThrow(TransientError);
  expect(await tag({ ...nowhere, bucket: 'quarantine' })).toMatchObject({ 'airlock-state': 'failed' });
});

test('a forged event that names another object tags the object of the run', async () => {
  const { event, asked, tag } = await ended();
  await tag({ intake: { ...event.intake, untrustedKey: 'other' } });
  expect(asked).toMatchObject([{ key: 'in/a.pdf' }]);
});

test('other tags stay, as many as have room beside ours', async () => {
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`tag-${index}`, 'x']));
  const { tag } = await ended({ found: { ...many } });
  const tags = await tag();
  expect(Object.keys(tags ?? {})).toHaveLength(10);
  expect(tags).toMatchObject({ 'airlock-state': 'clean', 'tag-0': 'x', 'tag-6': 'x' });
});

test('what a later attempt of the run has tagged stays', async () => {
  const first = await ended();
  const found = { 'airlock-state': 'delivered', 'airlock-run': `${first.event.runId}-2` };
  const { tag } = await ended({ found });
  expect(await tag()).toEqual(found);
  const earlier = await ended({ found: { ...found, 'airlock-run': `${'0'.repeat(32)}-2` } });
  expect(await earlier.tag()).toMatchObject({ 'airlock-state': 'clean' });
});

test('an object that is gone, or without a version, is not tagged', async () => {
  expect(await (await ended({ found: null })).tag()).toBeNull();
  const { rig, tag } = await ended();
  const intake = { ...(await rig.intake(PDF, 'in/b.pdf')), versionId: '', etag: null, sha256: null };
  const nowhere = { runId: '0'.repeat(32), bucket: 'quarantine', intake } as const;
  expect(await tag(nowhere)).toEqual({});
});
