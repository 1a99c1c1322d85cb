import { expect, test } from 'vitest';
import { AnalyzerRefusal, LimitExceededError, TransientError } from '../../lib/pipeline/errors.ts';
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

test('says that nothing is outstanding', async () => {
  const { rig, run } = await finished();
  expect(await fetch(rig.ctx, { ...run, outstanding: 3, waitSeconds: 9 })).toEqual({
    ...run,
    last: 'fetch-1',
    outstanding: 0,
    waitSeconds: 0,
  });
});

test('a disarmed file that is too large is a refusal of the file; what nobody foresaw fails the stage', async () => {
  const { rig, run } = await finished(disarms);
  const large = async () => Promise.reject(new LimitExceededError('answer bytes', 10, 11));
  const odd = async () => Promise.reject(new RangeError('odd'));
  await expect(fetch({ ...rig.ctx, analyzer: { ...rig.analyzer, disarmedFile: odd } }, run)).rejects.toThrow(
    RangeError,
  );
  await fetch({ ...rig.ctx, analyzer: { ...rig.analyzer, disarmedFile: large } }, run);
  const failures = (await rig.ledger(run.runId)).artifacts.flatMap(({ submissions }) =>
    submissions.flatMap(({ failure }) => (failure ? [failure] : [])),
  );
  expect(failures).toMatchObject([{ class: 'oversize' }]);
  expect(failures[0]?.detail).toMatch(/^the disarmed file: .*10/);
});

test('leaves alone what is not finished, and asks for a disarmed file only where there is one', async () => {
  const { rig, run } = await finished({ script: { answer: ({ kind }) => (kind === 'static' ? 'pending' : {}) } });
  const asked: string[] = [];
  const disarmedFile: typeof rig.analyzer.disarmedFile = (id, maxBytes) => {
    asked.push(`${id} ${maxBytes}`);
    return rig.analyzer.disarmedFile(id, maxBytes);
  };
  await fetch({ ...rig.ctx, analyzer: { ...rig.analyzer, disarmedFile } }, run);
  const submissions = (await rig.ledger(run.runId)).artifacts.flatMap((artifact) => artifact.submissions);
  expect(submissions.map(({ kind, status, fetched }) => ({ kind, status, fetched }))).toEqual([
    { kind: 'static', status: 'accepted', fetched: false },
    { kind: 'static', status: 'accepted', fetched: false },
    { kind: 'cdr', status: 'completed', fetched: true },
  ]);
  expect(asked).toEqual([expect.stringMatching(/^\d+ 67108864$/)]);
});

test.each([
  ['timeout', false],
  ['service_error', false],
  ['encrypted', true],
] as const)('a report of %s is remembered for the next mail: %s', async (failureClass, isKnown) => {
  const failure = { class: failureClass, detail: 'why' };
  const { rig, run } = await finished({ script: { answer: ({ kind }) => (kind === 'cdr' ? { failure } : {}) } });
  await fetch(rig.ctx, run);
  const other = await parse(rig.ctx, await rig.intake(MAIL.replace('Subject: Files', 'Subject: Again'), 'other.eml'));
  await submit(rig.ctx, other);
  const sources = (await rig.ledger(other.runId)).artifacts.flatMap(({ submissions }) =>
    submissions.map(({ kind, source }) => `${kind} ${source}`),
  );
  expect(sources).toEqual(['static known', 'static known', isKnown ? 'cdr known' : 'cdr submitted']);
});

test.each([
  [86_399, 'known'],
  [86_400, 'submitted'],
])('knownSeconds: a report of %i seconds ago is %s', async (seconds, source) => {
  const { rig, run } = await finished();
  await fetch(rig.ctx, run);
  rig.advance(seconds * 1_000);
  const other = await parse(rig.ctx, await rig.intake(MAIL.replace('Subject: Files', 'Subject: Again'), 'other.eml'));
  await submit(rig.ctx, other);
  const { artifacts } = await rig.ledger(other.runId);
  expect(new Set(artifacts.flatMap(({ submissions }) => submissions.map((each) => each.source)))).toEqual(
    new Set([source]),
  );
});
