/** Files that are packed by themselves (gzip, bzip2), through the command line and the real engines. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { zipMembers } from '../engines/disarm/contents.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { buildGzip } from '../fixtures/build-gzip.ts';
import { packed } from '../formats/archives/archives.ts';
import { airlock } from '../local/console.ts';
import { dmarcReports } from '../ordinary/dmarc.ts';
import { emailWith } from '../pipeline/rig.ts';

const REPORTS = [...dmarcReports()].filter(({ id }) => /Outlook|Yahoo/.test(id));
const TABLE = 'a,b\r\n1,2\r\n';
const mailOf = (files: Readonly<Record<string, Uint8Array>>) =>
  emailWith({ text: 'see the files', files: Object.entries(files).map(([name, bytes]) => ({ name, bytes })) });

interface Scanned {
  readonly sent: Buffer;
  readonly message: Buffer;
  readonly ledger: Ledger;
}

let folder: string;
const scanned = new Map<string, Scanned>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-packed-'));
  const mails: Record<string, Uint8Array | string> = {
    ...Object.fromEntries(REPORTS.map(({ bytes }, index) => [`report ${index}`, bytes])),
    formula: mailOf({ 'table.csv.gz': gzipSync('a,b\n=1+1,2\n') }),
    'two names': mailOf({ 'table.csv.gz': gzipSync(TABLE), 'code.js.gz': gzipSync(TABLE) }),
    'stored name': mailOf({ 'table.csv.gz': buildGzip(TABLE, { name: 'code.js' }) }),
    program: mailOf({
      'letter.txt.gz': gzipSync(`MZ\x90\0 the program ${'x'.repeat(200)}`),
      'a.txt': Buffer.from('all is well'),
    }),
    rotated: mailOf({
      'access.log.2.gz': buildGzip('one line of the log\n', { name: 'access.log.1' }),
      'a.sql (1).gz': buildGzip('select 1;\n', { name: 'a.sql' }),
      'empty.csv.gz': buildGzip('', { name: 'empty.csv' }),
      'padded.csv.gz': buildGzip('a,b\r\n3,4\r\n', { name: 'padded.csv', behind: '\0'.repeat(500) }),
    }),
    deceptive: mailOf({
      'log.txt.gz': buildGzip('one line of another log\n', { name: 'log.sh' }),
      'log.2.gz': buildGzip('one line of a third log\n', { name: 'log.exe' }),
      'behind.csv.gz': buildGzip('a,b\r\n5,6\r\n', { name: 'behind.csv', behind: `${'\0'.repeat(500)}x\0\0\0\0\0` }),
    }),
    project: mailOf({
      'project.zip': zipOf({ 'a/__init__.py': '', 'a/py.typed': '', 'a/.gitkeep': '', 'a.csv': TABLE, 'a.txt': TABLE }),
      'empty.py': new Uint8Array(),
    }),
    bzip2: mailOf({ 'table.csv.bz2': await packed('bzip2', { 'table.csv': TABLE }) }),
  };
  for (const [name, bytes] of Object.entries(mails)) await writeFile(join(folder, `${name}.eml`), bytes);
  const paths = Object.keys(mails).map((name) => join(folder, `${name}.eml`));
  const { stdout } = await airlock(['scan', '--json', '--out', join(folder, 'out'), ...paths]);
  for (const line of stdout.trim().split('\n')) {
    const { input, ledger, written } = JSON.parse(line);
    const name = input.slice(folder.length + 1, -'.eml'.length);
    if (written?.message)
      scanned.set(name, { sent: await readFile(input), message: await readFile(written.message), ledger });
  }
});
afterAll(() => rm(folder, { recursive: true }));

function scan(name: string): Scanned {
  const found = scanned.get(name);
  if (found === undefined) throw new Error(`${name} was not delivered`);
  return found;
}

const attached = async (name: string) => (await simpleParser(scan(name).message)).attachments;
const bodyOf = (mail: Buffer) => mail.subarray(mail.indexOf('\r\n\r\n'));

test.each(REPORTS.map(({ id }, index) => [id, index] as const))(
  '%s: the body is delivered byte for byte',
  (_, index) => {
    const { sent, message, ledger } = scan(`report ${index}`);
    expect(ledger.parts.map(({ disposition }) => disposition)).not.toContain('disarm');
    expect(bodyOf(message).equals(bodyOf(sent))).toBe(true);
  },
);

test('a table with a formula is disarmed and packed again under its name', async () => {
  const [file] = await attached('formula');
  expect([file?.filename, file?.contentType]).toEqual(['table.csv.gz', 'application/gzip']);
  expect(gunzipSync(file?.content ?? '').toString()).toBe("a,b\n'=1+1,2\n");
});

test('the same bytes under two names come in a zip each, as no program knows a table called code', async () => {
  for (const { filename, content } of await attached('two names')) {
    expect(filename).toMatch(/\.zip$/);
    expect([...zipMembers(content).keys()].every((name) => /\.(?:txt|csv)$/.test(name))).toBe(true);
  }
});

test('a stored name of another kind is not delivered', async () => {
  for (const { content } of await attached('stored name')) expect(content.toString('latin1')).not.toContain('code.js');
});

/** The members of a zip, all of which have the name of a text. */
const textsIn = (zip: Buffer | undefined) =>
  [...zipMembers(zip ?? Buffer.alloc(0))].map(([name, bytes]) => (name.endsWith('.txt') ? bytes.toString() : name));

test('a rotated log, a second download, an empty table and one with zeros behind its end are delivered', async () => {
  const files = await attached('rotated');
  expect(files.map(({ filename }) => filename)).toEqual([
    'access.log.2.zip',
    'a.sql (1).zip',
    'empty.csv.gz',
    'padded.csv.gz',
  ]);
  const [log, download, empty, padded] = files.map(({ content }) => content);
  expect(textsIn(log)).toEqual(['one line of the log\n']);
  expect(textsIn(download)).toEqual(['select 1;\n']);
  expect(gunzipSync(empty ?? '').toString()).toBe('');
  expect(gunzipSync(padded ?? '').toString()).toBe('a,b\r\n3,4\r\n');
  expect(padded?.subarray(-5).every((byte) => byte === 0)).toBe(false);
});

test('one that stores the name of a program, and one with more than zeros behind its end, are withheld', async () => {
  const files = await attached('deceptive');
  expect(files.map(({ filename }) => filename?.endsWith('(withheld).html'))).toEqual([true, true, true]);
});

test('empty files, and the same bytes as a text and as a table, cost an archive nothing else', async () => {
  const [archive, code] = await attached('project');
  const members = zipMembers(archive?.content ?? Buffer.alloc(0));
  expect([...members.keys()].sort()).toEqual([
    'a.csv',
    'a.txt',
    'a/.gitkeep.txt',
    'a/__init__.py (removed).txt',
    'a/py.typed.txt',
  ]);
  expect([code?.filename, code?.content.length]).toEqual(['empty.py.txt', 0]);
});

test('a program in a gzip goes, and the file beside it stays', async () => {
  const [packedFile, text] = await attached('program');
  const members = [...zipMembers(packedFile?.content ?? Buffer.alloc(0))];
  expect(members.map(([name]) => name)).toEqual([expect.stringMatching(/\(removed\)\.txt$/)]);
  expect(text?.content.toString()).toBe('all is well');
});

test('a table in a bzip2 is still a table in its zip', async () => {
  const [file] = await attached('bzip2');
  const [[name = '', content] = []] = [...zipMembers(file?.content ?? Buffer.alloc(0))];
  expect([file?.filename, name.replace(/^.*\./, ''), Buffer.from(content ?? '').toString()]).toEqual([
    'table.csv.zip',
    'csv',
    TABLE,
  ]);
});
