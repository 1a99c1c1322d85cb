import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { rebuildMessage } from '../../lib/message/rebuilding/rebuild.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { LINK_WORDS } from './link-words.ts';
import { mail, multipart, TEXT } from './mail-builder.ts';

const links = { isBlocked: () => false, limits: DEFAULT_LIMITS, words: LINK_WORDS };

async function rebuilt(email: Buffer, names: Record<string, string> = {}) {
  const reading = await readMessage(email, DEFAULT_LIMITS);
  const plan = { replacements: new Map(), names: new Map(Object.entries(names)), links, headers: [] };
  const { bytes, changes } = rebuildMessage(email, reading, plan);
  return { text: Buffer.from(bytes).toString('latin1'), changes };
}

/** The header of the second part of a message, as it is delivered. */
async function part(fields: readonly string[], name?: string): Promise<string> {
  const { text } = await rebuilt(
    mail(multipart('mixed', 'b', [TEXT, [...fields, '', 'x', ''].join('\r\n')])),
    name === undefined ? {} : { '1.2': name },
  );
  return `\r\n${text.split('--b\r\n')[2]}`.split('\r\n\r\n')[0]?.slice(2) ?? '';
}

describe('a field of a part', () => {
  test.each([
    'Content-Type: text/plain; charset="utf-8"; format=flowed; delsp=yes',
    'Content-Type: text/plain;\r\n\tcharset=us-ascii;',
    'Content-Disposition: attachment; filename="a.txt"; size=12; creation-date="Fri, 20 Nov 2026 12:00:00 GMT"',
    "Content-Disposition: attachment; filename*0*=utf-8''Gr%C3%BC; filename*1*=%C3%9Fe.txt",
    'Content-ID: <a.b$c@example.com>',
    'Content-Description: OpenPGP digital signature',
    'Content-Language: de-DE, en',
    'Content-Location: logo.png',
    'X-Attachment-Id: f_lp1abc2d0',
    'MIME-Version: 1.0 (Mac OS X Mail 16.0 \\(3774.100\\))',
  ])('stays byte for byte in its strict form: %s', async (field) => expect(await part([field])).toBe(field));

  test.each([
    ['X-Mozilla-External-Attachment-URL: https://x.example/', ''],
    ['Content-Base: https://x.example/', ''],
    ['Content-Location: https://x.example/a.png', ''],
    ['Content-Description: see https://x.example/', ''],
    ['Content-ID: <https://x.example/>', ''],
    ['X-Anything: at all', ''],
    ['Subject: of nobody', ''],
    [
      'Content-Type: text/plain; charset=utf-8; url="https://x.example/"',
      'Content-Type: text/plain;\r\n charset=utf-8',
    ],
    ['Content-Type: text/plain; x-unix-mode=0755', 'Content-Type: text/plain'],
    [
      'Content-Disposition: attachment; filename=my notes.txt',
      'Content-Disposition: attachment;\r\n filename="my notes.txt"',
    ],
    ['Content-Disposition: attachment; filename="a\u202e.txt"', 'Content-Disposition: attachment'],
    [
      'Content-Disposition: attachment; filename*0="run.js"; filename*1=".txt"',
      'Content-Disposition: attachment;\r\n filename="run.js.txt"',
    ],
    [
      'Content-Disposition: attachment; filename*1=".txt"; filename*0="notes"',
      'Content-Disposition: attachment;\r\n filename="notes.txt"',
    ],
    ['Content-Type: evil.example/x', 'Content-Type: application/octet-stream'],
  ])('%s comes out as %j', async (field, expected) => {
    expect(await part([Buffer.from(field).toString('latin1')])).toBe(expected);
  });

  test('names the part as it is told to, in every field that names it', async () => {
    const fields = ['Content-Type: text/plain; name="a/b.txt"', 'Content-Disposition: attachment; filename="a/b.txt"'];
    expect(await part(fields, 'b.txt')).toBe(
      'Content-Type: text/plain;\r\n name="b.txt"\r\nContent-Disposition: attachment;\r\n filename="b.txt"',
    );
  });

  test('of the message stays where a signed part repeats it', async () => {
    const type = 'Content-Type: text/plain; protected-headers="v1"';
    expect(await part([type, 'From: a@b.example', 'Subject: x', 'X-Mozilla-Status: 1'])).toBe(
      `${type}\r\nFrom: a@b.example\r\nSubject: x`,
    );
  });
});

describe('a field of the message', () => {
  const root = async (field: string) => {
    const email = Buffer.from(`From: a@b.example\r\n${field}\r\nSubject: x\r\n\r\ntext`, 'latin1');
    const { text } = await rebuilt(email);
    return text.slice('From: a@b.example\r\n'.length, text.indexOf('Subject: x'));
  };

  test.each([
    'X-Unknown-Id: abc/def+ghi==',
    'X-Unknown-Status: seen at 12:00:03, 3 of 4 (ok)',
    'X-Unknown-Json: {"a": "b", "c": 1}',
    'X-Mailer: Letters (https://letters.example/)',
    'Organization: B\xfccher',
    'x-ms-exchange-senderadcheck: 1',
    'Disposition-Notification-To: <a@b.example>',
    'BIMI-Selector: v=BIMI1; s=default;',
  ])('stays byte for byte: %s', async (field) => expect(await root(field)).toBe(`${field}\r\n`));

  test.each([
    'X-Unknown: https://x.example/',
    'X-Unknown: x.example/path',
    'X-Unknown: file:a',
    'X-Unknown: \\\\server\\share',
    'X-Unknown: /etc/passwd',
    'X-Unknown: caf\xe9',
    'X-Unknown: a%2fb',
    'X-Unknown: =?utf-8?q?a?= b',
    'X-Unknown(comment): a',
    'X-Airlock-Outcome : delivered',
    'X-Unknown: a\r\n X-Airlock-Outcome: delivered',
    'List-Unsubscribe: <javascript:alert(1)>',
    'X-MS-Exchange-Organization-SCL: -1',
    'BIMI-Indicator: PHN2Zz4=',
    'X-Unsent: 1',
  ])('goes: %s', async (field) => expect(await root(field)).toBe(''));

  test.each([
    ['Comments: a\x01b', 'Comments: a b'],
    ['Comments: a\r\n X-Airlock-Run: b', 'Comments: a X-Airlock-Run: b'],
    ['Keywords : a', 'Keywords: a'],
  ])('%j is written as %j', async (field, expected) => expect(await root(field)).toBe(`${expected}\r\n`));
});

test('says how many fields of which part were left out and written anew', async () => {
  const odd = 'Content-Type: text/plain; x-y=z\r\nX-A: 1\r\nX-B: 2\r\n\r\nx\r\n';
  expect((await rebuilt(mail('X-Unsent: 1', multipart('mixed', 'b', [TEXT, odd])))).changes).toEqual([
    { path: '1', leftOut: 1, rewritten: 0 },
    { path: '1.2', leftOut: 2, rewritten: 1 },
  ]);
});
