/** People release, delete and rescan held mail. Everything is real but the service. */
import { describe, expect, test } from 'vitest';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { verifyDelivery } from '../../lib/pipeline/results/verify-delivery.ts';
import { auditTrail } from '../../lib/pipeline/review/audit.ts';
import { lastAttempt, obstacleTo } from '../../lib/pipeline/review/redrive.ts';
import { problemOf } from '../../lib/pipeline/review/review.ts';
import { decided, KIM, PAT } from './review-rig.ts';
import { type Answer, createRig, emailWith, PDF, type Rig, type RigOptions, type SentRequest } from './rig.ts';
import { wayWithout } from './way.ts';

const MAIL = emailWith({ text: 'Hello', files: [{ name: 'a.pdf', bytes: PDF }] });
const ORIGINAL = { form: 'original' } as const;
const ROOM = { maxBytes: 10_000_000 };

const malicious: Answer = { verdict: 'malicious', reasons: ['a virus'] };
const down: Answer = { failure: { class: 'service_error', detail: 'down' } };

/** Mail that is held for this answer about its PDF. The answer can be changed. */
async function held(first: Answer, options: RigOptions = {}, mail = MAIL) {
  const answer = { now: first };
  const isPdf = (request: SentRequest) => 'filename' in request && request.filename.endsWith('.pdf');
  const script = { polls: 0, answer: (request: SentRequest) => (isPdf(request) ? answer.now : {}) };
  const rig = createRig({ ...options, script });
  const { runId, ledger } = await rig.scan(mail);
  expect(ledger.terminal?.state).toBe('quarantined');
  return { rig, runId, answer };
}

const clean = async (rig: Rig, runId: string) =>
  Buffer.from(await rig.blobs.get('clean', `${runId}/message.eml`, ROOM)).toString('latin1');
const codes = async (rig: Rig, runId: string) => (await rig.ledger(runId)).reasons.map(({ code }) => code);
/** Longer than a report counts as known. */
const TWO_DAYS_MS = 2 * 86_400_000;
const HOUR_MS = 3_600_000;

/** What `airlock verify` says of the delivered message. */
async function proof(rig: Rig, runId: string, change = (message: Uint8Array) => message) {
  const read = (name: string) => rig.blobs.get('clean', `${runId}/${name}`, ROOM);
  const message = change(await read('message.eml'));
  return verifyDelivery(rig.ctx, { message, evidence: await read('evidence.json'), files: null });
}

describe('a release as rebuilt', () => {
  test('delivers the mail without what it was held for, as a new attempt that names who and why', async () => {
    const { rig, runId } = await held(malicious);
    rig.advance(60_000);
    const outcome = await decided(rig, runId, 'release');
    expect(outcome.state).toBe('delivered');
    const ledger = await rig.ledger(runId);
    expect(ledger.attempt).toMatchObject({
      number: 2,
      reason: 'release',
      people: [{ ...PAT, at: '2026-11-20T12:01:00.000Z' }],
      release: { form: 'rebuilt', covers: ['malicious'] },
    });
    expect(ledger.stages.map(({ stage }) => stage)).toEqual([
      ...['parse', 'review', ...wayWithout('poll', 'fetch'), 'deliver'],
    ]);
    const message = await clean(rig, runId);
    expect(message).toContain('a.pdf (withheld).html');
    expect(message).not.toContain(Buffer.from(PDF).toString('base64').slice(0, 40));
    expect(await proof(rig, runId)).toMatchObject({ fits: true });
  });

  test('is analysed again: a service that was away then says what it knows', async () => {
    const { rig, runId, answer } = await held(down);
    answer.now = {};
    expect((await decided(rig, runId, 'release')).state).toBe('delivered');
    expect(await clean(rig, runId)).toContain(Buffer.from(PDF).toString('base64').slice(0, 40));
  });

  test('goes without what still fails', async () => {
    const { rig, runId } = await held(down);
    expect((await decided(rig, runId, 'release')).state).toBe('delivered');
    expect(await clean(rig, runId)).not.toContain(Buffer.from(PDF).toString('base64').slice(0, 40));
  });

  test('does not cover what nobody knew of', async () => {
    const { rig, runId, answer } = await held(down);
    answer.now = malicious;
    const outcome = await decided(rig, runId, 'release');
    expect([outcome.state, await codes(rig, runId)]).toEqual(['quarantined', ['release_refused', 'malicious']]);
    expect(rig.blobs.list('clean')).toEqual([]);
    // Now that it is known, it can be released.
    expect((await decided(rig, runId, 'release')).state).toBe('delivered');
  });

  test.each([
    ['was not read completely', emailWith({ text: 'a' }).replace('--b1--', '')],
    ['could not be read', ''],
  ])('is refused when the mail %s', async (why, mail) => {
    const rig = createRig({ limits: { parts: why.startsWith('was') ? 1 : 9 } });
    const { runId, ledger } = await rig.scan(mail);
    expect(ledger.terminal?.state).toBe('quarantined');
    expect(await decided(rig, runId, 'release')).toMatchObject({
      state: 'rejected',
      message: expect.stringContaining(why),
    });
    expect((await rig.ledger(runId)).attempt.number).toBe(1);
  });

  test('is refused once the files of the mail are gone, and a rescan brings them back', async () => {
    const { rig, runId } = await held(malicious);
    for (const key of rig.blobs.list('work')) if (key.startsWith('artifacts/')) rig.blobs.remove('work', key);
    expect(await decided(rig, runId, 'release')).toMatchObject({ message: expect.stringContaining('rescan it first') });
    expect((await decided(rig, runId, 'rescan')).state).toBe('quarantined');
    expect((await decided(rig, runId, 'release')).state).toBe('delivered');
  });
});

describe('a release of the original', () => {
  const suspicious = { policy: parsePolicy('{"message":{"quarantineVerdicts":["suspicious","malicious"]}}') };
  const odd: Answer = { verdict: 'suspicious' };

  test('takes two people, and is the mail byte for byte', async () => {
    const { rig, runId } = await held(odd, suspicious);
    expect((await decided(rig, runId, 'release', ORIGINAL)).state).toBe('asked');
    const again = { ...ORIGINAL, who: { name: ' PAT', why: 'again' } };
    for (const name of ['PAT', 'p\u200bat', 'pat\u2060', '\uff50at'])
      expect((await decided(rig, runId, 'release', { ...again, who: { ...again.who, name } })).state).toBe('asked');
    expect((await rig.ledger(runId)).attempt.number).toBe(1);
    expect((await decided(rig, runId, 'release', { ...ORIGINAL, who: KIM })).state).toBe('delivered');
    expect(await clean(rig, runId)).toBe(MAIL);
    expect((await rig.ledger(runId)).attempt.people?.map(({ name }) => name)).toEqual(['pat', 'kim']);
    expect(rig.blobs.list('clean').filter((key) => key.includes('/files/'))).toEqual([]);
    expect(await proof(rig, runId)).toMatchObject({ fits: true });
    const changed = (message: Uint8Array) => Uint8Array.from(message).fill(33, 400, 401);
    expect(await proof(rig, runId, changed)).toMatchObject({ fits: false });
  });

  test('counts for a first person as long as policy says, and then somebody is the first again', async () => {
    const { rig, runId } = await held(odd, suspicious);
    const original = (who: object) => decided(rig, runId, 'release', { ...ORIGINAL, who: who as never });
    expect(await original(PAT)).toMatchObject({ message: expect.stringContaining('until 2026-11-23T12:00:00.000Z') });
    rig.advance(72 * HOUR_MS + 1);
    // Neither the second person nor the first one again stands on what has lapsed.
    expect((await original(KIM)).state).toBe('asked');
    rig.advance(72 * HOUR_MS);
    expect((await original(KIM)).state).toBe('asked');
    expect((await original(PAT)).state).toBe('delivered');
    expect((await rig.ledger(runId)).attempt.people?.map(({ name }) => name)).toEqual(['kim', 'pat']);
    const trail: string[] = [];
    for await (const { record } of auditTrail(rig.ctx)) trail.push(`${record.people.at(-1)?.name} ${record.action}`);
    expect(trail).toEqual(['pat ask', 'kim ask', 'pat release']);
  });

  test('is asked for no more often than the limit releaseAsks', async () => {
    const options = { policy: parsePolicy('{"release":{"rebuilt":"two","secondWithinHours":1}}') };
    const { rig, runId } = await held(malicious, { ...options, limits: { releaseAsks: 2 } });
    for (const state of ['asked', 'asked']) {
      expect((await decided(rig, runId, 'release')).state).toBe(state);
      rig.advance(2 * HOUR_MS);
    }
    await expect(decided(rig, runId, 'release')).rejects.toThrow('releaseAsks');
    expect((await decided(rig, runId, 'rescan')).state).toBe('quarantined');
    expect((await decided(rig, runId, 'release')).state).toBe('asked');
  });

  test('of a bare file delivers its bytes', async () => {
    const policy = parsePolicy('{"release":{"original":"one"}}');
    const rig = createRig({ policy, script: { answer: () => ({ verdict: 'unknown' }) } });
    const { runId, ledger } = await rig.scan(Buffer.from('MZ\u0000\u0001 a program'), 'x.exe');
    expect(ledger.terminal?.state).toBe('quarantined');
    expect(await decided(rig, runId, 'release')).toMatchObject({ state: 'rejected' });
    expect((await decided(rig, runId, 'release', ORIGINAL)).state).toBe('delivered');
    expect(rig.blobs.list('clean').filter((key) => key.startsWith(`${runId}/files/`))).toHaveLength(1);
  });

  test('of a malicious mail needs a policy that says so', async () => {
    const { rig, runId } = await held(malicious);
    expect(await decided(rig, runId, 'release', ORIGINAL)).toMatchObject({
      message: expect.stringContaining('release.malicious'),
    });
    const policy = parsePolicy('{"release":{"original":"one","malicious":"original"}}');
    const second = await held(malicious, { policy });
    expect((await decided(second.rig, second.runId, 'release', ORIGINAL)).state).toBe('delivered');
    expect(await clean(second.rig, second.runId)).toBe(MAIL);
  });

  test('that turns out to be malicious is held', async () => {
    const { rig, runId, answer } = await held(odd, suspicious);
    await decided(rig, runId, 'release', ORIGINAL);
    answer.now = malicious;
    rig.advance(TWO_DAYS_MS);
    const outcome = await decided(rig, runId, 'release', { ...ORIGINAL, who: KIM });
    expect([outcome.state, (await codes(rig, runId))[0]]).toEqual(['quarantined', 'release_refused']);
    expect(rig.blobs.list('clean')).toEqual([]);
  });
});

test.each([
  ['{"release":{"rebuilt":"nobody","malicious":"nothing"}}', 'rebuilt', 'release.rebuilt'],
  ['{"release":{"original":"nobody"}}', 'original', 'release.original'],
  ['{"release":{"malicious":"nothing"}}', 'rebuilt', 'release.malicious'],
] as const)('the policy %s lets nobody release %s', async (json, form, field) => {
  const { rig, runId } = await held(malicious, { policy: parsePolicy(json) });
  expect(await decided(rig, runId, 'release', { form })).toMatchObject({ message: expect.stringContaining(field) });
});

test('a release as rebuilt takes two people when policy says so', async () => {
  const { rig, runId } = await held(malicious, { policy: parsePolicy('{"release":{"rebuilt":"two"}}') });
  expect((await decided(rig, runId, 'release')).state).toBe('asked');
  expect((await decided(rig, runId, 'release', { who: KIM })).state).toBe('delivered');
});

test('what was released is neither begun again, nor released twice, nor deleted', async () => {
  const { rig, runId } = await held(malicious);
  await decided(rig, runId, 'release');
  const refused = { message: expect.stringContaining('released by pat') };
  for (const action of ['release', 'rescan', 'delete'] as const)
    expect(await decided(rig, runId, action, { who: KIM })).toMatchObject(refused);
  for (const action of ['rescan', 'delete'] as const) expect(await decided(rig, runId, action)).toMatchObject(refused);
  expect(await decided(rig, runId, 'release', { form: 'original' })).toMatchObject(refused);
  expect((await decided(rig, runId, 'release')).state).toBe('delivered');
  expect((await rig.ledger(runId)).attempt.number).toBe(2);
  expect(obstacleTo(await lastAttempt(rig.ctx, runId), true)).toBe('it was delivered');
});

test('a release that was held again is not undone by a redrive', async () => {
  const { rig, runId, answer } = await held(down);
  answer.now = malicious;
  await decided(rig, runId, 'release');
  expect(obstacleTo(await lastAttempt(rig.ctx, runId), true)).toContain('a person released it');
});

test('of two people who release at once, one does', async () => {
  const { rig, runId } = await held(malicious);
  const both = await Promise.all([decided(rig, runId, 'release'), decided(rig, runId, 'release', { who: KIM })]);
  expect(both.map(({ state }) => state).sort()).toEqual(['delivered', 'rejected']);
  expect((await rig.ledger(runId)).attempt.number).toBe(2);
  expect(rig.events.filter(({ type }) => type === 'MessageDelivered')).toHaveLength(1);
});

describe('what was deleted', () => {
  test('has no original any more, keeps its ledger, and never comes back', async () => {
    const { rig, runId } = await held(malicious);
    expect((await decided(rig, runId, 'delete')).state).toBe('deleted');
    expect([rig.blobs.list('quarantine'), rig.blobs.list('intake')]).toEqual([[], []]);
    const { terminal, attempt } = await rig.ledger(runId);
    expect([terminal?.state, attempt.reason, attempt.people]).toMatchObject(['deleted', 'delete', [PAT]]);
    for (const action of ['release', 'rescan'] as const)
      expect(await decided(rig, runId, action)).toMatchObject({ message: expect.stringContaining('deleted by pat') });
    expect(obstacleTo(await lastAttempt(rig.ctx, runId), true)).toBe('it was deleted');
  });
});

test('a rescan asks again for what is no longer known', async () => {
  const { rig, runId, answer } = await held(malicious);
  answer.now = {};
  expect((await decided(rig, runId, 'rescan')).state).toBe('quarantined');
  rig.advance(TWO_DAYS_MS);
  expect((await decided(rig, runId, 'rescan')).state).toBe('delivered');
  expect((await rig.ledger(runId)).attempt).toMatchObject({ reason: 'rescan', people: [PAT] });
});

test.each([
  { name: '', why: 'x' },
  { name: 'pat', why: ' ' },
  { name: 'pat\u001b[31m', why: 'x' },
  { name: 'pat', why: 'one\ntwo' },
  { name: 'x'.repeat(101), why: 'x' },
  { name: '\u200b', why: 'x' },
  { name: 'pat', why: '\u2800\u3164' },
])('%j names nobody, or gives no reason', (who) => {
  expect(problemOf(who)).toMatch(/^the (?:name|reason): /);
  expect(problemOf(PAT)).toBeNull();
});
