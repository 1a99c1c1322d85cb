/** Part headers as common programs write them, with names in ten languages. */
import type { MailCase } from './attack-class.ts';

const plainPart = (...fields: readonly string[]) => [...fields, '', 'Notes.', ''].join('\r\n');
const word = (name: string) => `=?UTF-8?B?${Buffer.from(name).toString('base64')}?=`;
const percent = (name: string) =>
  Buffer.from(name)
    .toString('hex')
    .replace(/../g, (hex) => `%${hex.toUpperCase()}`);

/** Each of the parts is a plain text, so that nothing but its header can be changed. */
const PARTS: Readonly<Record<string, string>> = {
  'Gmail, an attachment': plainPart(
    'Content-Type: text/plain; charset="US-ASCII"; name="notes.txt"',
    'Content-Disposition: attachment; filename="notes.txt"',
    'Content-Transfer-Encoding: 7bit',
    'Content-ID: <f_lp1abc2d0>',
    'X-Attachment-Id: f_lp1abc2d0',
  ),
  'Outlook, an attachment': plainPart(
    'Content-Type: text/plain; name="notes.txt"',
    'Content-Description: notes.txt',
    'Content-Disposition: attachment; filename="notes.txt"; size=6;',
    '\tcreation-date="Fri, 20 Nov 2026 12:00:00 GMT";',
    '\tmodification-date="Fri, 20 Nov 2026 12:00:00 GMT"',
    'Content-ID: <0B1C2D3E4F5A@eurprd04.prod.outlook.com>',
    'Content-Transfer-Encoding: 7bit',
  ),
  'Apple Mail, an attachment': plainPart(
    'Content-Disposition: attachment;',
    '\tfilename=notes.txt',
    'Content-Type: text/plain;',
    '\tx-unix-mode=0644;',
    '\tname="notes.txt"',
    'Content-Transfer-Encoding: 7bit',
  ),
  'Thunderbird, an attachment': plainPart(
    'Content-Type: text/plain; charset=UTF-8; name="notes.txt"',
    'Content-Disposition: attachment; filename="notes.txt"',
    'Content-Transfer-Encoding: 7bit',
  ),
  'Thunderbird, a flowed text': plainPart(
    'Content-Type: text/plain; charset=UTF-8; format=flowed; delsp=no',
    'Content-Transfer-Encoding: 7bit',
    'Content-Language: en-US',
  ),
  'a footer of Mailman': plainPart(
    'Content-Type: text/plain; charset="us-ascii"',
    'MIME-Version: 1.0',
    'Content-Transfer-Encoding: 7bit',
    'Content-Disposition: inline',
  ),
  'with a semicolon at the end': plainPart(
    'Content-Type: text/plain; charset=utf-8;',
    'Content-Transfer-Encoding: 8bit',
  ),
  'a signature of PGP': [
    'Content-Type: multipart/signed; micalg=pgp-sha256; protocol="application/pgp-signature"; boundary="s"',
    '',
    '--s',
    'Content-Type: multipart/mixed; boundary="p"; protected-headers="v1"',
    'From: Ana <ana@sender.example>',
    'To: bob@recipient.example',
    'Message-ID: <1@sender.example>',
    'Subject: Hello',
    '',
    '--p',
    'Content-Type: text/plain; charset=UTF-8; format=flowed',
    'Content-Transfer-Encoding: base64',
    '',
    'SGVsbG8u',
    '--p--',
    '',
    '--s',
    'Content-Type: application/pgp-signature; name="OpenPGP_signature.asc"',
    'Content-Description: OpenPGP digital signature',
    'Content-Disposition: attachment; filename="OpenPGP_signature.asc"',
    '',
    '-----BEGIN PGP SIGNATURE-----',
    '',
    'iHUEARYIAB0=',
    '-----END PGP SIGNATURE-----',
    '--s--',
    '',
  ].join('\r\n'),
};

const NAMES = [
  'Grüße aus München.txt',
  "L'été à la plage.txt",
  'Año nuevo – señor.txt',
  'Отчёт за ноябрь.txt',
  '会議の議事録（最終版）.txt',
  '会议记录 2026年.txt',
  '회의록.txt',
  'تقرير.txt',
  'דוח שנתי.txt',
  'Έκθεση.txt',
  'รายงาน.txt',
  'रिपोर्ट.txt',
  'Ghi chú cuộc họp.txt',
  "O'Brien & Söhne (1) [final].txt",
  '👨‍👩‍👧 family ❤️ 2026.txt',
  `${'長い名前の報告書'.repeat(9)}.txt`,
  'Screenshot 2026-11-20 at 10.02.33\u202fAM.txt',
  '100% sure #1, v1.2.txt',
  'notes.2026.11.20.txt',
];

const SPELLINGS: Readonly<Record<string, (name: string) => readonly string[]>> = {
  'encoded words': (name) => [
    `Content-Type: text/plain; charset=utf-8;\r\n name="${word(name)}"`,
    `Content-Disposition: attachment;\r\n filename="${word(name)}"`,
  ],
  'RFC 2231': (name) => [
    'Content-Type: text/plain; charset=utf-8',
    `Content-Disposition: attachment;\r\n filename*=UTF-8''${percent(name)}`,
  ],
  'both, as Gmail': (name) => [
    `Content-Type: text/plain; charset="UTF-8"; name="${word(name)}"`,
    `Content-Disposition: attachment; filename="${word(name)}"`,
    'Content-Transfer-Encoding: 7bit',
  ],
  'raw UTF-8': (name) => [
    'Content-Type: text/plain; charset=utf-8',
    `Content-Disposition: attachment; filename="${Buffer.from(name).toString('latin1')}"`,
  ],
};

const mailOf = (part: string) =>
  [
    'From: Ana <ana@sender.example>',
    'To: bob@recipient.example',
    'Subject: Notes',
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    'Message-ID: <1@sender.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b1"',
    '',
    '--b1',
    part,
    '--b1--',
    '',
  ].join('\r\n');

function* named(): Iterable<MailCase> {
  for (const name of NAMES)
    for (const [how, spell] of Object.entries(SPELLINGS))
      yield { id: `ordinary: ${name} in ${how}`, email: mailOf(plainPart(...spell(name))) };
}

/** Each must come out byte for byte, below the two fields of ours. */
export const ORDINARY_PARTS: readonly MailCase[] = [
  ...Object.entries(PARTS).map(([id, part]) => ({ id: `ordinary: ${id}`, email: mailOf(part) })),
  ...named(),
];
