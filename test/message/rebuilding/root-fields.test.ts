/** The fields of a message as they are delivered: what leads to a blocked address, and what programs read in different ways. */
import { describe, expect, test } from 'vitest';
import { mail, multipart, TEXT } from '../mail-builder.ts';
import { rebuilt, rootFields } from './rig.ts';

const isBlocked = (url: string) => url.includes('bad.example');

describe('a field with a blocked link', () => {
  test.each([
    'Comments: see https://bad.example/x now',
    'List-Unsubscribe: <https://bad.example/>',
    'Reply-To: "https://bad.example/" <a@b.example>',
  ])('goes: %s', async (field) => expect(await rootFields(field, { isBlocked })).toBe(''));

  test.each(['Comments: see https://good.example/x now', 'List-Unsubscribe: <https://good.example/>'])(
    'does not go for another link: %s',
    async (field) => expect(await rootFields(field, { isBlocked })).toBe(`${field}\r\n`),
  );

  test('keeps its text without the link when it is the subject', async () => {
    const email = Buffer.from('From: a@b.example\r\nSubject: see https://bad.example/x now\r\n\r\ntext');
    const { text, changes } = await rebuilt(email, { isBlocked });
    expect(text).toBe('From: a@b.example\r\nSubject: see hxxps://bad[.]example/x [off] now\r\n\r\ntext');
    expect(changes).toEqual([{ path: '1', leftOut: 0, rewritten: 1 }]);
  });

  test('is decoded before its links are searched', async () => {
    const words = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
    const email = Buffer.from(`Subject: ${words('ü https://bad.example/')}\n\ntext`);
    expect((await rebuilt(email, { isBlocked })).text).toBe(
      `Subject: ${words('ü hxxps://bad[.]example/ [off]')}\n\ntext`,
    );
  });
});

describe('a field in an odd form', () => {
  test.each([
    ['Thread-Topic: a\r\n Content-Type: b', 'Thread-Topic: a Content-Type: b'],
    ['Comments: a\x01b\r\n c', 'Comments: a b\r\n c'],
    ['Comments : a\r\n b', 'Comments: a\r\n b'],
    ['x-mailer: a\x02b', 'X-Mailer: a b'],
    ['Comments:a\x7fb', 'Comments: a b'],
  ])('%j is written as %j', async (field, expected) => expect(await rootFields(field)).toBe(`${expected}\r\n`));

  test('of a kilobyte is cut, so that no line is longer than a line may be', async () => {
    const field = await rootFields(`Comments: ${'x'.repeat(1_200)}\r\n X-Airlock-Run: b`);
    expect(field).toBe(`Comments: ${'x'.repeat(900)}\r\n`);
  });

  test.each(['X-Unknown-Id : a', 'X-Unknown(a)-Id: a'])('goes when nobody knows it: %s', async (field) =>
    expect(await rootFields(field)).toBe(''),
  );
});

test('the fields of a message inside another are those of a message, too', async () => {
  const inner = 'Content-Type: message/rfc822\r\n\r\nFrom: a@b.example\r\nX-Unsent: 1\r\nSubject: x\r\n\r\ntext\r\n';
  const { text, changes } = await rebuilt(mail(multipart('mixed', 'b', [TEXT, inner])));
  expect(text).toContain(inner.replace('X-Unsent: 1\r\n', ''));
  expect(changes).toEqual([{ path: '1.2.1', leftOut: 1, rewritten: 0 }]);
});

test('a line that is no field is removed', async () => {
  const { text, changes } = await rebuilt(Buffer.from('no field\nFrom: a@b.example\nSubject: x\n\ntext'));
  expect(text).toBe('From: a@b.example\nSubject: x\n\ntext');
  expect(changes).toEqual([{ path: '1', leftOut: 1, rewritten: 0 }]);
});

describe('the signature of a server', () => {
  // 256 bytes, of which a line begins with two slashes as a network share does.
  const [front, behind] = ['AbCd'.repeat(10), `//${'AbCd'.repeat(20)}/`.padEnd(302, 'x')];
  const folded = (end: string) => `${front}\r\n ${behind}${end}`;
  const isBlocked = () => true;
  const start = 'DKIM-Signature: v=1; a=rsa-sha256; d=sender.example; s=k1; h=From: Subject;';
  const bodyHash = `bh=${'A'.repeat(43)}=`;

  test.each([
    `${start}\r\n ${bodyHash};\r\n b=${folded('==')}`,
    `${start} b=${folded('==')};\r\n ${bodyHash}`,
    `ARC-Seal: i=1; a=rsa-sha256; cv=none; d=sender.example; s=k1;\r\n b=${folded('==')}`,
    `DKIM-Signature: v=1; a=rsa-sha256; d=sender.example; s=fm2;\r\n h=cc:from:from:to:x-me-proxy:x-me-sender:x-me-sender\r\n :x-sasl-enc; ${bodyHash}`,
    `ARC-Message-Signature: i=1; s=k1;\r\n h=From:Date:X-MS-Exchange-AntiSpam-MessageData-ChunkCount:X-MS-Exchange-AntiSpam-MessageData-0;\r\n ${bodyHash}`,
    'DomainKey-Signature: a=rsa-sha1; c=nofws;\r\n h=mime-version:date\r\n  :x-google-sender-auth:message-id:subject; d=sender.example',
    'X-Google-DKIM-Signature: v=1; h=x-gm-message-state:mime-version : date',
  ])('stays, whatever its digits look like: %s', async (field) =>
    expect(await rootFields(field, { isBlocked })).toBe(`${field}\r\n`),
  );

  test.each([
    `${start} b=${folded('==')}; z= //evil/share/x`,
    `${start} b= //evil/share/x`,
    `${start} b=https://evil.example/x`,
    `${start} b= \\\\evil\\share`,
    `${start} b=${folded('xx==')}`,
    `${start} b=${folded('==')} //evil/share/x`,
    `Comments: b=${folded('==')}`,
    `${start} z=; h=From:https://evil.example/x`,
    `${start} x=ms-word:ofe`,
    'Comments: h=x-me-proxy:x-me-sender',
  ])('goes when something else in it is a blocked link: %s', async (field) =>
    expect(await rootFields(field, { isBlocked })).toBe(''),
  );
});
