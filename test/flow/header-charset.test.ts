/** Pages whose charset stands only in the header of their part, through the command line and the real engines. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeText } from '../../lib/formats/charsets/decode-text.ts';
import { decodePart } from '../../lib/message/encodings/decode-part.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { airlock } from '../local/console.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-charset-'));
});
afterAll(() => rm(folder, { recursive: true }));

const ACTIVE = '<script>x()</script>';

function emailOf(charset: string, page: Uint8Array): string {
  const headers = [
    'From: a@sender.example',
    'To: b@rcpt.example',
    'Subject: page',
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'Message-ID: <1@sender.example>',
    'MIME-Version: 1.0',
    `Content-Type: text/html; charset=${charset}`,
    'Content-Transfer-Encoding: base64',
  ];
  const body = Buffer.from(page).toString('base64').replace(/.{76}/g, '$&\r\n');
  return `${headers.join('\r\n')}\r\n\r\n${body}\r\n`;
}

async function deliver(charset: string, page: Uint8Array) {
  const path = join(folder, 'mail.eml');
  await writeFile(path, emailOf(charset, page));
  const { stdout } = await airlock(['scan', '--json', '--out', join(folder, 'out'), path]);
  const { ledger, written } = JSON.parse(stdout) as { ledger: Ledger; written: { message: string } };
  const message = await readFile(written.message);
  const { parts } = await readMessage(message, DEFAULT_LIMITS);
  const body = parts.find(({ role }) => role === 'body');
  if (body === undefined) throw new Error('the clean message has no body');
  const bytes = decodePart(message, body);
  return { disposition: ledger.parts[0]?.disposition, bytes, text: decodeText(bytes, body.charset) };
}

/** Bytes of the word in the charset, made by hand: Node only encodes UTF-8. */
const WORDS = [
  ['gbk', [0xc4, 0xe3, 0xba, 0xc3], '你好'],
  ['koi8-r', [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4], 'Привет'],
  ['iso-8859-2', [0xb6, 0xbf, 0xe6], 'śżć'],
  ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
] as const;

const pageOf = (word: readonly number[], active: string, head = '') =>
  Buffer.concat([Buffer.from(`<html>${head}<p>`), Buffer.from(word), Buffer.from(`</p>${active}</html>`)]);

test.each(WORDS)('a %s page keeps its text when it is disarmed', async (charset, word, text) => {
  const delivered = await deliver(charset, pageOf(word, ACTIVE));
  expect(delivered.disposition).toBe('disarm');
  expect(delivered.text).toContain(`<p>${text}</p>`);
  expect(delivered.text).not.toContain('script');
});

test.each(WORDS)('a %s page without active content stays byte for byte', async (charset, word) => {
  const page = pageOf(word, '');
  const delivered = await deliver(charset, page);
  expect(delivered.disposition).toBe('keep');
  expect(Buffer.from(delivered.bytes)).toEqual(page);
});

test('the header outranks what the page says of its own charset, as in every mail program', async () => {
  const delivered = await deliver('koi8-r', pageOf([0xf0, 0xd2], ACTIVE, '<meta charset="gbk">'));
  expect(delivered.text).toContain('<p>Пр</p>');
});

test('one body of the same bytes in two charsets is removed: one disarmed file cannot stand for both', async () => {
  const page = pageOf([0xc4, 0xe3, 0xba, 0xc3], ACTIVE).toString('base64');
  const part = (charset: string) =>
    `--b\r\nContent-Type: text/html; charset=${charset}\r\nContent-Transfer-Encoding: base64\r\n\r\n${page}\r\n`;
  const head = 'From: a@sender.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n';
  const path = join(folder, 'two.eml');
  await writeFile(path, `${head}${part('gbk')}${part('koi8-r')}--b--\r\n`);
  const { stdout } = await airlock(['scan', '--json', '--out', join(folder, 'out'), path]);
  const { ledger } = JSON.parse(stdout) as { ledger: Ledger };
  expect(ledger.parts.filter(({ role }) => role === 'body').map(({ disposition }) => disposition)).toEqual([
    'remove',
    'remove',
  ]);
});
