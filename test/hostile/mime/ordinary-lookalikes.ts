/** Ordinary mail that talks about MIME, or quotes it, or has odd names in its header: none of it must be held. */
import type { Case } from './grammar-score.ts';

const HEAD = [
  'Received: from a.example.com by b.example.org; Fri, 20 Nov 2026 11:00:00 +0100',
  'From: a@example.com',
  'To: b@example.org',
  'Subject: t',
];
const mail = (id: string, ...lines: readonly string[]): Case => ({
  id,
  email: Buffer.from([...HEAD, ...lines, ''].join('\r\n'), 'latin1'),
});

/** A message as it stands in a text that quotes it. */
const QUOTED = [
  ...['Return-Path: <a@example.com>', 'Received: (qmail 1 invoked by uid 2); 20 Nov 2026', 'From: a@example.com'],
  ...['To: nobody@example.org', 'Subject: report', 'MIME-Version: 1.0'],
  ...['Content-Type: multipart/mixed; boundary="=_quoted"', '', '--=_quoted', 'Content-Type: text/plain', '', 'hello'],
  ...['--=_quoted', 'Content-Type: image/png; name=a.png', 'Content-Transfer-Encoding: base64', ''],
  ...['iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', '--=_quoted--'],
];
const BOUNCE = ['', 'Hi. This is the mail program at example.org.', '', '<nobody@example.org>: no such user', ''];

export const ORDINARY_LOOKALIKES: readonly Case[] = [
  mail(
    'a bounce that quotes a message with a picture',
    ...BOUNCE,
    '--- Below is a copy of the message.',
    '',
    ...QUOTED,
  ),
  mail(
    'a bounce that quotes a message in base64',
    ...BOUNCE,
    ...[
      'Return-Path: <a@example.com>',
      'From: a@example.com',
      'To: x@example.org',
      'Subject: hi',
      'Content-Type: text/plain',
    ],
    ...['Content-Transfer-Encoding: base64', '', 'SGVsbG8gd29ybGQgSGVsbG8gd29ybGQgSGVsbG8gd29ybGQgSGVsbG8gd29ybGQg'],
  ),
  mail(
    'names that nobody acts on',
    'X-Spam Status: No',
    'X-Foo : bar',
    'X-Original-Content-Type: text/html',
    'X-Content-Type-Options: nosniff',
    '',
    'hi',
  ),
  mail(
    'lists of field names that are folded',
    ...['DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=k1;', '\th=From:To:Subject:MIME-Version:'],
    ...[
      '\tContent-Type:Content-Transfer-Encoding:Message-ID;',
      '\tbh=x; b=y',
      'ARC-Message-Signature: i=1; h=From:Date:',
    ],
    ...[' Content-Type:MIME-Version:X-Test; bh=x;', 'MIME-Version: 1.0', 'Content-Type: text/plain', '', 'hi'],
  ),
  mail(
    'a text about headers',
    '',
    'You need these lines:',
    '',
    'Content-Type: text/html; charset=utf-8',
    'MIME-Version: 1.0',
    '',
    'Then it works.',
  ),
  mail(
    'a text about an encoding',
    '',
    'Write this in the header:',
    '',
    'Content-Transfer-Encoding: base64',
    '',
    'and encode the body.',
  ),
  mail(
    'an answer of a web server',
    '',
    'It says',
    '',
    'HTTP/1.1 200 OK',
    'Content-Type: application/json',
    'Content-Disposition: attachment; filename="x.json"',
    '',
    '{"a":1}',
  ),
  mail('a forwarded text', '', 'From: Bob', 'Sent: Friday', 'To: Ann', 'Subject: x', '', 'hello'),
  mail(
    'quoted source',
    '',
    'The source is',
    '',
    '> Content-Type: multipart/mixed; boundary=x',
    '>',
    '> --x',
    '> Content-Type: text/plain',
    '>',
    '> hi',
  ),
  mail(
    'a patch of a message',
    '',
    '---',
    ' a.eml | 5 +',
    '',
    '+++ b/a.eml',
    '@@ -0,0 +1,5 @@',
    '+Content-Type: multipart/mixed; boundary=x',
    '+',
    '+--x',
    '+Content-Type: text/plain',
    '+',
    '+hi',
    '-- ',
    '2.40',
  ),
  mail('a signature under dashes', '', 'hi', '', '-- ', 'Ann', 'Content manager: all types'),
  mail(
    'the header of a message that failed',
    ...['MIME-Version: 1.0', 'Content-Type: multipart/report; report-type=delivery-status; boundary=rep', '', '--rep'],
    ...['Content-Type: text/plain', '', 'It failed.', '--rep', 'Content-Type: text/rfc822-headers', ''],
    ...[
      'From: a@example.com',
      'Content-Type: multipart/mixed; boundary="=_quoted"',
      'Content-Transfer-Encoding: 7bit',
      '',
      '--rep--',
    ],
  ),
];

/** Names that are odd and in real mail: nobody reads structure from them. */
export const ORDINARY_NAMES: readonly Case[] = [
  'X-Spam Status',
  'X-Foo ',
  'Subject ',
  'Received ',
  'X-Mailer\t',
  'X_Report_Abuse',
  'X-MS-Has-Attach',
  'X-Content-Type',
  'X-Original-Content-Transfer-Encoding',
  'X-Mailer(tm)',
  'Old-Content-Type',
  'Content-Language',
  'Content-Class',
  'Content-MD5',
  'X-MIME-Autoconverted',
  'x.dotted.name',
].map((name) =>
  mail(`the name ${JSON.stringify(name)}`, `${name}: x`, 'MIME-Version: 1.0', 'Content-Type: text/plain', '', 'hello'),
);
