import { link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { buildDocm } from '../fixtures/build-office.ts';
import { airlock } from './console.ts';

const folders: string[] = [];
let folder: string;
const path = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-disarm-'));
  folders.push(folder);
});
afterAll(async () => {
  for (const each of folders) await rm(each, { recursive: true });
});

describe('disarms', () => {
  test('a document beside the input, says what was removed, and does not change the input', async () => {
    const docm = await buildDocm();
    await writeFile(path('invoice.docm'), docm);
    const { code, stdout } = await airlock(['disarm', path('invoice.docm')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/DISARMED \(Word document,[\s\S]*removed +macro: it runs as a program/);
    expect(await readdir(folder)).toEqual(['invoice.disarmed.docx', 'invoice.docm']);
    expect(Buffer.compare(await readFile(path('invoice.docm')), Buffer.from(docm))).toBe(0);
  });

  test('to where -o says, and prints one JSON line', async () => {
    await writeFile(path('a.csv'), 'a\n=1+1\n');
    const { code, stdout } = await airlock(['disarm', '--json', '-o', path('out.csv'), path('a.csv')]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'disarmed',
      output: path('out.csv'),
      sanitized: ['formula'],
      details: [{ kind: 'formula', action: 'sanitized', where: 'cell 2' }],
    });
    expect(await readFile(path('out.csv'), 'utf8')).toBe("a\n'=1+1\n");
  });

  test('a file with macros, and says so when the requested name does not fit any more', async () => {
    await writeFile(path('a.docm'), await buildDocm());
    const named = await airlock(['disarm', path('a.docm'), '-o', path('out.docm')]);
    expect(named.stdout).toContain('it is now a file of type docx (Word document); rename it');
    const fitting = await airlock(['disarm', path('a.docm'), '-o', path('out.DOCX')]);
    expect(fitting.stdout).not.toContain('rename it');
  });

  test('nothing in a safe file, exits 0, and makes a copy only when one is asked for', async () => {
    await writeFile(path('a.txt'), 'hello');
    const first = await airlock(['disarm', path('a.txt')]);
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('ALREADY SAFE')]);
    expect(await readdir(folder)).toEqual(['a.txt']);
    expect((await airlock(['disarm', path('a.txt'), '-o', path('b.txt')])).code).toBe(0);
    expect(await readFile(path('b.txt'), 'utf8')).toBe('hello');
  });
});

test.each([
  ['a program', 'a.exe', 'MZ\x90\0', /REFUSED[\s\S]*Nothing was written/],
  ['a damaged document', 'a.pdf', '%PDF-1.7\n\0', /REFUSED/],
])('%s is refused: exit 1, nothing written', async (_, name, content, sentence) => {
  await writeFile(path(name), content);
  const { code, stdout } = await airlock(['disarm', '-o', path('out'), path(name)]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(sentence)]);
  expect(await readdir(folder)).toEqual([name]);
});

describe('several files', () => {
  const formula = 'a\n=1+1\n';

  test('and folders go into a folder, each in its place, with a line that counts them', async () => {
    await mkdir(path('in/sub'), { recursive: true });
    await writeFile(path('in/sub/a.csv'), formula);
    await writeFile(path('in/safe.txt'), 'hello');
    await writeFile(path('in/p.exe'), 'MZ\x90\0');
    await writeFile(path('b.docm'), await buildDocm());
    const { code, stdout } = await airlock(['disarm', '--out', path('out'), path('in'), path('b.docm')]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/4 files: 2 disarmed, 1 already safe, 1 refused\n$/);
    const found = (await readdir(path('out'), { recursive: true })).sort();
    expect(found).toEqual(['b.docx', 'safe.txt', 'sub', 'sub/a.csv']);
    expect(await readFile(path('out/sub/a.csv'), 'utf8')).toBe("a\n'=1+1\n");
  });

  test('that become one name are both kept, and one that is there is not overwritten', async () => {
    await writeFile(path('a.docm'), await buildDocm());
    await writeFile(path('a.csv'), formula);
    await mkdir(path('out'));
    await writeFile(path('out/a.docx'), 'mine');
    await writeFile(path('out/a.csv'), 'mine');
    const args = ['disarm', '--json', '--out', path('out'), path('a.docm'), path('a.csv')];
    const { code, stdout } = await airlock(args);
    const [docm, csv] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, docm.output, csv.output]).toEqual([2, path('out/a.docm.docx'), null]);
    expect(csv.problem).toContain('already exists');
    expect(await readFile(path('out/a.csv'), 'utf8')).toBe('mine');
  });

  test.each<[string, readonly string[], string]>([
    ['named twice', ['a.csv', 'a.csv', '--out', 'out'], 'named twice'],
    ['with one output', ['a.csv', 'b.csv', '-o', 'c.csv'], '--out'],
    ['into their own folder', ['.', '--out', 'out'], 'lies in'],
    ['with -o and --out', ['a.csv', '-o', 'c.csv', '--out', 'out'], 'Give -o for one file'],
    ['into a file', ['a.csv', 'b.csv', '--out', 'a.csv'], 'is no folder'],
  ])('%s: exit 2 and a sentence', async (_, args, sentence) => {
    for (const name of ['a.csv', 'b.csv']) await writeFile(path(name), formula);
    const placed = args.map((arg) => (arg.startsWith('-') ? arg : path(arg)));
    const { code, stderr } = await airlock(['disarm', ...placed]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect((await readdir(folder)).filter((name) => name === 'c.csv')).toEqual([]);
  });
});

test('a file on stdin comes out on stdout, and the report on stderr', async () => {
  const { code, stdout, stderr } = await airlock(['disarm', '--name', 'a.csv', '-'], { stdin: ['=1+1\n'] });
  expect([code, stdout]).toEqual([0, "'=1+1\n"]);
  expect(stderr).toContain('rewritten formula');
});

describe('wrong usage exits 2 and writes nothing', () => {
  test('no file, a folder, or a file that is not there', async () => {
    expect((await airlock(['disarm'])).code).toBe(2);
    await writeFile(path('a.txt'), 'x');
    const named = await airlock(['disarm', folder]);
    expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining('name a folder for what is disarmed') });
    const missing = await airlock(['disarm', path('none.docx')]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('does not exist') });
  });

  test('the input as output, also under another name', async () => {
    await writeFile(path('a.csv'), '=1+1\n');
    await link(path('a.csv'), path('same.csv'));
    for (const output of ['a.csv', 'same.csv']) {
      const { code, stderr } = await airlock(['disarm', '-o', path(output), path('a.csv')]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('never overwritten')]);
    }
    expect(await readFile(path('a.csv'), 'utf8')).toBe('=1+1\n');
  });

  test('a file that already exists is not overwritten unless it is named', async () => {
    await writeFile(path('a.csv'), '=1+1\n');
    await writeFile(path('a.disarmed.csv'), 'mine');
    expect((await airlock(['disarm', path('a.csv')])).code).toBe(2);
    expect(await readFile(path('a.disarmed.csv'), 'utf8')).toBe('mine');
    expect((await airlock(['disarm', '-o', path('a.disarmed.csv'), path('a.csv')])).code).toBe(0);
  });
});

test('a name from the sender cannot write to the terminal', async () => {
  await writeFile(path('a\u001b[31m.js'), 'x');
  expect((await airlock(['disarm', path('a\u001b[31m.js')])).stdout).not.toContain('\u001b[31m');
});
