/** UTF-32: told from other bytes, read whole, and delivered as UTF-8, with its links searched. */
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../lib/formats/charsets/decode-text.ts';
import { isKnownCharset } from '../../lib/formats/charsets/page-readings.ts';
import { decodeUtf32, utf32Order } from '../../lib/formats/charsets/utf32.ts';
import { detectType } from '../../lib/formats/detection/detect.ts';
import { identifyFile } from '../../lib/formats/detection/file-type.ts';
import { disarmed, refusalCode } from '../engines/disarm/run-disarm.ts';
import { urlsOf } from '../message/search-rig.ts';

const ORDERS = ['le', 'be'] as const;
function utf32(text: string, order: 'le' | 'be'): Buffer {
  const letters = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const out = Buffer.alloc(letters.length * 4);
  letters.forEach(
    (letter, at) => void (order === 'le' ? out.writeUInt32LE(letter, at * 4) : out.writeUInt32BE(letter, at * 4)),
  );
  return out;
}
const WAYS = ORDERS.flatMap((order) => ['', '\ufeff'].map((mark) => [order, mark] as const));

describe.each(WAYS)('in the order %s, behind %j', (order, mark) => {
  const file = (text: string) => utf32(`${mark}${text}`, order);

  test('a text comes in UTF-8, with letters beyond the first plane', async () => {
    const { text, extension, kinds } = await disarmed(file('Grüße 漢字 😀\nsecond line'), 'note.txt');
    expect({ text, extension, kinds }).toEqual({
      text: 'Grüße 漢字 😀\nsecond line',
      extension: 'txt',
      kinds: ['text encoding'],
    });
  });

  test('a table comes in UTF-8 with the mark that Excel knows, and its formulas are text', async () => {
    const { text } = await disarmed(file('name,value\nGrüße,=1+1\n'), 'table.csv');
    expect(text).toBe("\ufeffname,value\nGrüße,'=1+1\n");
    expect((await disarmed(file('name,value\nGrüße,2\n'), 'table.csv')).text).toBe('\ufeffname,value\nGrüße,2\n');
  });

  test('a page loses its script and comes in UTF-8, also when there is nothing else to take out', async () => {
    const page = (inside: string) =>
      file(`<html><head><title>x</title></head><body><p>Grüße</p>${inside}</body></html>`);
    const { text } = await disarmed(page('<script>alert(1)</script>'), 'page.html');
    expect(text).toContain('<p>Grüße</p>');
    expect(text).not.toContain('script');
    expect(await disarmed(page(''), 'page.html')).toMatchObject({ outcome: 'disarmed', kinds: ['text encoding'] });
  });

  test('an appointment is read', async () => {
    const { text } = await disarmed(
      file('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Grüße\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'),
      'a.ics',
    );
    expect(text).toContain('SUMMARY:Grüße');
  });

  test('policy and engines call it text, a body stays unknown, and its links are found', async () => {
    const bytes = file('see https://evil.example/x for more');
    expect((await detectType(bytes, 'note.txt')).type).toBe('text/plain');
    const hints = { untrustedNames: ['note.txt'], declaredType: 'text/plain' };
    expect(identifyFile(bytes, { ...hints, role: 'attachment' }).typeGroup).toBe('text');
    expect(identifyFile(bytes, { ...hints, untrustedNames: [], role: 'body' }).typeGroup).toBe('other');
    expect(await urlsOf(bytes, { declaredType: 'text/plain', detectedType: 'text/plain' })).toEqual([
      'https://evil.example/x',
    ]);
    expect(await urlsOf(file('<a href="https://evil.example/y">x</a>'), { detectedType: 'text/html' })).toEqual([
      'https://evil.example/y',
    ]);
  });
});

test('a link is found whose letters are others for programs that leave out NULs', async () => {
  // Two letters of ASCII in each ideograph.
  const hidden = 'https://evil.example/zz ';
  const bytes = Buffer.alloc(hidden.length * 2);
  for (let at = 0; at < hidden.length; at += 2) bytes.write(hidden.slice(at, at + 2), at * 2, 'latin1');
  expect(utf32Order(bytes)).toBe('le');
  expect(await urlsOf(bytes, { detectedType: 'text/plain' })).toContain('https://evil.example/zz');
});

test.each([
  ['fewer than two letters', utf32('a', 'le')],
  ['bytes beside the units', Buffer.concat([utf32('abcd', 'le'), Buffer.of(0)])],
  ['a control character', utf32('ab\x07cd', 'le')],
  ['a NUL', utf32('ab\0cd', 'le')],
  ['half a letter', Buffer.concat([utf32('ab', 'le'), Buffer.of(0, 0xd8, 0, 0)])],
  ['a number above the last letter', Buffer.concat([utf32('ab', 'le'), Buffer.of(0, 0, 0x11, 0)])],
  ['no letter', Buffer.concat([utf32('ab', 'be'), Buffer.of(0, 0, 0xff, 0xfe)])],
  ['UTF-16', Buffer.from('\ufeffabcd', 'utf16le')],
  ['ASCII', Buffer.from('abcdefgh')],
])('is not told from %s', (_, bytes) => {
  expect(utf32Order(bytes)).toBeNull();
});

test('numbers of a program are no text', async () => {
  const numbers = Buffer.from(Int32Array.from({ length: 64 }, (_, at) => at * 3 - 20).buffer);
  expect(await refusalCode(numbers, 'table.txt')).not.toBeNull();
});

test('reads what it can of the beginning of a text', () => {
  expect(decodeUtf32(utf32('\ufeffabc', 'be').subarray(0, 14), 'be')).toBe('ab');
  expect(decodeUtf32(Buffer.of(0, 0xd8, 0, 0, 0x61, 0, 0, 0), 'le')).toBe('\ufffda');
  expect(decodeText(utf32('grüße', 'le'), 'utf-8')).toBe('grüße');
});

test('as a label it stays one that programs do not read alike', () => {
  for (const label of ['utf-32', 'utf-32le', 'utf-32be']) expect(isKnownCharset(label)).toBe(false);
});
