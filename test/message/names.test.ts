import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { base64, lines, mail, multipart, PICTURE, TEXT } from './mail-builder.ts';

const read = (email: Uint8Array) => readMessage(email, DEFAULT_LIMITS);
const attachment = (header: readonly string[], body = 'x') =>
  mail(multipart('mixed', 'b', [TEXT, lines(...header, '', body)]));
const codes = async (email: Uint8Array) => (await read(email)).warnings.map(({ code }) => code);

describe('every name that some program uses is listed', () => {
  const file = 'Content-Disposition: attachment';
  test.each([
    [
      'unquoted, to readers that stop at the blank',
      [`${file}; filename=run.bat readme.txt`],
      ['run.bat readme.txt', 'run.bat'],
    ],
    [
      'unquoted, to readers that stop at a comma',
      [`${file}; filename=run.bat,readme.txt`],
      ['run.bat,readme.txt', 'run.bat'],
    ],
    [
      'unquoted, to readers that stop at a comment',
      [`${file}; filename=run.bat(1).txt`],
      ['run.bat(1).txt', 'run.bat'],
    ],
    ['in Content-Type', ['Content-Type: text/plain; name=run.hta readme.txt'], ['run.hta readme.txt', 'run.hta']],
    [
      'as an encoded word in front of a blank',
      [`${file}; filename==?utf-8?q?run=2Ehta?= a.txt`],
      ['run.hta a.txt', 'run.hta'],
    ],
    ['as file=', [`${file}; file="run.hta"`], ['run.hta']],
    ['as the name of an old Macintosh', ['Content-Type: x/y; x-mac-filename="run.hta"'], ['run.hta']],
    ['as filename in Content-Type', ['Content-Type: x/y; filename="run.hta"'], ['run.hta']],
    ['as name in Content-Disposition', [`${file}; name="run.hta"`], ['run.hta']],
    ['in pieces', ['Content-Type: x/y; name*0="run.h"; name*1="ta"'], ['run.hta']],
    ['in Content-Description', [file, 'Content-Description: run.bat'], ['run.bat']],
    [
      'in Content-Description beside a name',
      [`${file}; filename=a.txt`, 'Content-Description: my run.bat'],
      ['a.txt', 'my run.bat'],
    ],
    ['in Content-Location', [file, 'Content-Location: run.bat'], ['run.bat']],
    ['in the path of Content-Location', [file, 'Content-Location: file:///c:/x/run.bat?a#b.txt'], ['run.bat']],
    ['in the address of a file to save', [file, 'Content-Location: https://x.example/run.bat'], ['run.bat']],
    [
      'as a class of Windows',
      [file, 'Content-Description: a.{3050f4d8-98b5-11cf-bb82-00aa00bdce0b}'],
      ['a.{3050f4d8-98b5-11cf-bb82-00aa00bdce0b}'],
    ],
  ])('%s', async (_, header, expected) => {
    expect((await read(attachment(header))).parts[2]?.untrustedNames).toEqual(expected);
  });

  test.each([
    ['a description of prose', ['Content-Description: Notification of version 1.5']],
    ['the address a page came from', ['Content-Type: text/html', 'Content-Location: http://x.example/index.php']],
    ['the address of a host', ['Content-Location: https://x.example.com']],
    ['a location without a name', ['Content-Location: part1']],
  ])('%s is no name', async (_, header) => {
    const part = (await read(attachment(header))).parts[2];
    expect(part).toMatchObject({ untrustedNames: [], role: 'body' });
  });

  test('a body stays a body whatever its description says', async () => {
    const part = (await read(attachment(['Content-Type: text/plain', 'Content-Description: letter.txt']))).parts[2];
    expect(part).toMatchObject({ untrustedNames: ['letter.txt'], role: 'body' });
  });
});

describe('names that programs decode in different ways hold the message', () => {
  test.each([
    ['in UTF-7', 'Content-Disposition: attachment; filename="=?utf-7?Q?run+AC4-hta?="'],
    ['in UTF-7 as RFC 2231 has it', "Content-Disposition: attachment; filename*=utf-7''run%2BAC4-hta"],
    ['in UTF-16', "Content-Disposition: attachment; filename*=utf-16''%00r%00u%00n"],
    ['in an encoded word of a form that few know', 'Content-Type: x/y; name="=?utf-8?x?run?=.hta"'],
    ['in unquoted pieces that readers end at different places', 'Content-Type: x/y; name*0=run.hta x; name*1=.txt'],
  ])('%s', async (_, header) => {
    expect(await codes(attachment([header]))).toContain('odd_header');
  });
});

/** Names that mislead a person are remarked on; that alone holds no message. */
const isNoRemark = ({ code }: { readonly code: string }) => code !== 'double_extension' && code !== 'deceptive_name';

describe('a message inside a message', () => {
  const inner = lines('From: a@example.com', 'Subject: hi', 'Content-Type: text/plain', '', 'hi', '');
  const nested = (...header: readonly string[]) => attachment(['Content-Type: message/rfc822', ...header], inner);
  const named = (name: string) => nested(`Content-Disposition: attachment; filename="${name}"`);

  test.each([
    'invoice.hta',
    'invoice.html',
    'a.bat',
    'a.eml.hta',
    'a.hta.',
    'a.hta ',
    'a.hta\\u200b',
    'a.hta/',
    'a.hta:x.eml',
    'a.hta\tx.eml',
    'a%2fb.hta%00.eml',
    'a.ｈta',
    'a.mht',
    'a.txt',
    'a.{3050f4d8-98b5-11cf-bb82-00aa00bdce0b}',
  ])('called %j is a file of that name, in both readings', async (name) => {
    const { parts, warnings } = await read(named(name.replace('\\u200b', '\u200b')));
    expect(parts.map(({ path, role }) => `${path} ${role}`)).toEqual(['1 multipart', '1.1 body', '1.2 attachment']);
    expect(parts[2]?.readings).toEqual(['structure', 'stream']);
    expect(warnings.filter(isNoRemark)).toEqual([]);
  });

  test.each([
    'original.eml',
    'ORIGINAL.EML',
    'Re: lunch',
    'Fwd: Version 1.5',
    'Fwd: Meeting 10:30.eml',
    'Grüße.eml',
    'notes.',
  ])('called %j is opened as a message', async (name) => {
    const { parts, warnings } = await read(named(name));
    expect(parts[2]?.role).toBe('message');
    expect(warnings.filter(isNoRemark)).toEqual([]);
  });

  test('is opened when it has no name, whatever describes it', async () => {
    for (const header of ['X-Nothing: here', 'Content-Description: Forwarded message - scan.pdf'])
      expect((await read(nested(header))).parts[2]?.role).toBe('message');
  });

  test('is a file when only one of two names is harmless', async () => {
    const both = nested('Content-Disposition: attachment; filename="a.eml"', 'X-Nothing: here');
    const email = Buffer.from(both.toString().replace('message/rfc822', 'message/rfc822; name="a.hta"'));
    expect((await read(email)).parts[2]?.role).toBe('attachment');
  });
});

test.each(['mixed; name="x.hta"', 'related; name=a.txt', 'mixed; x-file="a"'])(
  'a multipart/%s with a file name holds the message',
  async (type) => expect(await codes(mail(multipart(type, 'b', [TEXT])))).toContain('odd_header'),
);

describe('relative links of a page', () => {
  const page = (header: string, html: string) => [header, 'Content-Type: text/html', '', html].join('\r\n');
  const LINK = '<a href="pay?x=1">invoice</a>';
  test.each([
    ['Content-Base', page('Content-Base: http://198.51.100.7/', LINK)],
    ['Content-Location', page('Content-Location: http://bank.example@198.51.100.7/', LINK)],
    ['a folded Content-Location in brackets', page('Content-Location:\r\n <https://x.example/>', LINK)],
    ['a picture', page('Content-Base: file://server/share/', '<img src=a.png>')],
  ])('hold the message when %s says where they lead', async (_, text) => {
    expect(await codes(mail(text))).toEqual(['odd_header']);
  });

  test('hold it when the container around the page says so', async () => {
    const text = multipart('related', 'b', [page('X-Nothing: here', LINK)]);
    expect(await codes(mail('Content-Location: https://x.example/', text))).toEqual(['odd_header']);
  });

  test.each([
    ['lead nowhere without a header', page('X-Nothing: here', LINK)],
    ['lead nowhere with the mere name of a file', page('Content-Location: page.html', LINK)],
    [
      'are none of these',
      page(
        'Content-Base: http://x.example/',
        '<a href="https://y.example/">y</a><a href="#top">t</a><a href="mailto:a@x.example">m</a><img src="cid:p">',
      ),
    ],
    [
      'start from the base of the page',
      page('Content-Base: http://x.example/', `<base href="https://y.example/">${LINK}`),
    ],
  ])('%s', async (_, text) => expect(await codes(mail(text))).toEqual([]));

  test('do not hold it when they lead to pictures in the message', async () => {
    const picture = PICTURE.replace('Content-ID', 'Content-Location: logo.png\r\nContent-ID');
    const text = multipart('related', 'b', [
      page('Content-Location: http://x.example/', '<img src="logo.png">'),
      picture,
    ]);
    expect(await codes(mail(text))).toEqual([]);
  });
});

test('an unquoted name with blanks is still one name where no piece of it is a file name', async () => {
  const email = attachment(
    ['Content-Disposition: attachment; filename=Report v1.2 (final).pdf', 'Content-Transfer-Encoding: base64'],
    base64('%PDF'),
  );
  const { parts, warnings } = await read(email);
  expect(parts[2]?.untrustedNames).toEqual(['Report v1.2 (final).pdf']);
  expect(warnings).toEqual([]);
});
