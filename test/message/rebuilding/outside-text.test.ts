/** Text in front of and behind the parts of a multipart: which stays byte for byte, and which is taken out. */
import { describe, expect, test } from 'vitest';
import { OUTSIDE_TEXT_BYTES } from '../../../lib/message/rebuilding/outside-text.ts';
import { rebuilt } from './rig.ts';

interface Around {
  readonly type?: string;
  /** More fields, each with its line break. */
  readonly fields?: string;
  readonly blank?: string;
}

const mail = (front: string, behind = '', { type = 'boundary=b', fields = '', blank = '\r\n' }: Around = {}) =>
  `From: a@b.example\r\n${fields}Content-Type: multipart/mixed; ${type}\r\n${blank}${front}--b\r\n\r\none\r\n--b--\r\n${behind}`;
const delivered = async (email: string) => (await rebuilt(Buffer.from(email, 'latin1'))).text;

/** What programs write, each in its own words. */
const NOTES: Readonly<Record<string, string>> = {
  Thunderbird: 'This is a multi-part message in MIME format.\r\n',
  Outlook: 'This is a multipart message in MIME format.\r\n\r\n',
  'MIME-tools': 'This is a multi-part message in MIME format...\r\n\r\n',
  Postfix: 'This is a MIME-encapsulated message.\r\n\r\n',
  Alpine:
    '  This message is in MIME format.  The first part should be readable text,\r\n  while the remaining parts are likely unreadable without MIME-aware tools.\r\n\r\n',
  Exchange:
    '> This message is in MIME format. Since your mail reader does not understand\r\nthis format, some or all of this message may not be legible.\r\n\r\n',
  Courier:
    'This is a MIME-formatted message.  If you see this text it means that your\r\nE-mail software does not support MIME-formatted messages.\r\n\r\n',
  Zend: 'This is a message in Mime Format.  If you see this, your mail reader does not support this format.\r\n\r\n',
  OpenSSL: 'This is an S/MIME signed message\r\n\r\n',
  Enigmail: 'This is an OpenPGP/MIME signed message (RFC 4880 and 3156)\r\n',
};

describe('a note of plain words stays byte for byte', () => {
  test.each(Object.entries(NOTES))('of %s, in front and behind', async (_, note) => {
    for (const email of [mail(note), mail(`\r\n${note}`), mail('', `\r\n${note}`), mail(note, note)])
      expect(await delivered(email)).toBe(email);
  });

  test('in a message with bare line feeds', async () => {
    const email = mail(NOTES.Alpine ?? '').replaceAll('\r\n', '\n');
    expect(await delivered(email)).toBe(email);
  });

  test('of a multipart with a charset of ASCII letters', async () => {
    const email = mail('A note.\r\n', '', { type: 'boundary=b; charset="utf-8"' });
    expect(await delivered(email)).toBe(email);
  });

  test('in an inner multipart', async () => {
    const inner = 'Content-Type: multipart/alternative; boundary=c\r\n\r\nA note.\r\n--c\r\n\r\none\r\n--c--\r\n';
    const email = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${inner}\r\n--b--\r\n`;
    expect(await delivered(email)).toBe(email);
  });

  test('up to a length', async () => {
    const words = 'word '.repeat(OUTSIDE_TEXT_BYTES).slice(0, OUTSIDE_TEXT_BYTES - 2);
    const whole = mail(`${words.trimEnd().padEnd(OUTSIDE_TEXT_BYTES - 2, 'x')}\r\n`);
    expect(await delivered(whole)).toBe(whole);
    expect(await delivered(mail(`${words.trimEnd().padEnd(OUTSIDE_TEXT_BYTES - 1, 'x')}\r\n`))).toBe(mail(''));
  });
});

describe('everything else is taken out', () => {
  test.each([
    'Subject: x',
    'Subject : x',
    'see www.evil.example',
    'see evil.example',
    'go to evil.example/x',
    'ask a@evil.example',
    'call 192.0.2.1',
    'open //evil.example',
    'open \\\\evil\\share',
    'a <b>bold</b> word',
    'an &amp;',
    '=?utf-8?q?x?=',
    'soft=',
    '+ADw-b+AD4-',
    '~{VPND~}',
    'caf\xe9',
    'a\0b',
    'a\tb',
    'a\x1b$Bb',
    '--',
    '--c',
    'a --b',
    'a--b',
    '-----BEGIN PGP MESSAGE-----',
    'From ann',
    '>From ann',
    'begin 644 a.exe',
    'end',
    'This file must be converted with BinHex',
    'TVqQAAMAAAAEAAAA//8AALgAAAAAAAAAQAAAAAAAAAAA',
    'TVqQAAMAAAAEAAAAAAAA',
    'TVqQ AAMA AAAE AAAA',
    '.',
    '..',
    'one\rtwo',
    '{\\rtf1}',
    '%PDF-1',
    '#!',
    '*bold*',
    '[1]',
    'x_y',
    'a;b=c',
    '         deep',
  ])('%j', async (line) => {
    for (const note of [`${line}\r\n`, `A note.\r\n${line}\r\n`, `${line}\r\nA note.\r\n`])
      expect(await delivered(mail(note))).toBe(mail(''));
  });

  test.each([
    ['a label of base64', { fields: 'Content-Transfer-Encoding: base64\r\n' }],
    ['a label of quoted-printable', { fields: 'Content-Transfer-Encoding: quoted-printable\r\n' }],
    ['a charset in which the bytes are other letters', { type: 'boundary=b; charset=utf-16le' }],
    ['a charset that only some programs read', { type: "boundary=b; charset*=''cp037" }],
    ['a header that ends in a line of blanks', { blank: ' \r\n' }],
    ['a header that ends in mixed line breaks', { blank: '\n' }],
  ] as const)('of a multipart with %s', async (_, around) => {
    expect(await delivered(mail('A note.\r\n', '', around))).not.toContain('A note.');
  });
});
