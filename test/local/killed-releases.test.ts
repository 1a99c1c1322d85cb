/**
 * Two people release the original of a held mail, or one releases several mails with one form, and the process is killed at one of the writes that count: each
 * mail is released once or still held, the audit trail says which, nobody becomes a second person by asking again, and the same decision then ends well.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';
import {
  type FatalWrite,
  type HeldMail,
  KILLED,
  killedAt,
  lines,
  problemsAtTheEnd,
  problemsBehindKill,
} from './killed-decision.ts';
import { NEVER, openKilledDesk } from './killed-desk.ts';

const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const MAILS = ['Bad news', 'Worse news', 'The worst'].map((subject) =>
  emailWith({ subject, files: [{ name: 'x.com', bytes: EICAR }] }),
);

let folder: string;
let before: string;
let runIds: string[];
/** The held mails, with the messages that are delivered when they are released as rebuilt. */
let mails: HeldMail[];
let outs = 0;
/** The verb with which somebody releases the original of the first mail. */
let original: (person: 'pat' | 'kim') => string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-killed-'));
  before = join(folder, 'before');
  const policy = join(folder, 'policy.json');
  await writeFile(policy, '{"release":{"malicious":"original"}}');
  runIds = [];
  for (const [number, mail] of MAILS.entries()) {
    const path = join(folder, `${number}.eml`);
    await writeFile(path, mail);
    runIds.push((JSON.parse((await airlock(['scan', '--json', '--out', before, path])).stdout) as HeldMail).runId);
  }
  const good = await copyOf(before);
  const released = async (runId: string) => {
    await airlock(['quarantine', 'release', runId, '--as', 'pat', '--reason', 'x', '--out', good]);
    return readFile(join(good, 'clean', runId, 'message.eml'));
  };
  mails = [];
  for (const [number, runId] of runIds.entries())
    mails.push({ runId, mail: Buffer.from(MAILS[number] ?? ''), released: await released(runId) });
  const [runId = ''] = runIds;
  original = (person) => [
    'quarantine',
    'release',
    runId,
    '--original',
    '--policy',
    policy,
    '--as',
    person,
    '--reason',
    'the sender called',
  ];
});
afterAll(() => rm(folder, { recursive: true }));

async function copyOf(from: string): Promise<string> {
  outs += 1;
  const out = join(folder, String(outs));
  await cp(from, out, { recursive: true });
  return out;
}

/** The first mail, of which its original is released. */
const firstMail = (): HeldMail => {
  const mail = Buffer.from(MAILS[0] ?? '');
  return { runId: runIds[0] ?? '', mail, released: mail };
};

test.each<[string, FatalWrite]>([
  ['while the record of it is written', { on: '/audit/', nth: 1 }],
  ['behind that record', { on: '/audit/', nth: 2 }],
  ['behind the note of it', { on: '/asked-original.json', nth: 2 }],
])(
  'the first of two people whose process is killed %s has released nothing, and is still one person',
  async (_, fatal) => {
    const out = await copyOf(before);
    expect(await killedAt(out, original('pat'), fatal)).toEqual(KILLED);
    expect(await problemsBehindKill(out, firstMail(), 'release')).toEqual([]);
    for (let time = 0; time < 2; time += 1)
      expect(await airlock([...original('pat'), '--out', out])).toMatchObject({ code: 1, stderr: '' });
    expect(await problemsBehindKill(out, firstMail(), 'release')).toEqual([]);
    expect(await airlock([...original('kim'), '--out', out])).toMatchObject({ code: 0, stderr: '' });
    expect(await problemsAtTheEnd(out, firstMail(), 'release')).toEqual([]);
  },
);

test.each<[string, FatalWrite]>([
  ['behind the record', { on: '/audit/', nth: 2 }],
  ['behind the first entry of the attempt', { on: '/2/begun.json', nth: 2 }],
  ['behind the message', { on: '/message.eml', nth: 2 }],
  ['behind the last entry', { on: '/2/deliver.json', nth: 2 }],
])(
  'a release of an original by two people that is killed %s is done once, with the names of both',
  async (_, fatal) => {
    const out = await copyOf(before);
    expect(await airlock([...original('pat'), '--out', out])).toMatchObject({ code: 1, stderr: '' });
    expect(await killedAt(out, original('kim'), fatal)).toEqual(KILLED);
    expect(await problemsBehindKill(out, firstMail(), 'release')).toEqual([]);
    expect(await airlock([...original('kim'), '--out', out])).toMatchObject({ code: 0, stderr: '' });
    expect(await problemsAtTheEnd(out, firstMail(), 'release')).toEqual([]);
    const { stdout } = await airlock(['runs', 'show', firstMail().runId, '--out', out]);
    expect(stdout).toContain('pat (the sender called) and kim (the sender called) released its original');
  },
);

test.each<[string, number, string]>([
  ['behind the message of the first', 0, '/message.eml'],
  ['behind the first entry of the second', 1, '/2/begun.json'],
  ['behind the last entry of the third', 2, '/2/deliver.json'],
])('several mails whose release with one form is killed %s are each released once', async (_, at, place) => {
  const out = await copyOf(before);
  const fields = [
    ['decision', 'release'],
    ['why', 'the sender called'],
    ...runIds.map((runId) => ['run', `${runId}-1`]),
  ];
  const form = fields as [string, string][];
  const killed = await openKilledDesk(out, { on: `${runIds[at]}${place}`, nth: 2 });
  await expect(killed.send('/selected', form)).rejects.toThrow();
  expect(await killed.ended()).toBe('SIGKILL');
  for (const mail of mails) expect(await problemsBehindKill(out, mail, 'release')).toEqual([]);
  const states = await Promise.all(runIds.map((runId) => lines(out, runId, 'audit', 'list')));
  expect(states.map((trail) => trail.length)).toEqual(runIds.map((_run, number) => (number <= at ? 1 : 0)));
  const next = await openKilledDesk(out, NEVER);
  const answer = await next.send('/selected', form);
  expect([answer.status, (await answer.text()).includes('3 of 3')]).toEqual([200, true]);
  await next.close();
  for (const mail of mails) expect(await problemsAtTheEnd(out, mail, 'release')).toEqual([]);
});
