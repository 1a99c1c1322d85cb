/** `airlock recall` and `airlock recheck` over real scans: a rule that is new finds what was delivered. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test.each([
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
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringMatching(/The records of 1 delivered mails are/)]);
});
