/** The file that AIRLOCK_EVENTS names: each end of a run and each recall is one line of it, as EventBridge has it on AWS. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import schema from '../../schema/run-event-1.json' with { type: 'json' };
import { emailWith } from '../pipeline/rig.ts';
import { testWith } from '../programs.ts';
import { airlock } from './console.ts';

/** Formats are sentences of the pattern beside them. */
const validate = new Ajv2020({ strict: true, validateFormats: false }).compile(schema);
const FILES = [{ name: 'plan.txt', bytes: 'the plan' }];

let folder: string;
const path = (...names: string[]) => join(folder, ...names);
const run = (...args: string[]) => airlock(args, { env: { AIRLOCK_EVENTS: path('events.jsonl') } });
const scan = (name: string, out = 'out') => run('scan', '--quiet', '--out', path(out), path(name));
const lines = async (name = 'events.jsonl') => (await readFile(path(name), 'utf8')).split('\n').slice(0, -1);
const events = async () => (await lines()).map((line) => JSON.parse(line));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-events-'));
  await writeFile(path('a.eml'), emailWith({ subject: 'Plan', files: FILES }));
});
afterEach(() => rm(folder, { recursive: true }));

test('each end of a run is an event of the published schema, in the envelope of EventBridge, for the owner alone', async () => {
  await scan('a.eml');
  const block = ['--file', sha256Hex('the other'), '--as', 'ann', '--reason', 'a lure'];
  await run('block', 'add', '--out', path('out'), ...block);
  await writeFile(path('b.eml'), emailWith({ subject: 'x', files: [{ name: 'b.txt', bytes: 'the other' }] }));
  await scan('b.eml');
  const told = await events();
  expect(told).toMatchObject([
    { source: 'mail-airlock', 'detail-type': 'MessageDelivered', detail: { message: { untrustedSubject: 'Plan' } } },
    { source: 'mail-airlock', 'detail-type': 'MessageQuarantined', detail: { dispositions: { remove: 1 } } },
  ]);
  for (const event of told) {
    expect(Object.keys(event)).toEqual(['source', 'detail-type', 'time', 'detail']);
    expect(validate(event.detail), JSON.stringify(validate.errors)).toBe(true);
  }
  expect((await stat(path('events.jsonl'))).mode & 0o777).toBe(0o600);
});

test('a subject with a line feed and controls stays in its line, and nothing in the line acts', async () => {
  const encoded = Buffer.from('one\r\n{"source":"mail-airlock"}\u001b[2J\u0085\u202e').toString('base64');
  await writeFile(path('c.eml'), emailWith({ subject: `=?utf-8?B?${encoded}?=`, files: FILES }));
  await scan('c.eml');
  const [line = '', ...more] = await lines();
  expect(more).toEqual([]);
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(line).detail.message.untrustedSubject).toContain('one');
});

test('two processes that append at the same time write whole lines', async () => {
  const url = new URL('../../lib/local/input/event-file.ts', import.meta.url);
  const script = `import { eventFileOf } from ${JSON.stringify(url.href)};
    const file = eventFileOf({ env: process.env });
    for (let i = 0; i < 500; i += 1) await file.emitRecalled({ i, text: 'x'.repeat(10_000) });`;
  const env = { ...process.env, AIRLOCK_EVENTS: path('events.jsonl') };
  const append = () =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { env });
  await Promise.all([append(), append()]);
  // A line that is being written looks as if it were cut off, and then an empty one stands behind it.
  const whole = (await lines()).filter((line) => line !== '');
  const numbers = whole.map((line) => JSON.parse(line).detail.i);
  const twice = Array.from({ length: 500 }, (_, i) => [i, i]).flat();
  expect(numbers.sort((one, other) => one - other)).toEqual(twice);
});

test('a file that was renamed gets no more lines, and a line that a full disk cut off takes none with it', async () => {
  await scan('a.eml');
  await rename(path('events.jsonl'), path('events.jsonl.1'));
  await writeFile(path('events.jsonl'), '{"source":"mail-air');
  await scan('a.eml', 'second');
  expect(await lines('events.jsonl.1')).toHaveLength(1);
  const [torn, whole = ''] = await lines();
  expect(torn).toBe('{"source":"mail-air');
  expect(JSON.parse(whole)).toMatchObject({ 'detail-type': 'MessageDelivered' });
});

test('a file that cannot be written is wrong usage before anything is scanned', async () => {
  const env = { AIRLOCK_EVENTS: path('missing', 'events.jsonl') };
  const { code, stderr } = await airlock(['scan', '--out', path('out'), path('a.eml')], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written (ENOENT)')]);
});

testWith('/dev/full', existsSync('/dev/full'))(
  'a mail whose event finds a full disk has not ended, and ends when it is scanned again',
  async () => {
    const env = { AIRLOCK_EVENTS: '/dev/full' };
    const full = await airlock(['scan', '--json', '--out', path('out'), path('a.eml')], { env });
    expect([full.code, JSON.parse(full.stdout).state]).toEqual([3, 'failed']);
    expect((await scan('a.eml')).code).toBe(0);
    expect(await events()).toMatchObject([{ 'detail-type': 'MessageDelivered' }]);
  },
);

test('each recall of a file is told once: by recheck of one that is worse now, by recall of one that is blocked', async () => {
  await scan('a.eml');
  await mkdir(path('rules'));
  const rule = 'rule airlock_test { meta: level = "malicious" strings: $a = "the plan" condition: $a }';
  await writeFile(path('rules', 'a.yar'), rule);
  const env = { AIRLOCK_EVENTS: path('events.jsonl'), AIRLOCK_YARA_RULES: path('rules') };
  await airlock(['recheck', '--out', path('out')], { env });
  await writeFile(path('d.eml'), emailWith({ subject: 'D', files: [{ name: 'd.txt', bytes: 'the fourth' }] }));
  await scan('d.eml');
  const block = ['--file', sha256Hex('the fourth'), '--as', 'ann', '--reason', 'a lure'];
  await run('block', 'add', '--out', path('out'), ...block);
  await run('recall', '--out', path('out'));
  await run('recall', '--out', path('out'));
  const recalled = (await events()).filter((event) => event['detail-type'] === 'MessageRecalled');
  expect(recalled).toMatchObject([
    { source: 'mail-airlock', detail: { cause: 'worse', sha256: sha256Hex('the plan'), untrustedSubject: 'Plan' } },
    { source: 'mail-airlock', detail: { cause: 'blocked', sha256: sha256Hex('the fourth'), untrustedSubject: 'D' } },
  ]);
});
