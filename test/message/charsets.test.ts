import { describe, expect, test } from 'vitest';
import { decodeText } from '../../lib/formats/charsets/decode-text.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { base64, lines, mail, multipart, TEXT } from './mail-builder.ts';

const codes = async (email: Uint8Array) => (await readMessage(email, DEFAULT_LIMITS)).warnings.map(({ code }) => code);
const encoded = (type: string, content: string | Buffer) =>
  mail(`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', '', base64(content), '');
const attached = (type: string, content: string | Buffer) =>
  mail(
    multipart('mixed', 'b', [
      TEXT,
      lines(`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', '', base64(content)),
    ]),
  );

const ODD = [
  'hz-gb-2312',
  'utf-32',
  'utf-32le',
  'ucs-4',
  'iso-2022-kr',
  'iso-2022-cn',
  'iso-2022-jp-2',
  'x-user-defined',
  'replacement',
  'ibm037',
  'cp500',
  'cp1047',
  'scsu',
  'bocu-1',
  'utf-5',
  'nonsense',
];

describe('UTF-7', () => {
  test.each(['utf-7', 'UTF-7', 'unicode-1-1-utf-7'])(
    'labelled %s is a text when it hides no letter of ASCII',
    async (charset) => {
      const text = (content: string) => codes(encoded(`text/plain; charset=${charset}`, content));
      expect(await text('Gr+APwA3w-e, 1 + 1 = 2')).toEqual([]);
      expect(await text('+ADw-b+AD4-')).toEqual(['odd_encoding']);
      expect(await text('see +AGgAdAB0AHA-://a.example')).toEqual(['odd_encoding']);
      expect(await text('\x1b$B')).toContain('odd_encoding');
      expect(await text('\xff')).toEqual(['odd_encoding']);
      expect(await codes(encoded(`text/html; charset=${charset}`, 'hello'))).toEqual(['odd_encoding']);
      expect(await codes(attached(`text/plain; charset=${charset}; name=a.txt`, 'hello'))).toEqual(['odd_encoding']);
    },
  );
});

describe('a charset that programs read in different ways holds the message:', () => {
  test.each(ODD)('%s', async (charset) => {
    for (const type of ['text/plain', 'text/html']) {
      expect(await codes(encoded(`${type}; charset=${charset}`, 'hello'))).toEqual(['odd_encoding']);
      expect(await codes(encoded(`${type}; charset="${charset}"`, 'hello'))).toEqual(['odd_encoding']);
      expect(await codes(attached(`${type}; charset=${charset}; name=a.txt`, 'hello'))).toEqual(['odd_encoding']);
    }
  });

  test.each([
    ['in the form of RFC 2231', "charset*=us-ascii'en'utf-7"],
    ['in pieces', 'charset*0=utf; charset*1=-7'],
    ['in quotes that some programs drop', 'charset="\'utf-7\'"'],
    ['as an encoded word', 'charset="=?us-ascii?q?utf-7?="'],
    ['with junk behind it', 'charset="utf-7;"'],
  ])('%s', async (_, parameter) => {
    expect(await codes(encoded(`text/html; ${parameter}`, 'hello'))).toContain('odd_encoding');
  });

  test('given twice in two forms', async () => {
    expect(await codes(encoded("text/html; charset=utf-8; charset*=us-ascii''utf-7", 'x'))).toContain('odd_header');
  });
});

describe('ordinary charsets give no warning:', () => {
  test.each([
    'utf-8',
    'UTF8',
    'us-ascii',
    'ASCII',
    'ISO-8859-1',
    'iso-8859-15',
    'windows-1252',
    'cp1252',
    'windows-1251',
    'koi8-r',
    'gb2312',
    'GBK',
    'gb18030',
    'big5',
    'big5-hkscs',
    'euc-kr',
    'ks_c_5601-1987',
    'cp949',
    'euc-jp',
    'shift_jis',
    'cp932',
    'iso-2022-jp',
    'windows-31j',
    'tis-620',
    'windows-1256',
    'macintosh',
    'ansi_x3.4-1968',
    'unknown-8bit',
    'x-unknown',
  ])('%s', async (charset) => {
    expect(await codes(encoded(`text/plain; charset="${charset}"`, 'hello'))).toEqual([]);
    expect(await codes(encoded(`text/html; charset=${charset}`, '<p>h\xe9llo'))).toEqual([]);
  });

  test('a single-quoted utf-8, which old scripts write', async () => {
    expect(await codes(encoded("text/plain; charset='utf-8'", 'hello'))).toEqual([]);
  });

  test('UTF-7 sequences in a text of another charset, where they are letters', async () => {
    expect(await codes(encoded('text/html; charset=utf-8', '<p>+ADw-b+AD4-</p>'))).toEqual([]);
  });

  test('the charset of a file that is no text', async () => {
    expect(await codes(attached('application/pdf; charset=binary; name=a.pdf', '%PDF-1.4'))).toEqual([]);
    expect(await codes(encoded('text/plain; charset=binary', 'x'))).toEqual(['odd_encoding']);
  });

  test('colours of a terminal', async () => {
    expect(await codes(encoded('text/plain; charset=utf-8', '\x1b[31mred\x1b(B\x1b[m'))).toEqual([]);
  });
});

describe('UTF-16', () => {
  const utf16 = (text: string, isBig = false) => {
    const bytes = Buffer.from(text, 'utf16le');
    return isBig ? bytes.swap16() : bytes;
  };
  test.each([
    ['without a mark, of a label without an order', 'utf-16', utf16('hi'), ['odd_encoding']],
    ['of a mark that the label contradicts', 'utf-16le', utf16('\ufeffhi', true), ['odd_encoding']],
    ['of a mark on a text that is labelled ASCII', 'us-ascii', utf16('\ufeffhi'), ['odd_encoding']],
    ['of a mark on a text that is labelled UTF-8', 'utf-8', utf16('\ufeffhi', true), ['odd_encoding']],
    ['with its mark', 'utf-16', utf16('\ufeffhi'), []],
    ['with the other mark', 'utf-16', utf16('\ufeffhi', true), []],
    ['of a label with an order', 'utf-16be', utf16('hi', true), []],
  ])('%s', async (_, charset, bytes, expected) => {
    expect(await codes(encoded(`text/plain; charset=${charset}`, bytes))).toEqual(expected);
  });

  test('is allowed for a file under any label, because programs save texts so', async () => {
    expect(await codes(attached('text/plain; charset=us-ascii; name=a.txt', utf16('\ufeffhi')))).toEqual([]);
  });
});

describe('a text that says two things about its charset holds the message:', () => {
  const kanji = '\x1b$B$"\x1b(B';
  const META = '<meta http-equiv="Content-Type" content="text/html; charset=';
  const utf8 = `${META}utf-8"><p>${kanji}`;
  const japanese = `${META}iso-2022-jp"><p>${kanji}`;
  test.each([
    ['a body labelled ISO-2022-JP and declared UTF-8', encoded('text/html; charset=iso-2022-jp', utf8)],
    ['a body labelled UTF-8 and declared ISO-2022-JP', encoded('text/html; charset=utf-8', japanese)],
    ['a page labelled UTF-8 and declared ISO-2022-JP', attached('text/html; charset=utf-8; name=a.html', japanese)],
    [
      'a page labelled ISO-2022-JP that declares nothing',
      attached('text/html; charset=iso-2022-jp; name=a.html', kanji),
    ],
    [
      'a page in ASCII labelled UTF-16',
      attached('text/html; charset=utf-16le; name=a.html', '<a href="http://evil.example/">x'),
    ],
    ['a text in ASCII labelled UTF-16', attached('text/plain; charset=utf-16be; name=a.txt', 'http://evil.example/x')],
    ['a page that is named and not declared', attached('application/octet-stream; name=a.html', kanji)],
    ['a body with NUL', encoded('text/plain; charset=utf-8', 'htt\0p://evil.example/')],
    ['a page with NUL', attached('text/html; name=a.html', '<a href="htt\0p://evil.example/">x')],
  ])('%s', async (_, email) => expect(await codes(email)).toEqual(['odd_encoding']));

  test.each([
    ['a body labelled ISO-2022-JP', encoded('text/html; charset=iso-2022-jp', `<p>${kanji}`)],
    ['a body that declares the same', encoded('text/html; charset=ISO-2022-JP', japanese)],
    ['a text labelled ISO-2022-JP', encoded('text/plain; charset=iso-2022-jp', kanji)],
    ['a page that declares the same', attached('text/html; charset=iso-2022-jp; name=a.html', japanese)],
    ['a file in ISO-2022-JP', attached('text/plain; charset=iso-2022-jp; name=a.txt', kanji)],
    ['a file with bytes that are no text', attached('application/octet-stream; name=a.bin', 'a\0b')],
  ])('but not %s', async (_, email) => expect(await codes(email)).toEqual([]));
});

test('escape sequences without a label hold the message: some programs find letters where others find a broken address', async () => {
  const broken = 'see htt\x1b(Bp://evil.example/';
  expect(await codes(encoded('text/plain', broken))).toEqual(['odd_encoding']);
  expect(await codes(encoded('text/html; charset=us-ascii', broken))).toEqual(['odd_encoding']);
  expect(decodeText(Buffer.from(broken), 'iso-2022-jp')).toBe('see http://evil.example/');
});
