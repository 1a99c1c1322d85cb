/** `airlock replay`: past mail under another policy and newer rules, without a change to what was. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

const RULE = 'rule airlock_test { meta: level = "malicious" strings: $a = "the words of yesterday" condition: $a }';
let folder: string;
let out: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-replay-test-'));
  out = join(folder, 'out');
  const files = [{ name: 'notes.txt', bytes: 'the words of yesterday' }];
  await writeFile(join(folder, 'notes.eml'), emailWith({ subject: 'Notes', files }));
  await writeFile(join(folder, 'good.eml'), emailWith({ subject: 'Good news' }));
  await writeFile(join(folder, 'text.json'), '{"types":{"text":{"verdicts":{"benign":"remove"}}}}');
  await mkdir(join(folder, 'rules'));
  await writeFile(join(folder, 'rules', 'a.yar'), RULE);
  await airlock(['scan', '--quiet', '--out', out, join(folder, 'notes.eml'), join(folder, 'good.eml')]);
});
afterAll(() => rm(folder, { recursive: true }));

async function hashes(): Promise<string[]> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/sqlite/.test(entry.name));
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const hash = async (path: string) =>
    `${path} ${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')}`;
  return Promise.all(paths.map(hash));
}

const replay = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  airlock(['replay', '--out', out, ...args], { env });

test('the same policy and the same engines end every mail as it ended', async () => {
  const before = await hashes();
  expect(await replay()).toMatchObject({
    code: 0,
    stdout: '2 mails of the last 7 days: 2 would end the same way\n',
  });
  expect(await hashes()).toEqual(before);
});

test('a new rule holds what was delivered', async () => {
  const { code, stdout } = await replay([], { AIRLOCK_YARA_RULES: join(folder, 'rules') });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/1 would be held, and were delivered\n.*Notes\n.*malicious/),
  ]);
});

const BODY = { untrustedName: 'body', before: 'keep', after: 'remove' };

test('another policy changes parts', async () => {
  const { stdout } = await replay(['--policy', join(folder, 'text.json'), '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((one, other) => (String(one.subject) < String(other.subject) ? -1 : 1));
  expect(lines).toMatchObject([
    { turn: 'parts', subject: 'Good news', parts: [BODY] },
    { turn: 'parts', subject: 'Notes', parts: [BODY, { ...BODY, untrustedName: 'notes.txt' }] },
    { counts: { parts: 2, same: 0, held: 0 } },
  ]);
});

test('what somebody has blocked counts, and an original that was changed is left out', async () => {
  await airlock(['block', 'add', '--sender', 'sender.example', '--as', 'pat', '--reason', 'x', '--out', out]);
  expect((await replay()).stdout).toContain('2 would be held');
  const originals = (await readdir(join(out, 'intake'), { recursive: true })).filter((path) =>
    path.endsWith('good.eml'),
  );
  await writeFile(join(out, 'intake', originals[0] as string), 'another');
  expect((await replay()).stdout).toContain('1 left out: the record or the original is damaged or gone');
});

test.each([
  [['--days', 'x'], '--days takes a number'],
  [['--policy', 'nowhere.json'], 'does not exist'],
])('%j is explained', async (args, why) => {
  const { code, stderr } = await replay(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});
