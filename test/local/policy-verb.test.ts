/** `airlock policy try`: the mail of real scans under another policy. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

let folder: string;
let out: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-policy-'));
  out = join(folder, 'out');
  const text = 'see http://bank.example@pay.sender.example/pay';
  await writeFile(join(folder, 'odd.eml'), emailWith({ subject: 'Odd \u001b[31m link', text }));
  await writeFile(join(folder, 'good.eml'), emailWith({ subject: 'Good news' }));
  await writeFile(join(folder, 'strict.json'), '{"message":{"quarantineVerdicts":["malicious","suspicious"]}}');
  await writeFile(join(folder, 'wrong.json'), '{"mesage":{}}');
  await airlock(['scan', '--quiet', '--out', out, join(folder, 'odd.eml'), join(folder, 'good.eml')]);
});
afterAll(() => rm(folder, { recursive: true }));

const tried = (file: string, ...options: string[]) =>
  airlock(['policy', 'try', join(folder, file), '--out', out, ...options]);

test('says in words which mail would end otherwise', async () => {
  const { code, stdout } = await tried('strict.json');
  expect(code).toBe(0);
  expect(stdout).toContain('2 mails of the last 30 days: 1 would end the same way');
  expect(stdout).toContain('1 would be held, and were delivered');
  expect(stdout).toMatch(/[0-9A-Z]{2}-[0-9A-Z]{4} {2}.* link\n .*suspicious/);
  expect(stdout).not.toContain('\u001b');
});

test('says it in JSON, the counts in the last line', async () => {
  const { stdout } = await tried('strict.json', '--json');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { turn: 'held', reasons: { before: [], after: ['suspicious'] } },
    { counts: { held: 1, same: 1, delivered: 0, parts: 0, unknown: 0, undecided: 0, unreadable: 0 } },
  ]);
});

test.each([
  [['wrong.json'], 'mesage'],
  [['nowhere.json'], 'does not exist'],
  [['strict.json', '--days', '0'], '--days takes a number from 1 to 3650'],
  [['strict.json', '--examples', 'x'], '--examples takes a number'],
])('%j is explained', async ([file, ...options], why) => {
  const { code, stderr } = await tried(file as string, ...options);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});
