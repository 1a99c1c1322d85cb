/** Messages that end too early are delivered with what they lack, and with nothing that their readers see in two ways. */
import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { rebuildMessage } from '../../lib/message/rebuilding/rebuild.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { LINK_WORDS } from './link-words.ts';
import { base64, HTML, lines, mail, multipart, TEXT } from './mail-builder.ts';

const LINKS = { isBlocked: () => false, limits: { ...DEFAULT_LIMITS }, words: LINK_WORDS };
const read = (email: Uint8Array) => readMessage(email, DEFAULT_LIMITS);
const leaves = (reading: Awaited<ReturnType<typeof read>>) => reading.parts.flatMap(({ sha256 }) => sha256 ?? []);

/** The warnings of a mail, and of what is made of it; both have the same leaves. */
async function rebuilt(email: Uint8Array): Promise<{ codes: string[]; after: string[]; text: string }> {
  const reading = await read(email);
  const plan = { replacements: new Map(), names: new Map(), links: LINKS, headers: [] };
  const { bytes } = rebuildMessage(email, reading, plan);
  const again = await read(bytes);
  expect(leaves(again)).toEqual(leaves(reading));
  expect(again.repairs).toEqual([]);
  const codes = (warnings: typeof reading.warnings) => [...new Set(warnings.map(({ code }) => code))];
  return { codes: codes(reading.warnings), after: codes(again.warnings), text: Buffer.from(bytes).toString('latin1') };
}

const open = (boundary: string, parts: readonly string[]) =>
  multipart('mixed', boundary, parts).replace(`--${boundary}--\r\n`, '').replace(/\r\n$/, '');
const FILE = lines(
  'Content-Type: x/y; name=a.bin',
  'Content-Transfer-Encoding: base64',
  '',
  base64('0123456789abcdef'),
);
const returned = (message: string) => `Content-Type: message/rfc822\r\n\r\nSubject: x\r\n${message}`;

describe('gets the boundaries that it lacks:', () => {
  test.each([
    ['the message', mail(open('b', [TEXT, HTML]))],
    ['the message, with a line end', mail(`${open('b', [TEXT, HTML])}\r\n`)],
    ['the message, behind half a boundary', mail(`${open('b', [TEXT, HTML])}\r\n--b`)],
    ['two multiparts', mail(open('b', [TEXT, open('c', [TEXT, HTML])]))],
    ['a quoted message', mail(multipart('mixed', 'b', [TEXT, returned(open('c', [TEXT, HTML])), TEXT]))],
    ['a multipart in a quoted message', mail(multipart('mixed', 'b', [returned(open('c', [open('d', [TEXT])]))]))],
    ['a file in its last byte', mail(multipart('mixed', 'b', [returned(open('c', [TEXT, FILE.slice(0, -3)]))]))],
    ['an escape', mail(multipart('mixed', 'b', [returned(open('c', [`${HTML.trimEnd()}=3`]))]))],
    ['an empty part', mail(open('b', [TEXT, 'Content-Type: text/html\r\n\r\n']))],
  ])('%s', async (_, email) => {
    const { codes, after } = await rebuilt(email);
    expect({ codes, after }).toEqual({ codes: ['cut_off'], after: [] });
  });
});

describe('a returned message of which only the header is there stays as it is:', () => {
  const MULTIPART = 'Content-Type: multipart/related; boundary="c"\r\n';
  const report = (message: string) =>
    mail(multipart('report', 'b', [TEXT, `Content-Type: message/rfc822\r\n\r\nSubject: x\r\n${message}`]));
  test.each([
    ['without a blank line', MULTIPART],
    ['with a blank line', `${MULTIPART}\r\n`],
    ['with blank lines', `${MULTIPART}\r\n\r\n`],
    ['with a note', `${MULTIPART}\r\n----- Message truncated -----\r\n`],
    ['signed', 'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary="c"\r\n\r\n'],
  ])('%s', async (_, message) => {
    const { codes, text } = await rebuilt(report(message));
    expect(codes).toEqual([]);
    expect(text).toContain(message);
  });

  test.each([
    ['a link in the place of the parts', `${MULTIPART}\r\nhttps://evil.example/x\r\n`],
    ['a note with more', `${MULTIPART}\r\n----- Message truncated ----- begin 644 a\r\n`],
    ['two notes', `${MULTIPART}\r\n----- Message truncated -----\r\n----- x -----\r\n`],
  ])('but for %s', async (_, message) => {
    const { warnings } = await read(report(message));
    expect(warnings.map(({ code }) => code)).toContain('broken_multipart');
  });
});

test('a first boundary that nothing follows closes nothing, and every byte belongs to one part', async () => {
  const email = Buffer.from('Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n');
  const { account, warnings } = await read(email);
  expect(account.unaccounted).toBe(0);
  expect(warnings.map(({ code }) => code)).not.toContain('unaccounted_bytes');
});

describe('is still held:', () => {
  const codesOf = async (email: Uint8Array) => (await read(email)).warnings.map(({ code }) => code);
  test.each([
    [
      'an inner multipart that ends in no message',
      mail(multipart('mixed', 'b', [open('c', [TEXT]), TEXT])),
      'broken_multipart',
    ],
    ['a multipart without any part', mail('Content-Type: multipart/mixed; boundary=b', '', 'x'), 'broken_multipart'],
    [
      'malformed base64 in a quoted message',
      mail(multipart('mixed', 'b', [returned(open('c', [`${FILE}!!x`]))])),
      'odd_encoding',
    ],
    [
      'base64 that is cut and goes on',
      mail(multipart('mixed', 'b', [returned(multipart('mixed', 'c', [FILE.slice(0, -3), TEXT]))])),
      'odd_encoding',
    ],
    [
      'a page that only a lenient program finds',
      mail(open('b', [`${TEXT}\r\n--x\r\nContent-Type: text/html\r\n\r\n<b>x</b>`])),
      'part_recovered',
    ],
    [
      'a named text that only a lenient program finds',
      mail(open('b', [`${TEXT}\r\n--x\r\nContent-Type: text/plain; name=a.js\r\n\r\nx()`])),
      'part_recovered',
    ],
    [
      'a text in two types',
      mail(open('b', [`${TEXT}\r\n--x\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\n\r\n<b>x`])),
      'part_recovered',
    ],
    [
      'a text in another charset',
      mail(open('b', [`${TEXT}\r\n--x\r\nContent-Type: text/plain; charset=utf-7\r\n\r\n+ADw-`])),
      'part_recovered',
    ],
  ])('%s', async (_, email, code) => expect(await codesOf(email)).toContain(code));

  test('but not a text that only a lenient program finds in a text', async () => {
    const quoted =
      '---------- Forwarded message\r\nFrom: a@example.com\r\nSubject: x\r\nContent-Type: text/plain\r\n\r\nold news';
    const email = mail(open('b', [`${TEXT}\r\n${quoted}`]));
    expect(await codesOf(email)).toEqual(['cut_off', 'text_recovered']);
  });
});
