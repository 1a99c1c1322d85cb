/**
 * A person decides about held mail, and the process is killed at one of the writes that count: the mail is released once or still held, nothing is lost, the
 * audit trail says which, and the same decision then ends well. test/pipeline/review-deaths.test.ts does so at every write of the store, without processes.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';
import {
  type Decided,
  type FatalWrite,
  type HeldMail,
  KILLED,
  killedAt,
  problemsAtTheEnd,
  problemsBehindKill,
} from './killed-decision.ts';
import { type KilledDesk, NEVER, openKilledDesk } from './killed-desk.ts';

const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const MAIL = emailWith({ subject: 'Bad news', files: [{ name: 'x.com', bytes: EICAR }] });
const PAT = ['--as', 'pat', '--reason', 'the sender called'];

let folder: string;
let before: string;
let held: HeldMail;
let outs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-killed-'));
  before = join(folder, 'before');
  await writeFile(join(folder, 'bad.eml'), MAIL);
  const { stdout } = await airlock(['scan', '--json', '--out', before, join(folder, 'bad.eml')]);
  const { runId } = JSON.parse(stdout);
  const out = await copyOfBefore();
  await airlock(['quarantine', 'release', runId, ...PAT, '--out', out]);
  const released = await readFile(join(out, 'clean', runId, 'message.eml'));
  held = { runId, mail: Buffer.from(MAIL), released };
});
afterAll(() => rm(folder, { recursive: true }));

async function copyOfBefore(): Promise<string> {
  outs += 1;
  const out = join(folder, String(outs));
  await cp(before, out, { recursive: true });
  return out;
}

const killed = async (out: string, args: readonly string[], fatal: FatalWrite) =>
  expect(await killedAt(out, args, fatal)).toEqual(KILLED);

test.each<[Decided, string, FatalWrite]>([
  ['release', 'while the record of the audit trail is written', { on: '/audit/', nth: 1 }],
  ['release', 'behind that record', { on: '/audit/', nth: 2 }],
  ['release', 'behind the first entry of the attempt', { on: '/2/begun.json', nth: 2 }],
  ['release', 'behind the message', { on: '/message.eml', nth: 2 }],
  ['release', 'behind the last entry', { on: '/2/deliver.json', nth: 2 }],
  ['release', 'when the index has its end, and the quarantine still the mail', { on: 'INSERT INTO runs', nth: 2 }],
  ['delete', 'behind the record', { on: '/audit/', nth: 2 }],
  ['delete', 'behind the entry that ends the run', { on: '/2/begun.json', nth: 2 }],
  ['delete', 'when the quarantine is empty, and what came in still there', { on: '/quarantine/', nth: 1 }],
  ['rescan', 'behind the record', { on: '/audit/', nth: 2 }],
  ['rescan', 'behind the first entry of the attempt', { on: '/2/begun.json', nth: 2 }],
  ['rescan', 'behind the last entry', { on: '/2/quarantine.json', nth: 2 }],
])('a %s that is killed %s is done once', async (decision, _, fatal) => {
  const out = await copyOfBefore();
  const args = ['quarantine', decision, held.runId, ...PAT];
  await killed(out, args, fatal);
  expect(await problemsBehindKill(out, held, decision)).toEqual([]);
  expect(await airlock([...args, '--out', out])).toMatchObject({ code: decision === 'rescan' ? 1 : 0, stderr: '' });
  expect(await problemsAtTheEnd(out, held, decision)).toEqual([]);
});

test('a mail that was released by a process that was killed at its end is not left in the list of held mail by somebody else who asks', async () => {
  const out = await copyOfBefore();
  const args = ['quarantine', 'release', held.runId];
  await killed(out, [...args, ...PAT], { on: '/2/deliver.json', nth: 2 });
  const kim = await airlock([...args, '--as', 'kim', '--reason', 'it is mine', '--out', out]);
  expect([kim.code, kim.stdout]).toEqual([2, expect.stringContaining('it was released by pat')]);
  expect(await problemsAtTheEnd(out, held, 'release')).toEqual([]);
});

test.each([
  ['while its record is written', 1, 'Nothing is blocked.\n', 0],
  ['behind its record', 2, expect.stringContaining('sender  bad[.]example'), 1],
])('a block that is killed %s is on the list as the trail says, and can be asked for again', async (...row) => {
  const [, nth, listed, code] = row;
  const out = await copyOfBefore();
  const args = ['block', 'add', '--sender', 'bad.example', ...PAT];
  await killed(out, args, { on: '/audit/', nth });
  expect((await airlock(['block', 'list', '--out', out])).stdout).toEqual(listed);
  expect((await airlock([...args, '--out', out])).code).toBe(code);
  expect((await airlock(['block', 'list', '--out', out])).stdout.split('\n')).toHaveLength(2);
  expect(await airlock(['audit', 'verify', '--out', out])).toMatchObject({
    code: 0,
    stdout: '1 records, all as they were signed\n',
  });
});

test.each<[string, FatalWrite]>([
  ['behind the message', { on: '/message.eml', nth: 2 }],
  ['behind the last entry', { on: '/2/deliver.json', nth: 2 }],
])('a desk that is killed %s of a release has released once, and the next desk says so', async (_, fatal) => {
  const out = await copyOfBefore();
  const release = (desk: KilledDesk) =>
    desk.send(`/mails/${held.runId}/release`, [
      ['why', 'the sender called'],
      ['attempt', '1'],
    ]);
  const first = await openKilledDesk(out, fatal);
  await expect(release(first)).rejects.toThrow();
  expect(await first.ended()).toBe('SIGKILL');
  expect(await problemsBehindKill(out, held, 'release')).toEqual([]);
  const second = await openKilledDesk(out, NEVER);
  expect((await release(second)).status).toBe(303);
  await second.close();
  expect(await problemsAtTheEnd(out, held, 'release')).toEqual([]);
});
