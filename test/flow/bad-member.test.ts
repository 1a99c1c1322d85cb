/** Archives and messages in which one file must go, through the command line and the real engines. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { everyLayer, zipMembers } from '../engines/disarm/contents.ts';
import { packed } from '../formats/archives/archives.ts';
import { airlock } from '../local/console.ts';
import { msgOf, tnefOf } from '../message/containers/outlook.ts';
import { emailWith } from '../pipeline/rig.ts';

const PROGRAM = `MZ\x90\0 the program ${'x'.repeat(200)}`;
const FILES = { 'letter.txt': 'Dear Ana, all is well.\r\n', 'Übersicht/table.csv': 'a,b\r\n1,2\r\n' };
const WITH_PROGRAM = { ...FILES, 'Übersicht/setup.exe': Buffer.from(PROGRAM, 'latin1') };
const KEPT = ['letter.txt', 'Übersicht/table.csv', 'Übersicht/setup.exe (removed).txt'];
const MAIL = emailWith({ text: 'Dear Ana', files: [{ name: 'setup.exe', bytes: PROGRAM }] });

const TITLE = 0x8010;
const DATA = 0x800f;
const TNEF = tnefOf(
  [1, 0x800c, 'Dear Ana\0'],
  [2, 0x9002, Buffer.alloc(14)],
  [2, TITLE, 'letter.txt\0'],
  [2, DATA, 'Dear Ana, all is well.'],
  [2, 0x9002, Buffer.alloc(14)],
  [2, TITLE, 'setup.exe\0'],
  [2, DATA, Buffer.from(PROGRAM, 'latin1')],
);
const MSG = msgOf({ subject: 'Hello', body: 'Dear Ana', files: { 'letter.txt': 'all is well', 'setup.exe': PROGRAM } });

interface Delivered {
  readonly file: Buffer;
  readonly filename: string;
  /** What was decided for the file and its members, by name. */
  readonly decided: Readonly<Record<string, string | null>>;
}

let folder: string;
const delivered = new Map<string, Delivered>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-members-'));
  const zip = await packed('zip', WITH_PROGRAM);
  const tar = await packed('tar', WITH_PROGRAM);
  const files: Record<string, Uint8Array | string> = {
    'files.zip': zip,
    'files.tar': tar,
    'files.7z': await packed('7z', WITH_PROGRAM),
    'src.tar.gz': gzipSync(tar),
    'outer.zip': await packed('zip', { 'in.zip': zip }),
    'fwd.eml': MAIL,
    'fwd.msg': MSG,
    'winmail.dat': TNEF,
  };
  for (const [name, bytes] of Object.entries(files))
    await writeFile(join(folder, `${name}.mail`), emailWith({ text: 'see the files', files: [{ name, bytes }] }));
  const paths = Object.keys(files).map((name) => join(folder, `${name}.mail`));
  const { stdout } = await airlock(['scan', '--json', '--out', join(folder, 'out'), ...paths]);
  for (const line of stdout.trim().split('\n')) await take(JSON.parse(line));
});
afterAll(() => rm(folder, { recursive: true }));

async function take({ ledger, written }: { ledger: Ledger; written: { message: string } | null }) {
  if (written === null) throw new Error(JSON.stringify(ledger.reasons));
  const { attachments } = await simpleParser(await readFile(written.message));
  const decided = ledger.parts.flatMap((part) => {
    const isOfFile = part.role === 'attachment' || part.role === 'member';
    return isOfFile ? [[part.untrustedNames[0] ?? 'text', part.disposition] as const] : [];
  });
  const { content = Buffer.alloc(0), filename = '' } = attachments[0] ?? {};
  delivered.set(decided[0]?.[0] ?? '', { file: content, filename, decided: Object.fromEntries(decided) });
}

function deliveredAs(name: string): Delivered {
  const found = delivered.get(name);
  if (found === undefined) throw new Error(`${name} was not delivered`);
  return found;
}

test.each(['files.zip', 'files.7z', 'files.tar'])('%s is delivered as a zip without the program', (name) => {
  const { file, filename, decided } = deliveredAs(name);
  expect(decided).toEqual({
    [name]: 'disarm',
    'letter.txt': 'disarm',
    'Übersicht/table.csv': 'disarm',
    'Übersicht/setup.exe': 'remove',
  });
  expect(filename).toMatch(/^files.*\.zip$/);
  const members = zipMembers(file);
  expect([...members.keys()].filter((each) => !each.endsWith('/')).sort()).toEqual([...KEPT].sort());
  expect(Buffer.from(members.get('letter.txt') ?? '').toString()).toBe(FILES['letter.txt']);
  expect(Buffer.from(members.get(KEPT[2] ?? '') ?? '').toString()).toMatch(/^The file ".*setup.* was removed/);
});

test('a tar.gz is delivered without the program, and so is an archive in an archive', async () => {
  expect([...zipMembers(deliveredAs('src.tar.gz').file).keys()]).toEqual(expect.arrayContaining(KEPT));
  const { file, decided } = deliveredAs('outer.zip');
  expect(decided).toMatchObject({ 'outer.zip': 'disarm', 'in.zip': 'disarm', 'Übersicht/setup.exe': 'remove' });
  const layers = await everyLayer(file, 'zip');
  expect(layers).toContain('Dear Ana');
  expect(layers).not.toContain('the program');
});

test.each(['fwd.eml', 'fwd.msg', 'winmail.dat'])('%s is delivered as a message without the program', async (name) => {
  const { file, decided } = deliveredAs(name);
  expect(decided).toMatchObject({ [name]: 'disarm', text: 'disarm', 'setup.exe': 'remove' });
  const layers = await everyLayer(file, 'eml');
  expect(layers).toContain('Dear Ana');
  expect(layers).toContain('setup');
  expect(layers).not.toContain('the program');
});
