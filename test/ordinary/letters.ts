/** What people write to one another, in the shapes of ten programs: each letter as new, as an answer, with a picture and with a file. */
import { base64, filePart, lines, mailOf, multipart, type OrdinaryMail } from './ordinary-mail.ts';

/** What one person writes. Lines of ASCII and of Latin letters. */
export const TEXTS: readonly (readonly string[])[] = [
  ['Hello Bob,', '', 'thank you for the offer. We take it.', '', 'Kind regards', 'Ann'],
  [
    'Dear Bob,',
    '',
    'the minutes of Tuesday:',
    '',
    '1. Budget: 12.500 € for 2027.',
    '2. Holidays: until 2.11.',
    '',
    'Ann',
  ],
  ['Hi,', '', 'the place is at https://maps.example.com/p/4711?z=12, we meet at 10:30.', '', 'Ann'],
  ['Bonjour Bob,', '', 'voilà les documents demandés, à bientôt à l’hôtel.', '', 'Ann'],
  [
    'Hallo Bob,',
    '',
    'anbei die Unterlagen für die Größe „XL“. Viele Grüße aus München',
    '',
    '-- ',
    'Ann Müller',
    'Tel. +49 89 123456',
    'www.sender.example',
  ],
  ['Bob,', '', 'please call me: +1 (555) 010-4711. It is about order #20261120-7, total 1,234.50.', '', 'Ann'],
  [
    'Hi Bob,',
    '',
    '> can you send me the file?',
    '',
    'It is file report.v2.docx in the folder Q3/2026. Ask ann@sender.example.',
    '',
    'A.',
  ],
  ['Team,', '', '* build 2.3.1 is out', '* 14 tests fail, see auth.log', '* release on 1.12.', '', 'Ann'],
];

const QUOTED = [
  'On Thu, 19 Nov 2026 at 10:00, Bob Recipient <bob@recipient.example> wrote:',
  '',
  '> Dear Ann,',
  '> can we meet on Tuesday?',
  '> Bob',
];

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const linked = (text: string) => escaped(text).replace(/https?:\/\/[^\s,<]+/g, (url) => `<a href="${url}">${url}</a>`);

/** Quoted-printable of UTF-8 text with CRLF lines. */
export function quotedPrintable(text: string | Buffer): string {
  return Buffer.from(text)
    .toString('latin1')
    .split('\r\n')
    .map((line) => {
      const escapes = line
        .replace(/[^\t\x20-<>-~]/g, (byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
        .replace(/[ \t]$/, (blank) => (blank === ' ' ? '=20' : '=09'));
      return escapes.replace(/(?!$)(?:=[0-9A-F]{2}|[^=]){60,70}(?!$)/g, '$&=\r\n');
    })
    .join('\r\n');
}

const part = (fields: readonly string[], body: string) => lines(...fields, '', body);
const quoted = (type: string, text: string) =>
  part([`Content-Type: ${type}`, 'Content-Transfer-Encoding: quoted-printable'], quotedPrintable(text));

interface Program {
  readonly name: string;
  readonly fields: readonly string[];
  /** The boundaries of an outer and of an inner multipart. */
  readonly boundaries: readonly [string, string];
  readonly preamble?: string;
  /** The text and the page of a letter as parts; one part alone is the whole body. */
  readonly parts: (text: readonly string[], picture: string | null) => readonly string[];
}

const divs = (text: readonly string[]) =>
  text.map((line) => `<div>${line === '' ? '<br>' : linked(line)}</div>`).join('');
const image = (picture: string | null) =>
  picture === null ? '' : `<img src="cid:${picture}" width="40" height="40" alt="Logo">`;
const word = (text: readonly string[], picture: string | null) =>
  lines(
    '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name="Generator" content="Microsoft Word 15 (filtered medium)"><style><!--',
    '/* Font Definitions */',
    '@font-face {font-family:Calibri; panose-1:2 15 5 2 2 2 4 3 2 4;}',
    'p.MsoNormal, li.MsoNormal, div.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;}',
    'a:link, span.MsoHyperlink {mso-style-priority:99; color:#0563C1; text-decoration:underline;}',
    '@page WordSection1 {size:612.0pt 792.0pt; margin:70.85pt 70.85pt 2.0cm 70.85pt;}',
    'div.WordSection1 {page:WordSection1;}',
    '--></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]--></head>',
    '<body lang="EN-GB" link="#0563C1" vlink="#954F72" style="word-wrap:break-word"><div class="WordSection1">',
    ...text.map(
      (line) => `<p class="MsoNormal">${line === '' ? '<o:p>&nbsp;</o:p>' : `${linked(line)}<o:p></o:p>`}</p>`,
    ),
    `${image(picture)}</div></body></html>`,
  );

const PROGRAMS: readonly Program[] = [
  {
    name: 'Outlook',
    fields: ['X-Mailer: Microsoft Outlook 16.0', 'Thread-Index: AdyqL2w7CxA=', 'Content-Language: en-gb'],
    boundaries: ['----=_NextPart_000_0010_01DC5A2F.6C3B0B10', '----=_NextPart_001_0011_01DC5A2F.6C3B0B10'],
    preamble: 'This is a multipart message in MIME format.',
    parts: (text, picture) => [
      quoted('text/plain;\r\n\tcharset="utf-8"', lines(...text, '')),
      quoted('text/html;\r\n\tcharset="utf-8"', word(text, picture)),
    ],
  },
  {
    name: 'Exchange',
    fields: [
      'Thread-Topic: a letter',
      'Accept-Language: en-GB, en-US',
      'X-MS-Has-Attach:',
      'X-MS-Exchange-CrossTenant-Network-Message-Id: 5f7e2d1c-0000-4711-aaaa-08dc5a2f6c3b',
      'x-ms-publictraffictype: Email',
    ],
    boundaries: ['_004_DB9PR01MB0001EURP190_', '_000_DB9PR01MB0001EURP190_'],
    parts: (text, picture) => [
      part(
        ['Content-Type: text/plain; charset="utf-8"', 'Content-Transfer-Encoding: base64'],
        base64(lines(...text, '')),
      ),
      part(
        ['Content-Type: text/html; charset="utf-8"', 'Content-Transfer-Encoding: base64'],
        base64(word(text, picture)),
      ),
    ],
  },
  {
    name: 'Gmail',
    fields: [
      'X-Gm-Message-State: AOJu0YzK7h1Qd8b3',
      'X-Google-Smtp-Source: AGHT+IFz2xq1',
      'X-Received: by 2002:a17:906:1234 with SMTP id x1-20020a170906; Fri, 20 Nov 2026 02:00:00 -0800 (PST)',
    ],
    boundaries: ['000000000000a1b2c3062e4d5f60', '000000000000a1b2c1062e4d5f5e'],
    parts: (text, picture) => [
      quoted('text/plain; charset="UTF-8"', lines(...text, '')),
      quoted('text/html; charset="UTF-8"', `<div dir="ltr">${divs(text)}${image(picture)}</div>\r\n`),
    ],
  },
  {
    name: 'Apple Mail',
    fields: ['X-Mailer: Apple Mail (2.3774.600.62)'],
    boundaries: [
      'Apple-Mail=_0A1B2C3D-4711-4E5F-8899-AABBCCDDEEFF',
      'Apple-Mail=_1A1B2C3D-4711-4E5F-8899-AABBCCDDEEFF',
    ],
    parts: (text, picture) => [
      part(
        ['Content-Transfer-Encoding: quoted-printable', 'Content-Type: text/plain;\r\n\tcharset=utf-8'],
        quotedPrintable(lines(...text, '')),
      ),
      part(
        ['Content-Transfer-Encoding: quoted-printable', 'Content-Type: text/html;\r\n\tcharset=utf-8'],
        quotedPrintable(
          `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${divs(text)}${image(picture)}<br></body></html>`,
        ),
      ),
    ],
  },
  {
    name: 'iPhone',
    fields: ['X-Mailer: iPhone Mail (23A341)'],
    boundaries: ['Apple-Mail-0A1B2C3D-4711-4E5F-8899-AABBCCDDEEFF', 'Apple-Mail-1A1B2C3D-4711-4E5F-8899-AABBCCDDEEFF'],
    parts: (text) => [
      part(
        ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'],
        base64(lines(...text, '', 'Sent from my iPhone')),
      ),
    ],
  },
  {
    name: 'Thunderbird',
    fields: ['User-Agent: Mozilla Thunderbird', 'Content-Language: en-US'],
    boundaries: ['------------0kLmNoPqRsTuVwXyZ1234567', '------------1kLmNoPqRsTuVwXyZ1234567'],
    preamble: 'This is a multi-part message in MIME format.',
    parts: (text, picture) => [
      part(
        ['Content-Type: text/plain; charset=UTF-8; format=flowed', 'Content-Transfer-Encoding: 8bit'],
        lines(...text, ''),
      ),
      ...(picture === null
        ? []
        : [
            part(
              ['Content-Type: text/html; charset=UTF-8', 'Content-Transfer-Encoding: 8bit'],
              `<!DOCTYPE html>\r\n<html>\r\n  <head>\r\n    <meta http-equiv="content-type" content="text/html; charset=UTF-8">\r\n  </head>\r\n  <body>\r\n    ${divs(text)}${image(picture)}\r\n  </body>\r\n</html>\r\n`,
            ),
          ]),
    ],
  },
  {
    name: 'Mutt',
    fields: ['User-Agent: Mutt/2.2.12 (2023-09-09)', 'Content-Disposition: inline'],
    boundaries: ['ZVwXyZ1234567/8=', 'YVwXyZ1234567/8='],
    parts: (text) => [
      part(['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'], lines(...text, '')),
    ],
  },
  {
    name: 'Alpine',
    fields: ['User-Agent: Alpine 2.26 (DEB 649 2022-06-02)'],
    boundaries: ['0-1234567890-1700000000=:4711', '1-1234567890-1700000000=:4711'],
    preamble:
      '  This message is in MIME format.  The first part should be readable text,\r\n  while the remaining parts are likely unreadable without MIME-aware tools.',
    parts: (text) => [
      part(
        ['Content-Type: text/plain; charset=UTF-8; format=flowed', 'Content-Transfer-Encoding: 8BIT'],
        lines(...text, ''),
      ),
    ],
  },
  {
    name: 'Roundcube',
    fields: ['User-Agent: Roundcube Webmail/1.6.5', 'X-Sender: ann@sender.example'],
    boundaries: ['=_0a1b2c3d4e5f60718293a4b5c6d7e8f9', '=_1a1b2c3d4e5f60718293a4b5c6d7e8f9'],
    parts: (text, picture) => [
      part(
        ['Content-Transfer-Encoding: 8bit', 'Content-Type: text/plain; charset=UTF-8;\r\n format=flowed'],
        lines(...text, ''),
      ),
      part(
        ['Content-Transfer-Encoding: quoted-printable', 'Content-Type: text/html; charset=UTF-8'],
        quotedPrintable(
          `<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /></head><body style='font-size: 10pt; font-family: Verdana,Geneva,sans-serif'>${divs(text)}${image(picture)}</body></html>\r\n`,
        ),
      ),
    ],
  },
  {
    name: 'JavaMail',
    fields: ['X-Mailer: YMailNorrin', 'Feedback-ID: 12345:web'],
    boundaries: ['----=_Part_100_1234567890.1700000000000', '----=_Part_101_1234567890.1700000000001'],
    parts: (text, picture) => [
      quoted('text/plain; charset=UTF-8', lines(...text, '')),
      quoted(
        'text/html; charset=UTF-8',
        `<html><head></head><body><div style="font-family:Helvetica Neue, Helvetica, Arial, sans-serif;font-size:16px;">${divs(text)}${image(picture)}</div></body></html>`,
      ),
    ],
  },
];

/** A multipart with the note of the program. */
function noted(type: string, boundary: string, parts: readonly string[], preamble: string | undefined): string {
  const whole = multipart(type, boundary, parts);
  return preamble === undefined ? whole : whole.replace('\r\n\r\n', `\r\n\r\n${preamble}\r\n\r\n`);
}

interface Extra {
  readonly picture?: boolean;
  readonly file?: string;
}

function letterOf(
  program: Program,
  text: readonly string[],
  subject: string,
  { picture = false, file }: Extra = {},
): Uint8Array {
  const head = { from: 'Ann Müller <ann@sender.example>'.replace('ü', 'ue'), subject, fields: program.fields };
  const cid = 'image001.png@01DC5A2F.6C3B0B10';
  const [outer, inner] = program.boundaries;
  const parts = program.parts(text, picture ? cid : null);
  const isNested = picture || file !== undefined;
  const note = isNested ? undefined : program.preamble;
  const body = parts.length === 1 ? (parts[0] ?? '') : noted('alternative', isNested ? inner : outer, parts, note);
  if (!isNested) return mailOf(head, body);
  const added = picture
    ? lines(
        'Content-Type: image/png; name="image001.png"',
        'Content-Description: image001.png',
        'Content-Disposition: inline; filename="image001.png"',
        `Content-ID: <${cid}>`,
        'Content-Transfer-Encoding: base64',
        '',
        base64(PIXEL),
      )
    : filePart(file ?? '', 'text/plain', lines('Minutes of the meeting', '', '1. Budget', '2. Holidays', ''));
  return mailOf(head, noted(picture ? 'related' : 'mixed', outer, [body, added], program.preamble));
}

/** Every text in every program; some with an answer, a picture or a file. */
export function* letters(): Generator<OrdinaryMail> {
  const letter = (id: string, bytes: Uint8Array): OrdinaryMail => ({ id: `letter ${id}`, group: 'letter', bytes });
  for (const program of PROGRAMS)
    for (const [at, text] of TEXTS.entries()) {
      const { name } = program;
      yield letter(`${name} ${at}`, letterOf(program, text, `Letter ${at}`));
      yield letter(`${name} ${at}, answer`, letterOf(program, [...text, '', ...QUOTED], `Re: Letter ${at}`));
      if (at === 3) yield letter(`${name} ${at}, picture`, letterOf(program, text, 'With a logo', { picture: true }));
      if (at === 4)
        yield letter(
          `${name} ${at}, file`,
          letterOf(program, text, 'With minutes', { file: 'Minutes of 20 November (final).txt' }),
        );
    }
}
