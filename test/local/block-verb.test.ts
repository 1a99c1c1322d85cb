/** `airlock block`: what is blocked counts for the next mail, and the audit trail has it. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

let folder: string;
let out: string;
const HASH = createHash('sha256').update('just notes').digest('hex');
const WHO = ['--as', 'pat', '--reason', 'phishing'];
const run = (...args: string[]) => airlock([...args, '--out', out]);
const scan = (name: string) => run('scan', '--quiet', join(folder, name));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-block-'));
  out = join(folder, 'out');
  for (const name of ['a', 'b', 'c']) {
    const mail = emailWith({ subject: name, files: [{ name: 'notes.txt', bytes: 'just notes' }] });
    await writeFile(join(folder, `${name}.eml`), mail);
  }
  expect((await scan('a.eml')).code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

test('a blocked file holds the next mail that has it, until it is taken off the list', async () => {
  expect((await run('block', 'add', '--file', HASH, ...WHO)).stdout).toBe(`file ${HASH} is blocked.\n`);
  expect((await run('block', 'add', '--file', HASH, ...WHO)).code).toBe(1);
  expect((await run('block', 'list')).stdout).toMatch(/^file +[0-9a-f]{64} .*Z by pat \(phishing\)\n$/);
  expect((await scan('b.eml')).code).toBe(1);
  expect((await run('quarantine', 'list', '--reason', 'blocked', '--json')).stdout).toContain('"subject":"b"');
  expect((await run('block', 'remove', '--file', HASH, ...WHO)).code).toBe(0);
  expect((await scan('c.eml')).code).toBe(0);
  const audit = await run('audit', 'list');
  expect(audit.stdout).toMatch(/^1 .* block {2}file [0-9a-f]{64}; by pat \(phishing\)\n2 .* unblock /);
  expect((await run('audit', 'verify')).stdout).toContain('2 records, all as they were signed');
});

test.each([
  [['add', ...WHO], 'Name one thing'],
  [['add', '--file', HASH, '--host', 'x.example', ...WHO], 'Name one thing'],
  [['add', '--file', 'x', ...WHO], 'nothing that can be blocked so'],
  [['add', '--host', 'x.example', '--as', '', '--reason', 'x'], '--as and --reason'],
  [['remove', '--host', 'x.example'], '--reason'],
])('block %j is explained', async (args, why) => {
  const { code, stderr } = await run('block', ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});
