/** Ordinary texts arrive, whatever their names. */
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { type Airlock, openAirlock } from '../hostile/attack/airlock-run.ts';
import { filePart, lines, mailOf, multipart, textPart } from './ordinary-mail.ts';
import { KEPT_NAMES, RENAMED_NAMES } from './text-names.ts';

const HEAD = { from: 'Ann <ann@sender.example>', subject: 'The files' };
const CONTENT = lines('# a comment', 'name = value', 'other: [1, 2]', '');
/** Files of the same bytes are judged together, so each has a comment of its own. */
const contentOf = (name: string) => lines(`# ${name.replaceAll('.', ' ')}`, 'name = value', '');
/** So many files in one mail that the budget of the mail is not reached. */
const FILES = 40;

/** Names, types and texts of the files that arrive. */
async function arrived(airlock: Airlock, files: readonly (readonly [name: string, type: string, content: string])[]) {
  const parts = [textPart(lines('Hello Bob,', 'here they are.', 'Ann')), ...files.map((file) => filePart(...file))];
  const { message } = await airlock.scan(mailOf(HEAD, multipart('mixed', 'a1', parts)), 'files.eml');
  if (message === null) throw new Error('the mail was held');
  const { attachments } = await PostalMime.parse(message, { attachmentEncoding: 'arraybuffer' });
  return attachments.map(({ filename, mimeType, content }) => ({
    name: filename,
    type: mimeType,
    text: Buffer.from(content as ArrayBuffer).toString(),
  }));
}

test('texts of every name that people mail arrive with every byte, under their names or as texts', async () => {
  const airlock = await openAirlock();
  const names = [...KEPT_NAMES, ...RENAMED_NAMES];
  const expected = [...KEPT_NAMES, ...RENAMED_NAMES.map((name) => `${name}.txt`)];
  const found: (string | null)[] = [];
  for (let at = 0; at < names.length; at += FILES) {
    const files = names
      .slice(at, at + FILES)
      .map((name) => [name, 'application/octet-stream', contentOf(name)] as const);
    const texts = new Set(files.map(([, , content]) => content));
    for (const { name, text } of await arrived(airlock, files))
      found.push(texts.has(text) ? name : `${name} has another text`);
  }
  await airlock.close();
  expect(found).toEqual(expected);
  expect(names.length).toBeGreaterThan(300);
});

test('a text with names of texts comes out as text/plain, whatever its declared type', async () => {
  const airlock = await openAirlock();
  const files = await arrived(airlock, [
    ['a.txt', 'text/html', CONTENT],
    ['flake.nix', 'text/plain', CONTENT],
  ]);
  await airlock.close();
  expect(files).toEqual([
    { name: 'a.txt', type: 'text/plain', text: CONTENT },
    { name: 'flake.nix.txt', type: 'text/plain', text: CONTENT },
  ]);
});

test('logs arrive with the pages and attacks that they quote behind their beginning', async () => {
  const line = '2026-11-20T12:00:00Z host nginx: GET /index.html 200 0.004 "-" "curl/8"';
  const log = lines(...Array.from({ length: 8 }, () => line), `${line} q=<script>alert(1)</script><b>x</b>`, '');
  const airlock = await openAirlock();
  const files = await arrived(airlock, [['access.log', 'application/octet-stream', log]]);
  await airlock.close();
  expect(files).toMatchObject([{ name: 'access.log', text: log }]);
});
