/** A later attempt begins in one way: what people decide and what reads a mail again at the same moment never both begin it. */
import { beforeAll, expect, test } from 'vitest';
import { mayBegin } from '../../lib/pipeline/chain/beginning.ts';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { newestAttempt } from '../../lib/pipeline/chain/newest-chain.ts';
import { AttemptBegunError, CorruptDataError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { hasTriedPasswords } from '../../lib/pipeline/passwords/password-again.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';
import { quarantineIntake } from '../../lib/pipeline/quarantine.ts';
import { createBlockList } from '../../lib/pipeline/review/block-list.ts';
import { areArtifactsThere, lastAttempt, redrive } from '../../lib/pipeline/review/redrive.ts';
import { redriveHeld } from '../../lib/pipeline/review/redrive-held.ts';
import { carryOut, type ReviewAnswer } from '../../lib/pipeline/review/request.ts';
import { packed } from '../formats/archives/archives.ts';
import { carryOutRig } from './carry-out-rig.ts';
import { createRig, emailWith } from './rig.ts';

const PASSWORD = 'Sonne#42';
const policy = parsePolicy('{"failures":{"encrypted":"quarantine"}}');
const PAT = { name: 'pat@example.org', id: 'id-of-pat', role: 'admin' } as const;

let held: string;
beforeAll(async () => {
  const zip = await packed('zip', { 'report.txt': 'All is well.' }, { password: PASSWORD });
  held = emailWith({ subject: 'The report', files: [{ name: 'report.zip', bytes: zip }] });
});

/** A held mail and another one that tells its password. A person decides just before a call of the store of which `isThen` is true. */
async function both(action: 'delete' | 'rescan', isThen: (call: keyof Blobs, key: string) => boolean) {
  const rig = createRig({ policy });
  const on = carryOutRig(rig);
  const { runId } = await rig.scan(held, '1.eml');
  const { runId: from } = await rig.scan(emailWith({ text: `The password is ${PASSWORD}` }), '2.eml');
  const answers: ReviewAnswer[] = [];
  let isAsked = false;
  const decideThen = async (call: keyof Blobs, key: string) => {
    if (isAsked || !isThen(call, key)) return;
    isAsked = true;
    const request = { action, runId, seen: 1, why: 'it is odd' };
    answers.push(await carryOut(on.review, createBlockList(on.review), PAT, request));
  };
  const real = rig.ctx.blobs;
  const blobs: Blobs = {
    ...real,
    get: async (...given) => {
      await decideThen('get', `${given[0]}/${given[1]}`);
      return real.get(...given);
    },
    put: async (...given) => {
      await decideThen('put', `${given[0]}/${given[1]}`);
      return real.put(...given);
    },
  };
  const ctx = { ...rig.ctx, blobs, executions: on.review.executions };
  const tryWords = () => hasTriedPasswords(ctx, { passwordTry: { runId, from: [from] } });
  return { rig, on, runId, answers, tryWords };
}

const isRead = (call: keyof Blobs, key: string) => call === 'put' && key.startsWith('work/artifacts/');
const isNoted = (call: keyof Blobs, key: string) => call === 'put' && key.endsWith('/2/parse.json');

test('a mail that a person deletes while it is read with words of another one is deleted, and never delivered', async () => {
  const { rig, on, runId, answers, tryWords } = await both('delete', isRead);
  await expect(tryWords()).rejects.toThrow(AttemptBegunError);
  expect(answers).toEqual([{ state: 'done' }]);
  await on.toItsEnd();
  expect([on.started, (await rig.ledger(runId)).terminal?.state]).toEqual([[], 'deleted']);
  expect(rig.blobs.list('clean').filter((key) => key.startsWith(runId))).toEqual([]);
});

test('a rescan of a person meanwhile counts, and the words are tried no more', async () => {
  const { rig, on, runId, answers, tryWords } = await both('rescan', isRead);
  await expect(tryWords()).rejects.toThrow(AttemptBegunError);
  expect(answers).toEqual([{ state: 'done' }]);
  await on.toItsEnd();
  expect([on.started, (await rig.ledger(runId)).attempt.reason]).toEqual([[`${runId}-2`], 'rescan']);
});

test('a person who deletes once it was read is told that it is read again, and it ends as that attempt does', async () => {
  const { rig, on, runId, answers, tryWords } = await both('delete', isNoted);
  await tryWords();
  expect(answers).toMatchObject([{ state: 'refused', code: 'not_decided' }]);
  await on.toItsEnd();
  const { attempt, terminal } = await rig.ledger(runId);
  expect([on.started, attempt.reason, terminal?.state]).toEqual([[`${runId}-2`], 'password', 'delivered']);
});

test('a person who asks for a rescan then has it read again, and is never told to wait for somebody who died', async () => {
  const { rig, on, runId, answers, tryWords } = await both('rescan', isNoted);
  await tryWords();
  expect(answers).toEqual([{ state: 'done' }]);
  await on.toItsEnd();
  expect([on.started, (await rig.ledger(runId)).attempt.reason]).toEqual([[`${runId}-2`], 'rescan']);
});

test('redrive has the mail read again when that has begun, and goes on from what was read when it has not', async () => {
  for (const name of ['parse', 'begun'] as const) {
    const { rig, on, runId } = await both('delete', () => false);
    await mayBegin(rig.ctx, { runId, attempt: 2 }, name);
    await redrive(on.review, await lastAttempt(rig.ctx, runId));
    expect([name, await rig.blobs.has('work', keys.entry(runId, 2, name))]).toEqual([name, true]);
    expect(on.started).toEqual([`${runId}-2`]);
  }
});

test('a request to read a mail again that nobody could carry out ends no attempt that a person began', async () => {
  const { rig, on, runId } = await both('rescan', () => false);
  const { intake } = await rig.ledger(runId);
  await carryOut(on.review, createBlockList(on.review), PAT, { action: 'rescan', runId, seen: 1, why: 'it is odd' });
  const again = { number: 2, begunAt: '2026-11-20T12:00:00.000Z', reason: 'redrive', earlier: null } as const;
  await quarantineIntake(rig.ctx, intake, { code: 'dead_lettered', text: 'it could not be read' }, again);
  expect((await rig.ledger(runId)).terminal).toBe(null);
});

test('a note that was changed is not believed', async () => {
  const { rig, runId } = await both('delete', () => false);
  await rig.blobs.put('work', keys.beginning(runId, 2), new TextEncoder().encode('{"name":"deliver"}'));
  await expect(mayBegin(rig.ctx, { runId, attempt: 2 }, 'parse')).rejects.toThrow(CorruptDataError);
});

/** A held mail of which somebody noted that its next attempt goes on from what was read, and was killed. Its files are gone since. */
async function halfBegun() {
  const { rig, on, runId } = await both('delete', () => false);
  await mayBegin(rig.ctx, { runId, attempt: 2 }, 'begun');
  const files = rig.blobs.list('work').filter((key) => key.startsWith('artifacts/'));
  for (const key of files) rig.blobs.remove('work', key);
  const ask = (action: 'release' | 'rescan', review = on.review) =>
    carryOut(review, createBlockList(review), PAT, { action, runId, seen: 1, why: 'the sender called' });
  return { rig, on, runId, ask };
}

test('a rescan puts files back that went while its next attempt was half begun, and goes on from what was read', async () => {
  const { rig, on, runId, ask } = await halfBegun();
  expect(await ask('release')).toMatchObject({ state: 'refused', message: expect.stringContaining('rescan it first') });
  expect(await ask('rescan')).toEqual({ state: 'done' });
  const { chain } = await lastAttempt(rig.ctx, runId);
  expect(await areArtifactsThere(rig.ctx, chain as NonNullable<typeof chain>)).toBe(true);
  await on.toItsEnd();
  const { attempt, terminal } = await rig.ledger(runId);
  expect([attempt.number, attempt.reason, attempt.people?.[0]?.name, terminal?.state]).toEqual([
    2,
    'rescan',
    'pat@example.org',
    'quarantined',
  ]);
});

test('where the mail is read by a queue, a person is told to ask again, and is then served', async () => {
  const { rig, on, runId, ask } = await halfBegun();
  const waiting: (() => Promise<unknown>)[] = [];
  const { parseAgain } = on.review;
  const review = {
    ...on.review,
    parseAgain: async (...given: Parameters<typeof parseAgain>) => {
      waiting.push(() => parseAgain(...given));
      return newRun(runId, given[1].number);
    },
  };
  expect(await ask('rescan', review)).toMatchObject({
    state: 'refused',
    code: 'not_decided',
    message: expect.stringContaining('ask again in a minute'),
  });
  const held = await redriveHeld(
    review,
    { list: async () => ({ runs: [], next: null }) },
    { runs: [runId], dryRun: false },
  );
  expect(held.runs).toMatchObject([
    { runId, attempt: null, obstacle: expect.stringContaining('ask again in a minute') },
  ]);
  expect((await rig.ledger(runId)).attempt.number).toBe(1);
  for (const read of waiting) await expect(read()).rejects.toThrow(AttemptBegunError);
  expect(await ask('rescan', review)).toEqual({ state: 'done' });
  await on.toItsEnd();
  expect((await rig.ledger(runId)).attempt).toMatchObject({ number: 2, reason: 'rescan' });
});

test('redrive puts such files back, too', async () => {
  const { rig, on, runId } = await halfBegun();
  await redrive(on.review, await lastAttempt(rig.ctx, runId));
  await on.toItsEnd();
  const { attempt, terminal } = await rig.ledger(runId);
  expect([attempt.number, attempt.reason, terminal?.state]).toEqual([2, 'redrive', 'quarantined']);
});

test('whether a run has a later attempt is one question, and a note of one that nobody has begun is none', async () => {
  const rig = createRig();
  const { runId } = await rig.scan(emailWith({ text: 'Hello' }));
  const asked: string[] = [];
  const blobs: Blobs = {
    ...rig.ctx.blobs,
    has: async (bucket, key) => {
      asked.push(key);
      return rig.ctx.blobs.has(bucket, key);
    },
  };
  const newest = () => newestAttempt({ ...rig.ctx, blobs }, runId);
  expect([await newest(), asked]).toEqual([1, [keys.beginning(runId, 2)]]);
  await mayBegin(rig.ctx, newRun(runId, 2), 'parse');
  expect(await newest()).toBe(1);
  for (const name of ['begun', 'parse', 'quarantine']) {
    await rig.blobs.put('work', keys.entry(runId, 2, name), new Uint8Array(0));
    expect([name, await newest()]).toEqual([name, 2]);
    rig.blobs.remove('work', keys.entry(runId, 2, name));
  }
});
