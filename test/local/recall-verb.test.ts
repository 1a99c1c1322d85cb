/** `airlock recall` and `airlock recheck` over real scans: a rule that is new finds what was delivered. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { nextHopStub } from '../gateway/next-hop-stub.ts';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

const RULE = 'rule airlock_test { meta: level = "malicious" strings: $a = "the words of yesterday" condition: $a }';
let folder: string;
let out: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-recall-'));
  out = join(folder, 'out');
  const files = [{ name: 'notes.txt', bytes: 'the words of yesterday' }];
  await writeFile(join(folder, 'a.eml'), emailWith({ subject: 'Notes', files }));
  await mkdir(join(folder, 'rules'));
  await writeFile(join(folder, 'rules', 'a.yar'), RULE);
  expect((await airlock(['scan', '--quiet', '--out', out, join(folder, 'a.eml')])).code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

test('a rule that is new finds a delivered file, and recall lists its mail, with --new once', async () => {
  expect((await airlock(['recheck', '--out', out])).code).toBe(0);
  expect(await airlock(['recall', '--out', out])).toMatchObject({
    code: 0,
    stdout: 'No delivered mail is to be recalled.\n',
  });
  const env = { AIRLOCK_YARA_RULES: join(folder, 'rules') };
  const checked = await airlock(['recheck', '--out', out], { env });
  expect([checked.code, checked.stdout]).toEqual([
    1,
    expect.stringMatching(/was benign and is (?:malicious|suspicious) now/),
  ]);
  expect((await airlock(['recall', '--out', out])).stdout).toMatch(
    /Notes; to bob.*\n +notes.*delivered as it came; [0-9a-f]{64}/,
  );
  expect((await airlock(['recall', '--new', '--out', out])).code).toBe(1);
  expect((await airlock(['recall', '--new', '--out', out])).code).toBe(0);
});

describe('with --next', () => {
  const notices = { from: 'airlock@recipient.example', domains: ['recipient.example'] };
  const next = async (answer?: (command: string) => string | null) => {
    const stub = await nextHopStub(answer === undefined ? {} : { answer });
    const path = join(folder, 'policy.json');
    await writeFile(path, JSON.stringify({ version: 1, notices }));
    const args = ['recall', '--out', out, '--policy', path, '--next', `127.0.0.1:${stub.port}`];
    return { stub, recall: (...more: string[]) => airlock([...args, ...more]) };
  };

  test('a recipient who could not be told is told at the next time, once by two that run at the same moment', async () => {
    const away = await next((command) => (command === '.' ? '451 4.3.0 later' : null));
    const first = await away.recall();
    await away.stub.close();
    expect([first.code, first.stdout]).toEqual([1, expect.stringMatching(/\n0 mails .* 1 could not be sent/)]);
    const { stub, recall } = await next();
    await Promise.all([recall(), recall()]);
    expect((await recall()).stdout).toContain('\n0 mails to recipients were sent.\n');
    await stub.close();
    expect(stub.received).toMatchObject([
      { from: expect.stringMatching(/^MAIL FROM:<> /), to: ['RCPT TO:<bob@recipient.example>'] },
    ]);
    expect(stub.received[0]?.data).toContain('X-Airlock-Notice: recall');
  });

  test('recipients of a file that is blocked are told, at most as many as --mails says', async () => {
    const files = [{ name: 'plan.txt', bytes: 'the plan' }];
    const to = 'bob@recipient.example, kim@recipient.example, eve@elsewhere.example';
    const mail = emailWith({ subject: 'Plan', files }).replace('bob@recipient.example', to);
    await writeFile(join(folder, 'plan.eml'), mail);
    expect((await airlock(['scan', '--quiet', '--out', out, join(folder, 'plan.eml')])).code).toBe(0);
    const why = ['--as', 'ann', '--reason', 'a lure'];
    await airlock(['block', 'add', '--out', out, '--file', sha256Hex('the plan'), ...why]);
    const { stub, recall } = await next();
    const [one, all] = [await recall('--mails', '1', '--json'), await recall('--json')];
    await stub.close();
    const told = [one, all].map(({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '').told);
    expect(told).toEqual([
      { mailed: 1, unmailed: 1 },
      { mailed: 1, unmailed: 0 },
    ]);
    const recipients = stub.received.flatMap(({ to: each }) => each).sort();
    expect(recipients).toEqual(['RCPT TO:<bob@recipient.example>', 'RCPT TO:<kim@recipient.example>']);
  });
});

test.each([
  [['recall', '--next', '127.0.0.1:25'], 'name a policy file'],
  [['recall', '--next', '127.0.0.1:25', '--policy', 'x', '--stack', 'S'], 'leave --next out'],
  [['recall', '--mails', '0'], '--mails takes a number'],
  [['recheck', '--budget', '0'], '--budget takes a number'],
  [['recheck', '--days', 'x'], '--days takes a number'],
  [['recall', '--days', '0'], '--days takes a number'],
])('%j is explained', async (args, why) => {
  const { code, stderr } = await airlock([...args, '--out', out]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});

test('a mail whose record is gone is listed, and no success is shown', async () => {
  const runs = join(out, 'work', 'runs');
  for (const runId of await readdir(runs)) await rm(join(runs, runId, '1', 'deliver.json'));
  const listed = await airlock(['recall', '--out', out]);
  expect([listed.code, listed.stdout]).toEqual([1, expect.stringContaining('its record is damaged or gone')]);
  const checked = await airlock(['recheck', '--out', out]);
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringMatching(/The records of 2 delivered mails are/)]);
});
