/** The ways in besides a file that is named: stdin, pipes, Maildirs, and files whose names do not say that they are mail. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { msgOf } from '../message/containers/outlook.ts';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

let folder: string;
const path = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-inputs-'));
});
afterAll(() => rm(folder, { recursive: true }));

const mail = (subject: string) => emailWith({ subject, text: subject });

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), content);
  }
}

/** What `parse` found, as [path below the folder, subject or what went wrong]. */
async function found(...args: string[]): Promise<[string, string][]> {
  const { stdout } = await airlock(['parse', '--json', ...args.map(path)]);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.map(({ input, ledger, error }) => [
    input.replace(`${folder}/`, ''),
    error?.code ?? ledger.message?.untrustedSubject ?? ledger.kind,
  ]);
}

test('a Maildir: new, cur and its folders, whatever the files hold; not tmp, not the notes of servers', async () => {
  await write({
    'box/new/1700000001.M1P1.host': mail('new'),
    'box/cur/1700000000.M1P1.host:2,S': mail('read'),
    'box/cur/1700000002.M1P1.host:2,': 'this is no header\n',
    'box/tmp/1700000003.M1P1.host': mail('not arrived'),
    'box/.Sent/cur/1700000004.M1P1.host:2,S': mail('sent'),
    'box/dovecot-uidlist': '3 V1700000000 N5 G1\n1 :1700000001.M1P1.host\n',
    'box/.Sent/new/.hidden': mail('hidden'),
  });
  expect(await found('box')).toEqual([
    ['box/.Sent/cur/1700000004.M1P1.host:2,S', 'sent'],
    ['box/cur/1700000000.M1P1.host:2,S', 'read'],
    ['box/cur/1700000002.M1P1.host:2,', 'file'],
    ['box/new/1700000001.M1P1.host', 'new'],
  ]);
  expect(await found('box/new')).toEqual([['box/new/1700000001.M1P1.host', 'new']]);
});

test('a folder: mail by name, and by content where the name has no known extension', async () => {
  await write({
    'mixed/a.eml': 'no header',
    'mixed/17': mail('as MH stores it'),
    'mixed/1700000000.M1P1.host': mail('as a Maildir stores it'),
    'mixed/outlook.msg': msgOf({ subject: 'of Outlook', body: 'text' }),
    'mixed/mbox': `From a@b.example Fri Nov 20 12:00:00 2026\n${mail('in an mbox')}`,
    'mixed/README': 'Not a mail.\n',
    'mixed/letter.txt': mail('named as text'),
    'mixed/photo.png': mail('named as a picture'),
  });
  expect(await found('mixed')).toEqual([
    ['mixed/17', 'as MH stores it'],
    ['mixed/1700000000.M1P1.host', 'as a Maildir stores it'],
    ['mixed/a.eml', 'file'],
    ['mixed/mbox#1', 'in an mbox'],
    ['mixed/outlook.msg', 'file'],
  ]);
});

test('a folder without mail says which files are mail', async () => {
  await write({ 'papers/a.txt': 'text', 'papers/README': 'text' });
  const { code, stdout } = await airlock(['scan', '--out', path('out'), path('papers')]);
  expect([code, stdout]).toEqual([2, expect.stringContaining('holds no mail')]);
  expect(stdout).toContain('.msg');
});

/** What a verb did with what came on stdin, and the copies that it left. */
async function piped(verb: 'scan' | 'parse', args: readonly string[], stdin: Iterable<string | Uint8Array>) {
  const before = await readdir(tmpdir());
  const out = verb === 'scan' ? ['--out', path('out')] : [];
  const { code, stdout } = await airlock([verb, '--json', ...out, ...args], { stdin });
  const left = (await readdir(tmpdir())).filter(
    (name) => /^airlock-[A-Za-z0-9]{6}$/.test(name) && !before.includes(name),
  );
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, left, inputs: lines.map(({ input, ledger }) => [input, ledger.message?.untrustedSubject ?? null]) };
}

test.each(['-', '/dev/stdin'])('a mail on stdin, named %s', async (name) => {
  const bytes = Buffer.from(mail('piped'));
  const pieces = [bytes.subarray(0, 9), bytes.subarray(9)];
  expect(await piped('parse', [name], pieces)).toEqual({ code: 0, left: [], inputs: [['-', 'piped']] });
});

test('an mbox on stdin is its messages, and stdin is read once', async () => {
  const mbox = ['one', 'two'].map((name) => `From a@b.example Fri Nov 20 12:00:00 2026\n${mail(name)}\n`);
  expect(await piped('scan', ['-', '/dev/stdin', '-'], mbox)).toEqual({
    code: 0,
    left: [],
    inputs: [
      ['-#1', 'one'],
      ['-#2', 'two'],
    ],
  });
});

test('nothing on stdin is held, and not passed as clean', async () => {
  expect(await piped('scan', ['-'], [])).toEqual({ code: 1, left: [], inputs: [['-', null]] });
});

test('a named pipe is read as the mail that comes through it', async () => {
  execFileSync('mkfifo', [path('pipe')]);
  const [result] = await Promise.all([
    piped('parse', [path('pipe')], []),
    writeFile(path('pipe'), mail('through a pipe')),
  ]);
  expect(result).toEqual({ code: 0, left: [], inputs: [[path('pipe'), 'through a pipe']] });
});
