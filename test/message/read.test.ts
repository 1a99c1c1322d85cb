import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodePart } from '../../lib/message/encodings/decode-part.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { base64, lines, mail, multipart, PDF, PICTURE, TEXT } from './mail-builder.ts';

const read = (email: Uint8Array | string) => readMessage(Buffer.from(email as Buffer), DEFAULT_LIMITS);
const codes = async (email: Uint8Array | string) => (await read(email)).warnings.map((warning) => warning.code);
const attachment = (...header: readonly string[]) => mail(multipart('mixed', 'b', [TEXT, lines(...header, '', 'x')]));

describe('the tree', () => {
  test('numbers parts like the sections of a book, the message inside a message included', async () => {
    const inner = `Content-Type: message/rfc822\r\n\r\nSubject: in\r\n${multipart('mixed', 'i', [TEXT, PDF])}`;
    const { parts } = await read(mail(multipart('mixed', 'o', [TEXT, inner])));
    expect(parts.map(({ path, parent, depth, role }) => [path, parent, depth, role])).toEqual([
      ['1', null, 0, 'multipart'],
      ['1.1', '1', 1, 'body'],
      ['1.2', '1', 1, 'message'],
      ['1.2.1', '1.2', 2, 'multipart'],
      ['1.2.1.1', '1.2.1', 3, 'body'],
      ['1.2.1.2', '1.2.1', 3, 'attachment'],
    ]);
  });

  test('gives the ranges of header and body, without the line break of the next boundary', async () => {
    const email = mail(multipart('mixed', 'b', ['Content-Type: text/plain\r\n\r\nHello\r\n', PDF]));
    const { parts } = await read(email);
    const text = (range: { start: number; end: number } | undefined) =>
      email.toString('latin1', range?.start, range?.end);
    expect(text(parts[1]?.header)).toBe('Content-Type: text/plain\r\n\r\n');
    expect(text(parts[1]?.body)).toBe('Hello\r\n');
    expect(text(parts[0]?.body)).toMatch(/^--b\r\n.*--b--\r\n$/s);
  });

  test('gives the hash and size of the decoded bytes', async () => {
    const email = mail(multipart('related', 'b', [TEXT, PICTURE]));
    const picture = (await read(email)).parts[2];
    const bytes = picture === undefined ? Buffer.alloc(0) : decodePart(email, picture);
    expect(Buffer.from(bytes).toString()).toBe('\x89PNG not really a picture, only bytes in its place');
    expect(picture?.size).toBe(bytes.length);
    expect(picture?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(picture).toMatchObject({
      isInline: true,
      untrustedContentId: 'image001.png@01DB3A5C.7F2E0A10',
      encoding: 'base64',
    });
  });

  test.each([
    ['a text with a name', 'Content-Type: text/html; name=a.html', 'attachment'],
    ['a text sent as an attachment', 'Content-Type: text/plain\r\nContent-Disposition: attachment', 'attachment'],
    ['an inline text', 'Content-Type: text/plain\r\nContent-Disposition: inline', 'body'],
    ['a text with an unknown disposition', 'Content-Type: text/plain\r\nContent-Disposition: form-data', 'attachment'],
    ['another kind of text', 'Content-Type: text/csv', 'attachment'],
    ['no header', 'X-Nothing: here', 'body'],
  ])('%s is shown in its role', async (_, header, role) => {
    expect((await read(attachment(header))).parts[2]?.role).toBe(role);
  });

  test('decodes the facts that people see', async () => {
    const email = lines(
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3?=',
      ' =?UTF-8?Q?=9Fe?= an alle',
      'From: =?iso-8859-1?B?SvxyZ2Vu?= <j@example.com>',
      'To: b@example.org',
      'Date: Fri, 20 Nov 2026 10:00:00 +0000',
      'Message-ID: <1@x>',
      '',
      '',
    );
    expect((await read(email)).facts).toEqual({
      untrustedSubject: 'Grüße an alle',
      untrustedFrom: 'Jürgen <j@example.com>',
      untrustedTo: 'b@example.org',
      untrustedDate: 'Fri, 20 Nov 2026 10:00:00 +0000',
      untrustedMessageId: '<1@x>',
    });
  });
});

describe('names', () => {
  const names = async (...header: readonly string[]) => (await read(attachment(...header))).parts[2]?.untrustedNames;

  test.each([
    [['Content-Disposition: attachment; filename=my file (1).pdf'], ['my file (1).pdf']],
    [['Content-Disposition: attachment; filename="a\\"b.exe"'], ['a"b.exe']],
    [["Content-Disposition: attachment; filename*=iso-8859-1'de'Gr%FC%DFe.exe"], ['Grüße.exe']],
    [
      ['Content-Disposition: attachment; filename="safe.txt"', 'Content-Type: x/y; name="bad.exe"'],
      ['safe.txt', 'bad.exe'],
    ],
    [['Content-Disposition: attachment; filename="safe.txt"; filename*=utf-8\'\'bad.exe'], ['safe.txt', 'bad.exe']],
    [['Content-Disposition: attachment; filename="=?utf-8?B?YmFkLmV4ZQ==?="'], ['bad.exe']],
    [['Content-Disposition: attachment; filename="same.txt"', 'Content-Type: x/y; name="same.txt"'], ['same.txt']],
    [['Content-Disposition: attachment; filename*1=exe; filename*0=bad.'], ['bad.exe']],
  ])('%j claims %j', async (header, expected) => expect(await names(...header)).toEqual(expected));

  test('cuts a name that no system can open in the middle, so that its extension stays', async () => {
    const [name] = (await names(`Content-Disposition: attachment; filename="${'a'.repeat(50_000)}.exe"`)) ?? [];
    expect(name?.length).toBe(16_385);
    expect(name?.endsWith('a.exe')).toBe(true);
  });
});

describe('warns of', () => {
  const plain = 'Content-Type: text/plain';
  test.each([
    ['a repeated Content-Type', 'duplicate_content_type', attachment(plain, 'Content-Type: text/html')],
    [
      'a repeated Content-Disposition',
      'odd_header',
      attachment('Content-Disposition: inline', 'Content-Disposition: attachment'),
    ],
    ['a line that is no header', 'odd_header', attachment(plain, 'no header')],
    ['a header line of white space', 'odd_header', attachment(plain, '   ')],
    ['a NUL in a header', 'nul_in_header', attachment(`${plain}\0`)],
    ['a bare CR in a header', 'bare_carriage_return', attachment(`${plain}\rX: y`)],
    ['a part header without a blank line', 'missing_blank_line', mail(multipart('mixed', 'b', [TEXT, plain]))],
    ['a repeated From', 'odd_header', 'From: a@example.com\r\nFrom: b@example.com\r\n\r\n'],
    ['a message without a header', 'odd_header', '\r\n\r\nhello'],
    [
      'two boundaries',
      'ambiguous_boundary',
      mail('Content-Type: multipart/mixed; boundary=b; boundary=c', '', '--b', '', '--b--'),
    ],
    ['an unknown encoding', 'odd_encoding', attachment('Content-Transfer-Encoding: x-uuencode')],
    [
      'a repeated encoding',
      'duplicate_encoding',
      attachment('Content-Transfer-Encoding: 7bit', 'Content-Transfer-Encoding: base64'),
    ],
    ['junk in base64', 'odd_encoding', mail('Content-Transfer-Encoding: base64', '', 'QUJD*QUJD')],
    ['base64 after its padding', 'odd_encoding', mail('Content-Transfer-Encoding: base64', '', 'QUI=QUJD')],
    [
      'a broken quoted-printable escape',
      'odd_encoding',
      mail('Content-Transfer-Encoding: quoted-printable', '', 'a=ZZb'),
    ],
    ['an attachment that is bare base64', 'label_lies', mail('Content-Type: x/y; name=a', '', base64('MZ'.repeat(60)))],
    ['a uuencoded file in a text', 'hidden_file', mail('', 'see:', 'begin 644 a.exe', '#0V%T', '`', 'end', '')],
    ['a yEnc file in a text', 'hidden_file', mail('', '=ybegin line=128 size=3 name=a.exe', 'xyz', '=yend size=3', '')],
    [
      'a message in base64',
      'encoded_container',
      attachment('Content-Type: message/rfc822', 'Content-Transfer-Encoding: base64'),
    ],
    [
      'a multipart in base64',
      'encoded_container',
      mail('Content-Transfer-Encoding: base64', multipart('mixed', 'b', [TEXT])),
    ],
    ['a multipart without a boundary', 'broken_multipart', mail('Content-Type: multipart/mixed', '', 'x')],
    [
      'a missing closing boundary at its end',
      'cut_off',
      mail('Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'x'),
    ],
    [
      'a missing closing boundary of an inner multipart',
      'broken_multipart',
      mail(multipart('mixed', 'b', ['Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx', TEXT])),
    ],
    ['a boundary used twice', 'ambiguous_boundary', mail(multipart('mixed', 'b', [multipart('mixed', 'b', [TEXT])]))],
    ['a boundary of 201 characters', 'broken_multipart', mail(multipart('mixed', 'b'.repeat(201), [TEXT]))],
    ['a boundary that begins with a blank', 'broken_multipart', mail(multipart('mixed', ' b', [TEXT]))],
    ['a boundary with letters that are not ASCII', 'broken_multipart', mail(multipart('mixed', 'b\xe4', [TEXT]))],
    ['a boundary with a tail', 'broken_multipart', mail(multipart('mixed', 'b', [`${TEXT}--bad\r\n`]))],
    ['a boundary behind a bare CR', 'bare_carriage_return', mail(multipart('mixed', 'b', [`${TEXT}\r--b\r`]))],
    [
      'a long text in front of the parts',
      'text_outside_parts',
      mail(multipart('mixed', 'b', [TEXT], `${'x'.repeat(201)}\r\n`)),
    ],
    ['a text behind the parts', 'text_outside_parts', mail(multipart('mixed', 'b', [TEXT]), 'more')],
    [
      'a part after the closing boundary',
      'text_outside_parts',
      mail(multipart('mixed', 'b', [TEXT]), '--b', PDF, '--b--'),
    ],
    [
      'content that is elsewhere',
      'content_elsewhere',
      attachment('Content-Type: message/external-body; access-type=URL; URL="http://x/"'),
    ],
  ])('%s', async (_, code, email) => expect(await codes(email)).toContain(code));

  test('readings that do not list the same leaves, and says what each one saw', async () => {
    const { parts, warnings } = await read(
      mail('Content-Type: multipart/mixed; (c) boundary=b', '', '--b', TEXT, '--b--'),
    );
    expect(warnings.map(({ code }) => code)).toContain('readings_disagree');
    expect(parts.filter(({ recovered }) => recovered === null).at(-1)).toMatchObject({
      role: 'body',
      readings: ['structure'],
    });
  });

  test('each problem of a part once', async () => {
    const { warnings } = await read(attachment(plain, 'odd', 'odd', plain));
    expect(warnings.filter(({ code }) => code === 'odd_header')).toHaveLength(1);
  });
});
