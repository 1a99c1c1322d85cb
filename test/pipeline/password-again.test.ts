/** Words of other mail are tried where no session holds a lock: by a message that names mail, has no word of any, and is not believed. */
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { hasTriedPasswords } from '../../lib/pipeline/passwords/password-again.ts';
import { passwordTries } from '../../lib/pipeline/passwords/password-mail.ts';
import { passwordTryOf, passwordTryText } from '../../lib/pipeline/passwords/password-try.ts';
import { holdHalfTried } from '../../lib/pipeline/passwords/password-try-failed.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { indexedRun } from '../../lib/pipeline/runs/row.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { packed } from '../formats/archives/archives.ts';
import { carryOutRig } from './carry-out-rig.ts';
import { createRig, emailWith } from './rig.ts';

const PASSWORD = 'Sonne#42';
const policy = parsePolicy('{"failures":{"encrypted":"quarantine"}}');
const TOLD = emailWith({ subject: 'One more thing', text: `The password is ${PASSWORD}` });

let held: string;
beforeAll(async () => {
  const zip = await packed('zip', { 'report.txt': 'All is well.' }, { password: PASSWORD });
  held = emailWith({ subject: 'The report', files: [{ name: 'report.zip', bytes: zip }] });
});

/** A held mail and another one, with what AWS does: an end is heard of, asks by a message, and `parse` reads the message. */
async function both(other = TOLD) {
  const rig = createRig({ policy });
  const runs = openSqliteRuns(':memory:');
  onTestFinished(() => runs.close());
  const { review, toItsEnd, started } = carryOutRig(rig);
  const ctx = { ...rig.ctx, executions: review.executions };
  const { runId, ledger } = await rig.scan(held, '1.eml');
  await runs.put(indexedRun(ledger));
  const second = await rig.scan(other, '2.eml');
  await runs.put(indexedRun(second.ledger));
  const tries = await passwordTries({ ...rig.ctx, runs }, second.ledger);
  const bodies = tries.map((one): unknown => JSON.parse(passwordTryText(one)));
  return { rig, ctx, runId, bodies, toItsEnd, started };
}

test('an archive that was held is opened by the password of a later mail, and delivered', async () => {
  const { rig, ctx, runId, bodies, toItsEnd, started } = await both();
  expect([bodies.length, JSON.stringify(bodies).includes(PASSWORD)]).toEqual([1, false]);
  for (const body of bodies) expect(await hasTriedPasswords(ctx, body)).toBe(true);
  expect(started).toEqual([`${runId}-2`]);
  await toItsEnd();
  const { terminal, attempt } = await rig.ledger(runId);
  expect([terminal?.state, attempt.reason, attempt.passwordsFrom?.length]).toEqual(['delivered', 'password', 1]);
});

test('a message that comes twice begins one attempt, and one that was never started is started', async () => {
  const { rig, ctx, runId, bodies, started } = await both();
  const dying = { ...ctx, executions: { start: () => Promise.reject(new Error('killed')) } };
  await expect(hasTriedPasswords(dying, bodies[0])).rejects.toThrow('killed');
  expect([started, await rig.blobs.has('work', keys.entry(runId, 2, 'parse'))]).toEqual([[], true]);
  for (let times = 0; times < 2; times += 1) await hasTriedPasswords(ctx, bodies[0]);
  expect([started, await rig.blobs.has('work', keys.entry(runId, 3, 'parse'))]).toEqual([[`${runId}-2`], false]);
});

test('a message that fails each time leaves the mail held, by an attempt that has ended', async () => {
  const { rig, ctx, runId, bodies } = await both();
  const [asked] = bodies.map(passwordTryOf);
  if (!asked) throw new Error('nothing was asked');
  const failed = () => holdHalfTried(rig.ctx, asked);
  // Nothing has begun: the first attempt holds it.
  expect([await failed(), (await rig.ledger(runId)).attempt.number]).toEqual([null, 1]);
  const dying = { ...ctx, executions: { start: () => Promise.reject(new Error('killed')) } };
  await expect(hasTriedPasswords(dying, bodies[0])).rejects.toThrow('killed');
  expect((await rig.ledger(runId)).terminal).toBeNull();
  expect([(await failed())?.attempt, await failed()]).toEqual([2, null]);
  const { terminal, reasons } = await rig.ledger(runId);
  expect([terminal?.state, reasons.at(-1)?.code]).toEqual(['quarantined', 'run_failed']);
});

test.each([
  ['names a mail that cannot tell a password', () => emailWith({ text: 'We meet at one. '.repeat(20) })],
  ['names a mail of somebody else', () => TOLD.replace('ana@sender', 'eve@stranger')],
])('a message that %s begins nothing', async (_, other) => {
  const { rig, ctx, runId, started } = await both(other());
  const from = rig.blobs.list('work').flatMap((key) => /^runs\/([0-9a-f]{32})\/intake/.exec(key)?.[1] ?? []);
  const body = { passwordTry: { runId, from: from.filter((id) => id !== runId) } };
  expect([await hasTriedPasswords(ctx, body), started]).toEqual([true, []]);
});

test.each([
  [{ passwordTry: { runId: '../x', from: ['ab'.repeat(16)] } }],
  [{ passwordTry: { runId: 'ab'.repeat(16), from: [] } }],
  [
    {
      passwordTry: {
        runId: 'ab'.repeat(16),
        from: Array(DEFAULT_LIMITS.earlierPasswordMails + 1).fill('ab'.repeat(16)),
      },
    },
  ],
  [{ detail: {} }],
  [null],
])('is no such message: %#', (body) => {
  expect(passwordTryOf(body)).toBeNull();
});
