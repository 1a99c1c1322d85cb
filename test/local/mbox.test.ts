import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inputsOf } from '../../lib/local/input/input.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-mbox-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The messages of an mbox as [label, text]. */
async function messagesOf(content: string): Promise<[string, string][]> {
  const path = join(folder, 'a.mbox');
  await writeFile(path, content);
  const found: [string, string][] = [];
  for await (const input of inputsOf([path])) {
    if (input.kind !== 'bytes') throw new Error(input.message);
    const pieces: Uint8Array[] = [];
    for await (const piece of input.open()) pieces.push(Uint8Array.from(piece));
    found.push([input.label.replace(path, ''), Buffer.concat(pieces).toString('latin1')]);
  }
  return found;
}

test('each message is an input of its own, without its From line', async () => {
  const mbox =
    'From a@b.example Fri Nov 20 12:00:00 2026\nSubject: 1\n\none\n\nFrom c@d.example Fri Nov 20 12:00:00 2026\nSubject: 2\n\ntwo\n';
  expect(await messagesOf(mbox)).toEqual([
    ['#1', 'Subject: 1\n\none\n\n'],
    ['#2', 'Subject: 2\n\ntwo\n'],
  ]);
});

test('a sentence that begins with "From" ends no message', async () => {
  const messages = await messagesOf(
    'From a Fri Nov 20 12:00:00 2026\nSubject: 1\n\nFrom here on it is text\n\nFrom me\n',
  );
  expect(messages.map(([label]) => label)).toEqual(['#1']);
});

test('a quoted From in the middle of a long line stays as it is', async () => {
  const long = `${'z'.repeat(256 * 1024 - 60)}${'>From '.repeat(30)}`;
  const [first] = await messagesOf(`From a Fri Nov 20 12:00:00 2026\nSubject: 1\n\n${long}`);
  expect(first?.[1]).toBe(`Subject: 1\n\n${long}`);
});

test('quoted From lines are unquoted, once', async () => {
  const [first] = await messagesOf('From a Fri Nov 20 12:00:00 2026\nSubject: 1\n\n>From here\n>>From there\n');
  expect(first?.[1]).toBe('Subject: 1\n\nFrom here\n>From there\n');
});

test('separators are found wherever the pieces of a large file are cut', async () => {
  const piece = 256 * 1024;
  for (const shift of [0, 1, 2, 3, 4, 5, 6]) {
    const head = 'From a Fri Nov 20 12:00:00 2026\nSubject: 1\n\n';
    const filler = `${'x'.repeat(piece - head.length - shift - 1)}\n`;
    const messages = await messagesOf(`${head}${filler}From b Fri Nov 20 12:00:00 2026\nSubject: 2\n\ntwo\n`);
    expect(messages.map(([label, text]) => [label, text.length])).toEqual([
      ['#1', head.length - 'From a Fri Nov 20 12:00:00 2026\n'.length + filler.length],
      ['#2', 'Subject: 2\n\ntwo\n'.length],
    ]);
  }
});

test('a single line of megabytes does not lose or double a byte', async () => {
  const long = 'y'.repeat(700_000);
  const [first] = await messagesOf(`From a Fri Nov 20 12:00:00 2026\nSubject: 1\n\n${long}`);
  expect(first?.[1]).toBe(`Subject: 1\n\n${long}`);
});
