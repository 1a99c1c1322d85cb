/** The Content- fields of a part: the closed grammar of each value, with what lies one step inside and one step outside. */
import { describe, expect, test } from 'vitest';
import { partHeader } from './rig.ts';

const latin1 = (text: string) => Buffer.from(text).toString('latin1');
const TYPE = 'Content-Type: text/plain';
const MD5 = 'Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==';
const DISPOSITION = 'Content-Disposition: attachment';

describe('stays byte for byte', () => {
  test.each([
    'Content-Language: en',
    'Content-Language: DE-at , en,fr',
    `Content-Language: ${'a'.repeat(35)}`,
    `Content-Language: ${Array.from({ length: 21 }, () => 'en').join(',')}`,
    'Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==',
    'Content-Location: "image001.JPEG"',
    'Content-Location: a-b_9.jpg',
    'Content-Location: a.gif',
    'Content-Location: a.bmp',
    'Content-Location: a.webp',
    `Content-Location: ${'a'.repeat(80)}.png`,
    'Content-Class: urn:content-classes:message',
    'Content-Class: urn:content-classes:calendarmessage',
    'Content-Class: URN:content-classes:appointment',
    'Content-Class: urn:content-classes:dsn',
    'Content-Class: urn:content-classes:mdn',
    'MIME-Version: 1.0',
    'MIME-Version: 1.0(x)',
    `MIME-Version: 1.0  (${'a'.repeat(80)})`,
    'X-Attachment-Id: f_9-A',
    'X-Attachment-Id: ii_k.png',
    `X-Attachment-Id: ${'a'.repeat(80)}.${'b'.repeat(20)}`,
    'Content-Transfer-Encoding: 7bit',
    'Content-Transfer-Encoding: 8BIT',
    'Content-Transfer-Encoding: binary',
    'Content-Transfer-Encoding: quoted-printable',
    'Content-Description: Rechnung 12',
    latin1('Content-Description: Grüße'),
    'Content-Description: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
    `Content-ID: <${'a'.repeat(250)}>`,
    'Content-ID: <part1.0+a/b=c?d@e^f~g>',
    'Content-Id: <a@b.example>',
    'Content-Transfer-Encoding: uuencode-2',
    "Content-Disposition: attachment; filename*=utf-8''run.js",
    `Content-Disposition: attachment; ${Array.from({ length: 11 }, (_, at) => `filename*${at}="${at}"`).join('; ')}`,
    'Content-Type: TEXT/PLAIN',
    'Content-Type: x-world/x-3dmf',
    'Content-Type: chemical/x-pdb',
    'Content-Type: text/plain; charset=utf-8 ; ',
    'Content-Type: text/plain; x-unix-mode=0644',
    'Content-Disposition: INLINE',
    'Content-Disposition: attachment; filename=""',
    "Content-Disposition: attachment; filename*0*=utf-8''a",
    'Content-Disposition: attachment; filename="=?utf-8?Q?Gr=C3=BC=C3=9Fe.txt?="',
    'Content-Disposition: attachment; filename="=?utf-8*de?B?R3LDvMOfZQ==?= =?utf-8?q?.txt?="',
    latin1('Content-Disposition: attachment; filename="Grüße.txt"'),
  ])('%s', async (field) => {
    expect(await partHeader([field])).toBe(field);
  });
});

describe('is left out', () => {
  test.each([
    'Content-Language: see https://x.example/',
    `Content-Language: ${'a'.repeat(36)}`,
    'Content-Language: en;',
    'Content-Language: <en',
    `Content-Language: ${Array.from({ length: 22 }, () => 'en').join(',')}`,
    'Content-MD5: Q2hlY2sgSW50ZWdyaXR5I===',
    'Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==x',
    'Content-MD5: xQ2hlY2sgSW50ZWdyaXR5IQ==',
    'Content-Location: a/b.png',
    'Content-Location: b.png/c',
    'Content-Location: a.html',
    'Content-Location: .png',
    `Content-Location: ${'a'.repeat(81)}.png`,
    'Content-Class: urn:content-classes:message:x',
    'Content-Class: x:urn:content-classes:message',
    'Content-Class: urn:content-classes:infopath',
    'X-Attachment-Id: a b',
    'X-Attachment-Id: .a',
    'X-Attachment-Id: a/b',
    `X-Attachment-Id: ${'a'.repeat(81)}`,
    `X-Attachment-Id: a.${'b'.repeat(21)}`,
    'X-Attachment-Id: (a',
    'Content-Description: a/b',
    'Content-Description: caf\xe9',
    'Content-ID: <a b>',
    'Content-ID: <www.x.example>',
    'Content-ID: <WWW2.x.example>',
    'Content-ID: <ftp.x.example>',
    'Content-ID: <x.example/a>',
    'Content-ID: <>',
  ])('%s', async (field) => {
    expect(await partHeader([field, TYPE])).toBe(TYPE);
  });
});

describe('is written anew', () => {
  test.each([
    ['Content-ID: a@b.example', 'Content-ID: <a@b.example>'],
    ['Content-ID: <www@b.example>', 'Content-ID: <www@b.example>'],
    ['MIME-Version: 1.1', 'MIME-Version: 1.0'],
    ['MIME-Version: x1.0', 'MIME-Version: 1.0'],
    ['MIME-Version: 1.0 x', 'MIME-Version: 1.0'],
    [`MIME-Version: 1.0 (${'a'.repeat(81)})`, 'MIME-Version: 1.0'],
    ['Content-Transfer-Encoding : base64', 'Content-Transfer-Encoding: base64'],
    ['Content-Transfer-Encoding: quoted_printable', 'Content-Transfer-Encoding: quoted-printable'],
    ['Content-Transfer-Encoding: 7bit;', 'Content-Transfer-Encoding: 7bit'],
    ['Content-Transfer-Encoding: x 7bit', 'Content-Transfer-Encoding: 7bit'],
    ['Content-Transfer-Encoding : uuencode-2', 'Content-Transfer-Encoding: unknown'],
    ['Content-Id: <a@b.example', 'Content-ID: <a@b.example>'],
    ['Content-Id: a@b.example>', 'Content-ID: <a@b.example>'],
    [`${DISPOSITION}; filename*0="a.j"; filename*1="s"; filename*2=".txt"`, `${DISPOSITION};\r\n filename="a.js.txt"`],
    [`${DISPOSITION}; filename="==?utf-8?Q?a?=?x"`, `${DISPOSITION};\r\n filename="=a?x"`],
    [`${DISPOSITION}; filename="caf\xe9.txt"`, `${DISPOSITION};\r\n filename*=utf-8''caf%C3%A9.txt`],
    [`${TYPE}; x=y; type="text/html"`, `${TYPE};\r\n type="text/html"`],
    [`${TYPE}; charset="utf-8"junk; format=flowed`, `${TYPE};\r\n charset=utf-8;\r\n format=flowed`],
    ['content-language : de', 'Content-Language: de'],
    ['Content-Language: de\r\n\tX-Airlock-Run: a', ''],
    ['Content-Description: a\r\n X-Airlock-Run: b', 'Content-Description: a X-Airlock-Run: b'],
    ['Content-Description : a b', 'Content-Description: a b'],
    ['x-attachment-id : a', 'X-Attachment-Id: a'],
    [`${TYPE}; format=flowed; format=fixed`, `${TYPE};\r\n format=flowed`],
    [`${TYPE}; charset=utf-8; micalg="pgp sha1"`, `${TYPE};\r\n charset=utf-8`],
    [`${TYPE}; x=y; micalg=pgp-sha1; start="<a@b>"`, `${TYPE};\r\n micalg=pgp-sha1;\r\n start="<a@b>"`],
    [`${TYPE}; x=y; charset=utf-8`, `${TYPE};\r\n charset=utf-8`],
    [`${TYPE}; x=y; name="a.txt"`, `${TYPE};\r\n name="a.txt"`],
    [`${TYPE} charset=utf-8`, `${TYPE};\r\n charset=utf-8`],
    ['Content-Type: text.x/plain', 'Content-Type: application/octet-stream'],
    ['Content-Type: xtext/plain', 'Content-Type: application/octet-stream'],
    ['Content-Type: text/.x', 'Content-Type: application/octet-stream'],
    ['Content-Type: x-/a', 'Content-Type: application/octet-stream'],
    ['Content-Disposition: attachments', DISPOSITION],
    ['Content-Disposition: x-inline', DISPOSITION],
    [`${DISPOSITION}; filename="a.txt"; size=12; x=y`, `${DISPOSITION};\r\n filename="a.txt";\r\n size=12`],
    [`${DISPOSITION}; filename="a.txt"; charset=utf-8; x=y`, `${DISPOSITION};\r\n filename="a.txt"`],
    [`${DISPOSITION}; size*0=1; size*1=2`, `${DISPOSITION};\r\n size=12`],
    [`${DISPOSITION}; filename="=?utf-8?Q?a.txt"`, DISPOSITION],
    [`${DISPOSITION}; filename="a.txt?="`, `${DISPOSITION};\r\n filename="a.txt?="`],
    ['Content-Disposition: inline; x=y', 'Content-Disposition: inline'],
    [`${DISPOSITION}; filename*0=".exe"; filename*1=".txt"`, DISPOSITION],
  ])('%s comes out as %j', async (field, expected) => {
    expect(await partHeader([field, MD5])).toBe(expected === '' ? MD5 : `${expected}\r\n${MD5}`);
  });
});

test('the first of two fields that must be unique stays', async () => {
  expect(await partHeader(['Content-Language: de', 'X-A: b', 'content-language: en'])).toBe('Content-Language: de');
});

test('a field whose name only lenient programs read is left out beside one that all read', async () => {
  expect(await partHeader(['Content-Language : de', 'Content-Language: en'])).toBe('Content-Language: en');
});

test('a part with a new name loses the old one where it is in strict form, and in a disposition without a name', async () => {
  const fields = [`${TYPE}; name="old.txt"`, DISPOSITION, 'Content-Language: en'];
  expect(await partHeader(fields, { names: { '1.2': 'new.txt' } })).toBe(
    `${TYPE};\r\n name="new.txt"\r\n${DISPOSITION}\r\nContent-Language: en`,
  );
});

test('a part with a new name keeps all fields that hold no name', async () => {
  const type = `${TYPE}; charset="utf-8"`;
  expect(await partHeader([type, `${DISPOSITION}; filename="old.txt"`], { names: { '1.2': 'new.txt' } })).toBe(
    `${type}\r\n${DISPOSITION};\r\n filename="new.txt"`,
  );
});

test('a part with a name that is not plain gets no name', async () => {
  const fields = [`${TYPE}; name="a/b.txt"; x=y`, `${DISPOSITION}; filename="b.txt"; x=y`];
  expect(await partHeader(fields)).toBe(`${TYPE}\r\n${DISPOSITION}`);
});

describe('where a signed part repeats the fields of the message', () => {
  const REPEATED = [
    ...['From: a@b.example', 'To: a@b.example', 'Cc: a@b.example', 'Reply-To: a@b.example', 'Sender: a@b.example'],
    ...['Subject: x', 'Date: Fri, 20 Nov 2026 11:00:00 +0100', 'Message-ID: <a@b.example>'],
    ...[
      'In-Reply-To: <a@b.example>',
      'References: <a@b.example>',
      'User-Agent: Letters',
      'Autocrypt: addr=a@b.example',
    ],
  ];

  test.each([
    'protected-headers="v1"',
    'protected-headers=v1',
    'Protected-Headers="V1"',
    'hp="clear"',
    'hp=cipher',
    'charset=utf-8;hp=clear',
  ])('%s lets them stay', async (param) => {
    const type = `${TYPE}; ${param}`;
    expect(await partHeader([type, ...REPEATED])).toBe([type, ...REPEATED].join('\r\n'));
  });

  test.each(['hp="none"', 'x-hp="clear"', 'protected-headers="2"', 'charset=utf-8'])('%s does not', async (param) => {
    expect(await partHeader([`${TYPE}; ${param}`, ...REPEATED])).not.toMatch(/From|Subject|Autocrypt/);
  });

  test('no field but Content-Type does', async () => {
    const field = `${DISPOSITION}; hp="clear"`;
    expect(await partHeader([field, ...REPEATED])).toBe(field);
  });

  test('other fields are left out', async () => {
    const type = `${TYPE}; hp="clear"`;
    expect(await partHeader([type, 'Comments: a', 'Received: b', 'X-Mailer: c'])).toBe(type);
  });
});
