/** Mail as ordinary programs write it, in the shapes that differ for a reader. Texts are ours; addresses are example ones. */
import { base64, HTML, lines, mail, multipart, PDF, PICTURE, TEXT } from './mail-builder.ts';
import { type OrdinaryMail, SINGLE_PART_MAIL, shape } from './single-part-mail.ts';

const FORWARDED = lines(
  ...['From: carol@example.net', 'To: ann@example.com', 'Subject: original', 'MIME-Version: 1.0', ''].slice(0, 4),
  multipart('mixed', 'inner_b', [TEXT, PDF]),
);
const MESSAGE_PART = `Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename="original.eml"\r\n\r\n${FORWARDED}`;

const bare = (email: Buffer) => Buffer.from(email.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
const b = (type: string) => `body ${type}`;
const a = (type: string) => `attachment ${type}`;
const BOTH = [b('text/plain'), b('text/html')];
const mixed = mail(multipart('mixed', '=_mixed 1', [multipart('alternative', '=_mixed 1_alt', [TEXT, HTML]), PDF]));

const MULTI: readonly OrdinaryMail[] = [
  shape(
    'an empty text beside an HTML body',
    mail(multipart('alternative', 'e', ['Content-Type: text/plain\r\n\r\n', HTML])),
    ...BOTH,
  ),
  shape('alternative, as Gmail', mail(multipart('alternative', '000000000000c0ffee0642', [TEXT, HTML])), ...BOTH),
  shape('mixed with an alternative inside', mixed, ...BOTH, a('application/pdf')),
  shape('the same with bare LF', bare(mixed), ...BOTH, a('application/pdf')),
  shape(
    'related in mixed, as Outlook',
    mail(
      'X-MS-Has-Attach: yes',
      'Thread-Index: AdvA',
      multipart('mixed', '_004_DB9PR04MB_', [
        multipart('related', '_003_DB9PR04MB_', [multipart('alternative', '_000_DB9PR04MB_', [TEXT, HTML]), PICTURE]),
        PDF,
      ]),
    ),
    ...BOTH,
    a('image/png'),
    a('application/pdf'),
  ),
  shape(
    'alternative around related, as Apple Mail',
    mail(
      'Mime-Version: 1.0 (Mac OS X Mail 16.0 \\(3774.100\\))',
      multipart('alternative', 'Apple-Mail=_0B1C', [
        TEXT,
        multipart('related', 'Apple-Mail=_2D3E', [HTML.replace('"utf-8"', 'utf-8'), PICTURE]),
      ]),
    ),
    ...BOTH,
    a('image/png'),
  ),
  shape(
    'the customary note, as Thunderbird',
    mail(multipart('mixed', '------------k1', [TEXT, PDF], 'This is a multi-part message in MIME format.\r\n')),
    b('text/plain'),
    a('application/pdf'),
  ),
  shape(
    'a folded boundary parameter',
    mail(
      'Content-Type: multipart/mixed;',
      '\tboundary="----=_NextPart_000_0001"',
      '',
      '------=_NextPart_000_0001',
      TEXT,
      '------=_NextPart_000_0001--',
      '',
    ),
    b('text/plain'),
  ),
  shape(
    'an unquoted boundary',
    mail('Content-Type: multipart/mixed; boundary=abc; charset=utf-8', '', '--abc', TEXT, '--abc--', ''),
    b('text/plain'),
  ),
  shape(
    'white space behind the delimiters',
    mail('Content-Type: multipart/mixed; boundary=abc', '', '--abc  ', TEXT, '--abc\t', PDF, '--abc-- ', ''),
    b('text/plain'),
    a('application/pdf'),
  ),
  shape(
    'no line break after the last delimiter',
    mail('Content-Type: multipart/mixed; boundary=abc', '', '--abc', TEXT, '--abc--'),
    b('text/plain'),
  ),
  shape(
    'parts without headers or bodies',
    mail(
      'Content-Type: multipart/mixed; boundary=abc',
      '',
      '--abc',
      '',
      'text',
      '--abc',
      'Content-Type: text/html',
      '',
      '--abc',
      'Content-Type: text/plain',
      '',
      '',
      '--abc--',
      '',
    ),
    b('text/plain'),
    b('text/html'),
    b('text/plain'),
  ),
  shape(
    'blank lines before and after the parts',
    mail('Content-Type: multipart/mixed; boundary=abc', '', '', '', '--abc', TEXT, '--abc--', '', '', ''),
    b('text/plain'),
  ),
  shape(
    'a mailing list footer as a part',
    mail(
      'List-Unsubscribe: <https://lists.example.org/u>',
      multipart('mixed', '===============123==', [
        TEXT,
        lines(
          'Content-Type: text/plain; charset="us-ascii"',
          'MIME-Version: 1.0',
          'Content-Transfer-Encoding: 7bit',
          'Content-Disposition: inline',
          '',
          '____',
          'list@example.org',
          '',
        ),
      ]),
    ),
    b('text/plain'),
    b('text/plain'),
  ),
  shape(
    'a newsletter',
    mail(
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'X-Mailer: Letters 3',
      multipart('alternative', '_----------=_MCPart_1', [TEXT.replace('utf-8', 'UTF-8'), HTML]),
    ),
    ...BOTH,
  ),
  shape(
    'PGP/MIME signed',
    mail(
      multipart('signed; micalg=pgp-sha256; protocol="application/pgp-signature"', 'sig1', [
        TEXT,
        lines(
          'Content-Type: application/pgp-signature; name="signature.asc"',
          'Content-Description: OpenPGP digital signature',
          '',
          '-----BEGIN PGP SIGNATURE-----',
          '',
          'iHUEARYIAB0=',
          '-----END PGP SIGNATURE-----',
        ),
      ]),
    ),
    b('text/plain'),
    a('application/pgp-signature'),
  ),
  shape(
    'a delivery report',
    mail(
      multipart('report; report-type=delivery-status', '9F1.1', [
        lines('Content-Description: Notification', 'Content-Type: text/plain; charset=us-ascii', '', 'It failed.', ''),
        lines(
          'Content-Type: message/delivery-status',
          '',
          'Reporting-MTA: dns; in.example.org',
          '',
          'Final-Recipient: rfc822; x@example.org',
          'Action: failed',
          '',
        ),
        lines('Content-Type: text/rfc822-headers', '', 'From: a@example.com', 'Subject: hi', ''),
      ]),
    ),
    b('text/plain'),
    a('message/delivery-status'),
    a('text/rfc822-headers'),
  ),
  shape(
    'an invitation',
    mail(
      multipart('alternative', 'cal', [
        TEXT,
        lines(
          'Content-Type: text/calendar; charset="utf-8"; method=REQUEST',
          'Content-Transfer-Encoding: base64',
          '',
          base64('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'),
        ),
      ]),
    ),
    b('text/plain'),
    a('text/calendar'),
  ),
  shape(
    'a forwarded message with an attachment',
    mail(multipart('mixed', 'outer_b', [TEXT, MESSAGE_PART])),
    b('text/plain'),
    b('text/plain'),
    a('application/pdf'),
  ),
  shape(
    'a digest',
    mail(
      multipart('digest', 'dig', [
        `\r\n${lines('From: a@example.com', 'Subject: one', '', 'first', '')}`,
        `\r\n${lines('From: b@example.com', 'Subject: two', '', 'second', '')}`,
      ]),
    ),
    b('text/plain'),
    b('text/plain'),
  ),
  shape(
    'names in RFC 2231 and RFC 2047',
    mail(
      multipart('mixed', 'n', [
        TEXT,
        lines(
          'Content-Type: application/pdf;',
          ' name="=?UTF-8?B?R3LDvMOfZS5wZGY=?="',
          'Content-Disposition: attachment;',
          " filename*0*=utf-8''Gr%C3%BC;",
          ' filename*1*=%C3%9Fe.pdf',
          'Content-Transfer-Encoding: base64',
          '',
          base64('%PDF'),
        ),
      ]),
    ),
    b('text/plain'),
    a('application/pdf'),
  ),
];

export const ORDINARY_MAIL: readonly OrdinaryMail[] = [...SINGLE_PART_MAIL, ...MULTI];
