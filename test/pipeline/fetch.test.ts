import { expect, test } from 'vitest';
import { AnalyzerRefusal, TransientError } from '../../lib/pipeline/errors.ts';
import { fetch } from '../../lib/pipeline/fetch.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { poll } from '../../lib/pipeline/poll.ts';
import { submit } from '../../lib/pipeline/submit.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';

const MAIL = emailWith({ files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }] });
const DISARMED = new TextEncoder().encode('%PDF-1.4 disarmed %%EOF');

async function finished(options: RigOptions = {}) {
  const rig = createRig({ ...options, script: { polls: 0, ...options.script } });
  const submitted = await submit(rig.ctx, await parse(rig.ctx, await rig.intake(MAIL)));
  return { rig, run: await poll(rig.ctx, submitted) };
}

const disarms: RigOptions = {
  script: { answer: ({ kind }) => (kind === 'cdr' ? { disarmed: DISARMED, removed: ['JavaScript'] } : {}) },
};

test('puts reports into the ledger and disarmed files into the work bucket under their hash', async () => {
  const { rig, run } = await finished(disarms);
  await fetch(rig.ctx, run);
  const pdf = (await rig.ledger(run.runId)).artifacts.find(({ typeGroup }) => typeGroup === 'pdf');
  const cdr = pdf?.submissions.find(({ kind }) => kind === 'cdr');
  expect(cdr).toMatchObject({ status: 'completed', fetched: true, untrustedRemoved: ['JavaScript'] });
  expect(cdr?.disarmed).toEqual({ sha256: sha256Hex(DISARMED), size: DISARMED.length });
  expect(await rig.blobs.has('work', keys.disarmed(sha256Hex(DISARMED)))).toBe(true);
});

test('run twice, it leaves the same ledger', async () => {
  const { rig, run } = await finished(disarms);
  await fetch(rig.ctx, run);
  const before = await rig.ledger(run.runId);
  await fetch(rig.ctx, run);
  expect((await rig.ledger(run.runId)).artifacts).toEqual(before.artifacts);
});

test('a service that does not answer fails the stage, which fetches what is missing when it is repeated', async () => {
  const { rig, run } = await finished(disarms);
  const away = {
    ...rig.ctx,
    analyzer: { ...rig.analyzer, report: async () => Promise.reject(new TransientError('503')) },
  };
  await expect(fetch(away, run)).rejects.toThrow(TransientError);
  await fetch(rig.ctx, run);
  const submissions = (await rig.ledger(run.runId)).artifacts.flatMap((artifact) => artifact.submissions);
  expect(submissions.every(({ fetched }) => fetched)).toBe(true);
});

test('a report outside the contract is a service error, never a verdict', async () => {
  const { rig, run } = await finished({
    script: { answer: () => new AnalyzerRefusal('service_error', 'unknown level "ok"') },
  });
  await fetch(rig.ctx, run);
  const [first] = (await rig.ledger(run.runId)).artifacts;
  expect(first?.submissions[0]).toMatchObject({
    status: 'error',
    verdict: 'unknown',
    failure: { class: 'service_error' },
  });
});
