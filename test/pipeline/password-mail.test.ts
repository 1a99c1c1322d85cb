/** Held mail is begun again when another mail of the same correspondents may tell the password of an archive in it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { extended } from '../../lib/pipeline/chain/chain.ts';
import { LimitExceededError, NotFoundError, TransientError } from '../../lib/pipeline/errors.ts';
import type { Attempt } from '../../lib/pipeline/ledger/attempt.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import {
  beginWithPasswords,
  type PasswordMailContext,
  passwordTries,
} from '../../lib/pipeline/passwords/password-mail.ts';
import { lastAttempt, parsedOnly } from '../../lib/pipeline/review/redrive.ts';
import { discard, release, rescan, unfinished } from '../../lib/pipeline/review/review.ts';
import { packed } from '../formats/archives/archives.ts';
import { airlock, closedZip, DAY_MS, PASSWORD, swapped, TELLS, told } from './password-rig.ts';
import { emailWith, type RigOptions } from './rig.ts';

let zip: Uint8Array;
let held: string;
beforeAll(async () => {
  zip = await closedZip();
  held = emailWith({ subject: 'The report', files: [{ name: 'report.zip', bytes: zip }] });
});

/** A mail that is held, and then another one. Returns what became of the first. */
async function heldThen(other: string, options: Parameters<typeof airlock>[0] = {}, mail = held) {
  const one = airlock(options);
  const { runId } = await one.scan(mail);
  expect(await one.state(runId)).toEqual(['quarantined', 1]);
  const { begun } = await one.scan(other);
  return { ...one, runId, begun, state: await one.state(runId) };
}

test('where no archive is held, a mail to many people asks the index as little as a mail to one', async () => {
  const { rig, ctx, scan } = airlock();
  const recipients = ['a', 'b', 'c'].map((name) => `${name}@recipient.example`);
  const { runId } = await scan(told(), { envelope: { sender: 'ana@sender.example', recipients } });
  let questions = 0;
  const list: typeof ctx.runs.list = (query) => {
    questions += 1;
    return ctx.runs.list(query);
  };
  expect(await passwordTries({ ...ctx, runs: { list } }, await rig.ledger(runId))).toEqual([]);
  // One for each reason.
  expect(questions).toBe(2);
});

describe('an archive that was held is opened', () => {
  test('when the password comes after it, and its opening names the mail that tells it', async () => {
    const { rig, runId, state } = await heldThen(told());
    expect(state).toEqual(['delivered', 2]);
    const { attempt, artifacts } = await rig.ledger(runId);
    const from = attempt.passwordsFrom?.[0];
    expect(artifacts.find(({ opening }) => opening !== null)?.opening).toMatchObject({
      ...{ outcome: 'opened', untrustedPassword: PASSWORD, passwordFrom: from },
    });
  });

  test('when the password came before it', async () => {
    const { scan, state } = airlock();
    await scan(told());
    const { runId } = await scan(held);
    expect(await state(runId)).toEqual(['delivered', 2]);
  });

  test.each([
    ['in its subject', told('See above.', `pw: ${PASSWORD}`)],
    ['in a page', emailWith({ text: 'see below', html: `<p>Passwort: <b>${PASSWORD}</b></p>` })],
    ['as nearly all that it says', told(`Hi Bob, here it is: ${PASSWORD} - Ana`)],
    ['in an answer of its recipient', swapped(told())],
    ['in a text that is attached', emailWith({ text: 'see the note', files: [{ name: 'n.txt', bytes: TELLS }] })],
  ])('when the other mail tells it %s', async (_, mail) => {
    expect((await heldThen(mail)).state).toEqual(['delivered', 2]);
  });

  test('by the addresses of the envelope, too', async () => {
    const { scan, state } = airlock();
    const envelope = { sender: 'list@sender.example', recipients: ['carol@recipient.example'] };
    const { runId } = await scan(held.replace(/^(?:From|To): .*\r\n/gm, ''), { envelope });
    await scan(told().replace(/^(?:From|To): .*\r\n/gm, ''), { envelope });
    expect(await state(runId)).toEqual(['delivered', 2]);
  });

  test('with the passwords of several mails, each for one archive', async () => {
    const other = await packed('zip', { 'b.txt': 'And b.' }, { password: 'Mond%77' });
    const files = [
      { name: 'a.zip', bytes: zip },
      { name: 'b.zip', bytes: other },
    ];
    const { scan, state } = airlock();
    const { runId } = await scan(emailWith({ files }));
    await scan(told());
    expect(await state(runId)).toEqual(['quarantined', 2]);
    await scan(told('The other password is Mond%77'));
    expect(await state(runId)).toEqual(['delivered', 3]);
  });
});

describe('it is judged as if the password stood in it', () => {
  test('what is in it and malicious keeps it held', async () => {
    const answer = (request: object) =>
      'filename' in request && String(request.filename).endsWith('.txt') ? { verdict: 'malicious' as const } : {};
    const bad = (text: string) => emailWith({ text, files: [{ name: 'report.zip', bytes: zip }] });
    const at = (text: string) => bad(text).replace('Content-Type: text/plain', 'Content-Type: text/html');
    const { rig, runId, state } = await heldThen(
      swapped(told()).replace('text/plain', 'text/html'),
      { script: { answer } },
      at('See it.'),
    );
    expect(state).toEqual(['quarantined', 2]);
    const codes = (await rig.ledger(runId)).reasons.map(({ code }) => code);
    expect([codes.includes('malicious'), codes.includes('encrypted')]).toEqual([true, false]);
    const own = await rig.scan(at(TELLS), 'own.eml');
    expect(own.ledger.reasons.map(({ code }) => code)).toEqual(codes);
  });

  test('a wrong password leaves it held, and a right one opens it after that', async () => {
    const { scan, rig, runId, state, ...one } = await heldThen(told('The password is Mond#43'));
    expect(state).toEqual(['quarantined', 2]);
    await scan(told());
    expect((await rig.ledger(runId)).terminal?.state).toBe('delivered');
    expect(one.begun).toEqual([runId]);
  });
});

describe('it is not begun again', () => {
  test.each([
    ['the other mail is of somebody else', told().replace('ana@sender', 'eve@stranger')],
    ['it is to somebody else', told().replace('bob@recipient', 'carol@recipient')],
    ['it cannot be there to tell a password', told('We meet at one. '.repeat(20))],
    ['it is of another person at the same domain', told().replace('ana@sender', 'ben@sender')],
  ])('when %s', async (_, mail) => {
    expect((await heldThen(mail)).begun).toEqual([]);
  });

  test('for what has no archive that a password could open', async () => {
    const one = airlock({
      policyJson: { message: { quarantineVerdicts: ['malicious', 'suspicious'] } },
      script: { answer: () => ({ verdict: 'malicious' }) },
    });
    await one.scan(emailWith({ files: [{ name: 'a.txt', bytes: 'x' }] }));
    expect((await one.scan(told())).begun).toEqual([]);
  });

  test.each([
    [7, true],
    [8, false],
  ])('beyond the days of the policy: %i days later it is %s', async (days, isBegun) => {
    const { rig, scan } = airlock({ policyJson: { containers: { passwordDays: 7 } } });
    await scan(held);
    rig.advance(days * DAY_MS);
    expect((await scan(told())).begun.length > 0).toBe(isBegun);
  });

  test('where policy tries none', async () => {
    expect((await heldThen(told(), { policyJson: { containers: { passwordDays: 0 } } })).begun).toEqual([]);
  });

  test('twice for the same mail', async () => {
    const { ctx, runId } = await heldThen(told('The password is Mond#43'));
    const from = (await lastAttempt(ctx, runId)).chain?.ledger.attempt.passwordsFrom ?? [];
    expect(from).toHaveLength(1);
    expect(await beginWithPasswords(ctx, await lastAttempt(ctx, runId), from)).toBeNull();
  });

  test('for more mails than the limit passwordMails', async () => {
    const { scan, state } = airlock({ limits: { passwordMails: 2 } });
    const { runId } = await scan(held);
    for (const guess of ['a1', 'b2', 'c3']) await scan(told(`The password is ${guess}`));
    expect(await state(runId)).toEqual(['quarantined', 3]);
  });

  test('more often than the limit attempts', async () => {
    const { begun, state } = await heldThen(told(), { limits: { attempts: 1 } });
    expect([begun, state]).toEqual([[], ['quarantined', 1]]);
  });

  test('while a second person is asked to release it', async () => {
    const asked = airlock();
    const { runId } = await asked.scan(held);
    const review = { ...asked.ctx, removeHeld: async () => undefined };
    const who = { name: 'Pat', why: 'the sender called' };
    await release(review, await lastAttempt(asked.ctx, runId), 'original', who);
    expect((await asked.scan(told())).begun).toEqual([]);
    // What the first person wanted has lapsed.
    asked.rig.advance(4 * DAY_MS);
    expect((await asked.scan(told(TELLS, 'Again'))).begun).toEqual([runId]);
  });
});

describe('an index that lies about who wrote to whom, when, and what is held', () => {
  /** The held mail, and another one of which the index says that it may tell the password. */
  async function named(mail: string, days = 0) {
    const one = airlock();
    const { runId } = await one.scan(held);
    one.rig.advance(days * DAY_MS);
    const other = await one.rig.scan(mail, 'other.eml');
    const begin = async (run: string, from: string) =>
      (await beginWithPasswords(one.ctx, await lastAttempt(one.ctx, run), [from]))?.attempt ?? null;
    return { ...one, runId, otherId: other.runId, begin };
  }

  test.each<[string, string, number]>([
    ['of a stranger', told().replace('ana@sender', 'eve@stranger'), 0],
    ['to somebody else', told().replace('bob@recipient', 'carol@recipient'), 0],
    ['that cannot be there to tell a password', told('We meet at one. '.repeat(20)), 0],
    ['that came too long after it', told(), 8],
  ])('begins nothing with mail %s', async (_, mail, days) => {
    const { begin, runId, otherId } = await named(mail, days);
    expect(await begin(runId, otherId)).toBeNull();
  });

  test('begins nothing with the mail itself or a run that nobody knows, and nothing of a mail that is not held', async () => {
    const { begin, runId, otherId } = await named(told());
    expect([await begin(runId, runId), await begin(runId, 'ab'.repeat(16))]).toEqual([null, null]);
    expect(await begin(otherId, runId)).toBeNull();
    expect(await begin(runId, otherId)).toBe(2);
  });

  test('begins nothing with a mail that a person deleted', async () => {
    const closed = await packed('zip', { 'b.txt': 'And b.' }, { password: 'Mond%77' });
    const mail = emailWith({ text: TELLS, files: [{ name: 'b.zip', bytes: closed }] });
    for (const isDeleted of [false, true]) {
      const { begin, runId, otherId, ctx } = await named(mail);
      const review = { ...ctx, removeHeld: async () => undefined };
      if (isDeleted) await discard(review, await lastAttempt(ctx, otherId), { name: 'Pat', why: 'not for us' });
      expect([isDeleted, await begin(runId, otherId)]).toEqual([isDeleted, isDeleted ? null : 2]);
    }
  });
});

describe('an attempt that names several mails', () => {
  /** How the archive was opened when the attempt names these mails, in this order. */
  async function openedBy(mails: readonly (string | null)[], limits: RigOptions['limits'] = {}) {
    const { ctx, rig, scan } = airlock({ limits });
    const { runId } = await scan(held);
    const from: string[] = [];
    for (const [at, mail] of mails.entries())
      from.push(mail === null ? 'ab'.repeat(16) : (await rig.scan(mail, `other-${at}.eml`)).runId);
    const { chain } = await lastAttempt(ctx, runId);
    if (chain === null) throw new Error('the chain of the held mail is there');
    const begunAt = chain.ledger.bornAt;
    const attempt: Attempt = { number: 2, begunAt, reason: 'password', earlier: null, passwordsFrom: from };
    await parse(rig.ctx, chain.ledger.intake, attempt);
    const { artifacts } = await rig.ledger(runId);
    const { outcome, passwordFrom } = artifacts.find(({ opening }) => opening !== null)?.opening ?? {};
    return [outcome, passwordFrom === undefined ? null : from.indexOf(passwordFrom)];
  }
  const wrong = told('The password is Mond#43');

  test.each<[string, readonly (string | null)[], RigOptions['limits'], readonly unknown[]]>([
    ['reads each of them', [wrong, told()], {}, ['opened', 1]],
    ['names the first that tells the word', [wrong, told(), told(TELLS, 'Again')], {}, ['opened', 1]],
    ['goes on behind one whose chain is gone', [null, told()], {}, ['opened', 1]],
    ['reads no more of them than the limit passwordMails', [wrong, told()], { passwordMails: 1 }, ['encrypted', null]],
    ['tries no more words of all than the limit', [wrong, told()], { passwordTriesFromOthers: 1 }, ['encrypted', null]],
  ])('%s', async (_, mails, limits, expected) => {
    expect(await openedBy(mails, limits)).toEqual(expected);
  });
});

test('a text is read as it is, and not as a page', async () => {
  const secret = 'So<b>ne42';
  const closed = await packed('zip', { 'a.txt': 'All is well.' }, { password: secret });
  const mail = emailWith({ files: [{ name: 'a.zip', bytes: closed }] });
  expect((await heldThen(told(`The password is ${secret}`), {}, mail)).state).toEqual(['delivered', 2]);
});

describe('a store in which the text of the other mail', () => {
  /** Whether the attempt begins when the store answers so for what is read of the other mail. */
  async function begins(get: (found: Uint8Array, key: string, otherId: string) => Uint8Array) {
    const one = airlock();
    const { runId } = await one.scan(held);
    const other = await one.rig.scan(told(), 'other.eml');
    const ctx: PasswordMailContext = {
      ...one.ctx,
      blobs: {
        ...one.ctx.blobs,
        get: async (bucket, key, options) => get(await one.ctx.blobs.get(bucket, key, options), key, other.runId),
      },
    };
    return (await beginWithPasswords(ctx, await lastAttempt(one.ctx, runId), [other.runId])) !== null;
  }
  const failing = (error: Error, isAsked: (key: string, otherId: string) => boolean) =>
    begins((found, key, otherId) => {
      if (isAsked(key, otherId)) throw error;
      return found;
    });
  const ofText = (key: string) => key.startsWith('artifacts/');
  const ofRun = (key: string, otherId: string) => key.includes(otherId);

  test('is as it was begins the attempt', async () => {
    expect(await begins((found) => found)).toBe(true);
  });

  test('is gone, or longer than any note, begins nothing', async () => {
    expect(await failing(new NotFoundError('work', 'x'), ofText)).toBe(false);
    expect(await failing(new LimitExceededError('maxBytes', 1, 2), ofText)).toBe(false);
    expect(await failing(new NotFoundError('work', 'x'), ofRun)).toBe(false);
  });

  test.each([
    ['the text', ofText],
    ['the chain', ofRun],
  ])('cannot be had for now is asked for again: %s', async (_, isAsked) => {
    await expect(failing(new TransientError('away'), isAsked)).rejects.toThrow(TransientError);
  });
});

test('one mail begins no more held ones than the limit heldPerPasswordMail', async () => {
  const { scan } = airlock({ limits: { heldPerPasswordMail: 2 } });
  for (const subject of ['one', 'two', 'three']) await scan(held.replace('The report', subject));
  expect((await scan(told())).begun).toHaveLength(2);
});

test('no more earlier mail is searched than the limit earlierPasswordMails, and none for pairs beyond correspondentPairs', async () => {
  const pair = airlock({ limits: { earlierPasswordMails: 1 } });
  await pair.scan(told());
  pair.rig.advance(1_000);
  await pair.scan(told('We meet at one. '.repeat(20), 'Later'));
  expect((await pair.scan(held)).begun).toEqual([]);
  const many = airlock({ limits: { correspondentPairs: 1 } });
  const { runId } = await many.scan(held);
  await many.scan(told().replace('To: bob', 'To: carol@recipient.example, bob'));
  expect(await many.state(runId)).toEqual(['quarantined', 1]);
});

test('no more words of other mail are tried than the limit passwordTriesFromOthers', async () => {
  const mail = told(`The password is Mond#43 or ${PASSWORD}`);
  expect((await heldThen(mail, { limits: { passwordTriesFromOthers: 1 } })).state).toEqual(['quarantined', 2]);
  expect((await heldThen(mail, { limits: { passwordTriesFromOthers: 20 } })).state).toEqual(['delivered', 2]);
});

test('a later attempt stands on what was read with the password, and says so', async () => {
  const one = airlock({
    script: {
      answer: (request) =>
        'filename' in request && request.filename.endsWith('.txt')
          ? { failure: { class: 'service_error', detail: 'down' } }
          : {},
    },
  });
  const { runId } = await one.scan(held);
  await one.scan(told());
  const before = await lastAttempt(one.ctx, runId);
  expect(before.chain?.ledger.terminal?.state).toBe('quarantined');
  const review = { ...one.ctx, removeHeld: async () => undefined };
  const decided = await rescan(review, before, { name: 'Pat', why: 'again' });
  expect(decided.state).toBe('begun');
  const { attempt } = (await lastAttempt(one.ctx, runId)).chain?.ledger ?? {};
  expect(attempt).toMatchObject({
    number: 3,
    reason: 'rescan',
    passwordsFrom: before.chain?.ledger.attempt.passwordsFrom,
  });
});

test('an attempt whose process was killed is unfinished, so that whoever works on the run next brings it to its end', async () => {
  const one = airlock();
  const { runId } = await one.scan(held);
  const { runId: other } = await one.rig.scan(told(), 'told.eml');
  await beginWithPasswords(one.ctx, await lastAttempt(one.ctx, runId), [other]);
  const open = unfinished(await lastAttempt(one.ctx, runId));
  expect(open).toMatchObject({ runId, attempt: 2, last: 'parse' });
  await one.toItsEnd(open as Run);
  expect(await one.state(runId)).toEqual(['delivered', 2]);
});

describe('nobody else says that passwords were tried', () => {
  test.each(['redrive', 'review'] as const)('%s may not change them', async (stage) => {
    const { ctx, runId } = await heldThen(told('The password is Mond#43'));
    const { chain } = await lastAttempt(ctx, runId);
    const parsed = chain && parsedOnly(chain);
    const attempt = {
      number: 3,
      begunAt: '2026-11-20T13:00:00.000Z',
      reason: stage === 'redrive' ? 'redrive' : 'rescan',
      earlier: null,
    };
    const people =
      stage === 'review' ? { people: [{ name: 'Pat', why: 'x', at: attempt.begunAt }], audit: 'a'.repeat(64) } : {};
    const change = { ledger: { attempt: { ...attempt, ...people } } };
    const entry = { stage, startedAt: attempt.begunAt, durationMs: 0, policy: null, start: null, change } as never;
    const forged = extended(ctx, { runId, attempt: 3 }, parsed, entry);
    await expect(forged).rejects.toThrow('says that other passwords were tried');
  });

  test('an attempt with this reason names the mail', async () => {
    const { ctx, rig, runId } = await heldThen(told('The password is Mond#43'));
    const start = (await rig.ledger(runId)) && (await lastAttempt(ctx, runId)).chain?.entries[0]?.start;
    if (!start) throw new Error('no start');
    const { passwordsFrom: _, ...attempt } = start.attempt;
    const entry = { startedAt: start.bornAt, durationMs: 0, policy: null, start: { ...start, attempt }, change: {} };
    const forged = extended(ctx, { runId, attempt: 2 }, null, { stage: 'parse', ...entry });
    await expect(forged).rejects.toThrow('names no mail whose passwords were tried');
  });
});
