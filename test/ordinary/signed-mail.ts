/**
 * Signed and encrypted mail in the shapes that programs write, with signatures of OpenSSL and GnuPG. The mails are committed below
 * test/fixtures/signed (`npx tsx test/ordinary/write-signed.ts` writes them anew), so that no test needs the programs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { buildPng } from '../fixtures/build-image.ts';
import { SIGNER, type SigningTools } from './signing-tools.ts';

export interface OrdinaryMail {
  readonly id: string;
  readonly group: 'signed' | 'encrypted';
  readonly bytes: Buffer;
}

const FOLDER = join(import.meta.dirname, '../fixtures/signed');

/** The mails as they are committed. */
export function* signedMail(): Generator<OrdinaryMail> {
  for (const file of readdirSync(FOLDER)
    .filter((name) => name.endsWith('.eml'))
    .sort()) {
    const [group = '', id = ''] = file.slice(0, -'.eml'.length).split('_');
    yield { id, group: group as OrdinaryMail['group'], bytes: readFileSync(join(FOLDER, file)) };
  }
}

/** A policy that trusts whoever signed the committed mails. */
export const trustingPolicy = (): Policy =>
  parsePolicy(JSON.stringify({ signed: { authorities: [committed('authority.pem')], keys: [committed('key.asc')] } }));

/** What verifies the committed mails: the certificate of the authority (PEM), and the OpenPGP key (armor). */
export const committed = (name: 'authority.pem' | 'key.asc'): string => readFileSync(join(FOLDER, name), 'utf8');

const crlf = (text: string) => text.replace(/\r?\n/g, '\r\n');
const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n`;
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/(.{64})/g, '$1\r\n');

function head(subject: string, ...fields: readonly string[]): string {
  return lines(
    `From: Alice Example <${SIGNER}>`,
    'To: Bob Example <bob@recipient.example>',
    `Subject: ${subject}`,
    'Date: Mon, 2 Mar 2026 10:00:00 +0100',
    `Message-ID: <${subject.replace(/\W+/g, '-').toLowerCase()}@signed.example>`,
    'MIME-Version: 1.0',
    ...fields,
    '',
  );
}

/** An entity without the line break that belongs to the delimiter behind it. */
const entity = (...all: readonly string[]) => all.join('\r\n');

interface Multipart {
  readonly type: readonly string[];
  readonly boundary: string;
  readonly preamble?: string;
  readonly parts: readonly string[];
}

function multipart(subject: string, { type, boundary, preamble, parts }: Multipart): Buffer {
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('');
  const before = preamble === undefined ? '' : `${preamble}\r\n\r\n`;
  return Buffer.from(`${head(subject, ...type)}${before}${body}--${boundary}--\r\n`);
}

const TEXT = entity(
  'Content-Type: text/plain; charset=utf-8; format=flowed',
  'Content-Transfer-Encoding: 8bit',
  '',
  'Dear Bob,',
  '',
  'the meeting about the budget is on Tuesday at ten, in the café.',
  '',
  'Alice',
  '',
);

const OUTLOOK = entity(
  'Content-Type: multipart/alternative;',
  '\tboundary="----=_NextPart_001_0001_01DCAA2F.6C3B0B10"',
  '',
  '',
  '------=_NextPart_001_0001_01DCAA2F.6C3B0B10',
  'Content-Type: text/plain;',
  '\tcharset="us-ascii"',
  'Content-Transfer-Encoding: 7bit',
  '',
  'Dear Bob,',
  '',
  'the meeting is on Tuesday.',
  '',
  '',
  '------=_NextPart_001_0001_01DCAA2F.6C3B0B10',
  'Content-Type: text/html;',
  '\tcharset="us-ascii"',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<html><head><meta http-equiv=3DContent-Type content=3D"text/html; charset=3Dus-ascii"></head>',
  '<body lang=3DEN-GB><div class=3DWordSection1><p class=3DMsoNormal>Dear Bob,</p>',
  '<p class=3DMsoNormal>the meeting is on <b>Tuesday</b>.</p></div></body></html>',
  '',
  '------=_NextPart_001_0001_01DCAA2F.6C3B0B10--',
  '',
);

const APPLE = entity(
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Type: text/plain;',
  '\tcharset=utf-8',
  '',
  'Dear Bob,',
  '',
  'the meeting is in the caf=C3=A9 on Tuesday.',
  '',
  'Alice=',
);

const MUTT = entity(
  'Content-Type: text/plain; charset=us-ascii',
  'Content-Disposition: inline',
  '',
  'Dear Bob,',
  '',
  'on Tuesday.',
  '',
);

const WITH_TABLE = entity(
  'Content-Type: multipart/mixed; boundary="mixed1"',
  '',
  '--mixed1',
  TEXT,
  '--mixed1',
  'Content-Type: text/plain; charset=utf-8; name="minutes.txt"',
  'Content-Disposition: attachment; filename="minutes.txt"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('1. Budget\r\n2. Other business\r\n').toString('base64'),
  '--mixed1--',
  '',
);

/** The logo of a company below a letter. */
const WITH_LOGO = entity(
  'Content-Type: multipart/related;',
  '\tboundary="----=_NextPart_002_0002_01DCAA2F.6C3B0B10"',
  '',
  '',
  '------=_NextPart_002_0002_01DCAA2F.6C3B0B10',
  'Content-Type: text/html;',
  '\tcharset="us-ascii"',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<html><head><meta http-equiv=3DContent-Type content=3D"text/html; charset=3Dus-ascii"></head>',
  '<body lang=3DEN-GB><p>Dear Bob,</p><p>the meeting is on <b>Tuesday</b>.</p>',
  '<p><img width=3D24 height=3D16 src=3D"cid:image001.png@01DCAA2F.6C3B0B10"></p></body></html>',
  '',
  '------=_NextPart_002_0002_01DCAA2F.6C3B0B10',
  'Content-Type: image/png;',
  '\tname="image001.png"',
  'Content-Transfer-Encoding: base64',
  'Content-ID: <image001.png@01DCAA2F.6C3B0B10>',
  '',
  base64(Buffer.from(buildPng({ width: 24, height: 16 }))),
  '',
  '------=_NextPart_002_0002_01DCAA2F.6C3B0B10--',
  '',
);

/** Thunderbird signs the headers, too, and attaches the key. */
const thunderbird = (key: string) =>
  entity(
    'Content-Type: multipart/mixed; boundary="------------tb1";',
    ' protected-headers="v1"',
    `From: Alice Example <${SIGNER}>`,
    'To: Bob Example <bob@recipient.example>',
    'Message-ID: <pgp-signed-by-thunderbird@signed.example>',
    'Subject: PGP signed by Thunderbird',
    '',
    '--------------tb1',
    'Content-Type: multipart/mixed; boundary="------------tb2"',
    '',
    '--------------tb2',
    'Content-Type: text/plain; charset=UTF-8; format=flowed',
    'Content-Transfer-Encoding: base64',
    '',
    base64(Buffer.from('Dear Bob,\r\n\r\nthe meeting is in the café.\r\n')),
    '',
    '--------------tb2',
    'Content-Type: application/pgp-keys; name="OpenPGP_0x0123456789ABCDEF.asc"',
    'Content-Disposition: attachment; filename="OpenPGP_0x0123456789ABCDEF.asc"',
    'Content-Description: OpenPGP public key',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    crlf(key).replaceAll('=', '=3D'),
    '',
    '--------------tb2--',
    '',
    '--------------tb1--',
    '',
  );

const smimePart = (fields: readonly string[], bytes: Buffer) => entity(...fields, '', base64(bytes), '');
const ARMOR_FIELDS = {
  mutt: ['Content-Type: application/pgp-signature; name="signature.asc"'],
  apple: [
    'Content-Transfer-Encoding: 7bit',
    'Content-Disposition: attachment;',
    '\tfilename=signature.asc',
    'Content-Type: application/pgp-signature;',
    '\tname=signature.asc',
    'Content-Description: Message signed with OpenPGP',
  ],
  thunderbird: [
    'Content-Type: application/pgp-signature; name="OpenPGP_signature.asc"',
    'Content-Description: OpenPGP digital signature',
    'Content-Disposition: attachment; filename="OpenPGP_signature.asc"',
  ],
} as const;

function pgpSigned(subject: string, content: string, program: keyof typeof ARMOR_FIELDS, tools: SigningTools): Buffer {
  const armor = crlf(tools.pgpSignature(Buffer.from(content)));
  return multipart(subject, {
    type: [
      'Content-Type: multipart/signed; micalg=pgp-sha512;',
      '\tprotocol="application/pgp-signature"; boundary="pgp=_1.sig"',
    ],
    boundary: 'pgp=_1.sig',
    ...(program === 'thunderbird' && { preamble: 'This is an OpenPGP/MIME signed message (RFC 4880 and 3156)' }),
    parts: [content, entity(...ARMOR_FIELDS[program], '', armor)],
  });
}

function smimeSigned(
  subject: string,
  content: string,
  tools: SigningTools,
  program: 'outlook' | 'apple' | 'thunderbird',
): Buffer {
  const signature = tools.signature(Buffer.from(content));
  const boundary = {
    outlook: '----=_NextPart_000_0000_01DCAA2F.6C3B0B10',
    apple: 'Apple-Mail=_0A1B2C3D',
    thunderbird: '------------ms020304',
  }[program];
  const quoted = (name: string) => (program === 'apple' ? name : `"${name}"`);
  return multipart(subject, {
    type: [
      'Content-Type: multipart/signed;',
      `\tprotocol="application/${program === 'outlook' ? 'x-' : ''}pkcs7-signature";`,
      `\tmicalg=${program === 'outlook' ? 'SHA-256' : 'sha-256'};`,
      `\tboundary="${boundary}"`,
      ...(program === 'outlook'
        ? ['X-Mailer: Microsoft Outlook 16.0', 'Thread-Index: AdyqL2w7CxA=', 'Content-Language: en-gb']
        : []),
    ],
    boundary,
    ...(program === 'outlook' && { preamble: 'This is a multipart message in MIME format.' }),
    ...(program === 'thunderbird' && { preamble: 'This is a cryptographically signed message in MIME format.' }),
    parts: [
      content,
      smimePart(
        [
          `Content-Type: application/pkcs7-signature; name=${quoted('smime.p7s')}`,
          'Content-Transfer-Encoding: base64',
          `Content-Disposition: attachment; filename=${quoted('smime.p7s')}`,
          ...(program === 'thunderbird' ? ['Content-Description: S/MIME Cryptographic Signature'] : []),
        ],
        signature,
      ),
    ],
  });
}

function smimeClosed(subject: string, bytes: Buffer, type: string, ...fields: readonly string[]): Buffer {
  const all = [
    `Content-Type: application/pkcs7-mime; smime-type=${type}; name="smime.p7m"`,
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment; filename="smime.p7m"',
    ...fields,
  ];
  return Buffer.from(`${head(subject, ...all)}${base64(bytes)}\r\n`);
}

function pgpEncrypted(
  subject: string,
  content: string,
  program: 'thunderbird' | 'mutt' | 'apple',
  tools: SigningTools,
): Buffer {
  const name = program === 'mutt' ? 'msg.asc' : 'encrypted.asc';
  const isNamed = program !== 'mutt';
  return multipart(subject, {
    type: [
      'Content-Type: multipart/encrypted;',
      ' protocol="application/pgp-encrypted";',
      ' boundary="------------enc1"',
    ],
    boundary: '------------enc1',
    ...(isNamed && { preamble: 'This is an OpenPGP/MIME encrypted message (RFC 4880 and 3156)' }),
    parts: [
      entity(
        'Content-Type: application/pgp-encrypted',
        ...(isNamed ? ['Content-Description: PGP/MIME version identification'] : ['Content-Disposition: attachment']),
        '',
        'Version: 1',
        '',
      ),
      entity(
        isNamed ? `Content-Type: application/octet-stream; name="${name}"` : 'Content-Type: application/octet-stream',
        ...(isNamed ? ['Content-Description: OpenPGP encrypted message'] : []),
        `Content-Disposition: ${program === 'mutt' ? 'attachment' : 'inline'}; filename="${name}"`,
        '',
        crlf(tools.pgpMessage(Buffer.from(content))),
      ),
    ],
  });
}

const plain = (subject: string, text: string) =>
  Buffer.from(
    `${head(subject, 'Content-Type: text/plain; charset=us-ascii', 'Content-Transfer-Encoding: 7bit')}${crlf(text)}`,
  );

/** The same mails with new signatures. The file of a mail is called after its group and its id. */
export function* makeSignedMail(tools: SigningTools): Generator<OrdinaryMail> {
  const signed = (id: string, bytes: Buffer): OrdinaryMail => ({ id, group: 'signed', bytes });
  const encrypted = (id: string, bytes: Buffer): OrdinaryMail => ({ id, group: 'encrypted', bytes });
  yield signed('smime-clear-outlook', smimeSigned('Signed by Outlook', OUTLOOK, tools, 'outlook'));
  yield signed('smime-clear-apple', smimeSigned('Signed by Apple Mail', APPLE, tools, 'apple'));
  yield signed('smime-clear-thunderbird', smimeSigned('Signed by Thunderbird', TEXT, tools, 'thunderbird'));
  yield signed('smime-clear-attachment', smimeSigned('Signed with minutes', WITH_TABLE, tools, 'thunderbird'));
  yield signed(
    'smime-opaque-outlook',
    smimeClosed(
      'Opaque by Outlook',
      tools.opaque(Buffer.from(OUTLOOK)),
      'signed-data',
      'X-Mailer: Microsoft Outlook 16.0',
    ),
  );
  yield signed(
    'smime-opaque-attachment',
    smimeClosed('Opaque with minutes', tools.opaque(Buffer.from(WITH_TABLE)), 'signed-data'),
  );
  yield signed('smime-clear-logo', smimeSigned('Signed with a logo', WITH_LOGO, tools, 'outlook'));
  yield signed(
    'smime-opaque-logo',
    smimeClosed('Opaque with a logo', tools.opaque(Buffer.from(WITH_LOGO)), 'signed-data'),
  );
  yield signed('pgp-clear-logo', pgpSigned('PGP signed with a logo', WITH_LOGO, 'apple', tools));
  yield signed(
    'pgp-clear-thunderbird',
    pgpSigned('PGP signed by Thunderbird', thunderbird(tools.publicKey), 'thunderbird', tools),
  );
  yield signed('pgp-clear-mutt', pgpSigned('PGP signed by Mutt', MUTT, 'mutt', tools));
  yield signed('pgp-clear-apple', pgpSigned('PGP signed by Apple Mail', APPLE, 'apple', tools));
  yield signed(
    'pgp-inline-gnupg',
    plain('PGP signed text', tools.pgpClear('Dear Bob,\n\n- the meeting is on Tuesday.\n')),
  );
  yield encrypted(
    'smime-outlook',
    smimeClosed(
      'Encrypted by Outlook',
      tools.envelope(Buffer.from(OUTLOOK)),
      'enveloped-data',
      'X-Mailer: Microsoft Outlook 16.0',
    ),
  );
  yield encrypted(
    'smime-gcm',
    smimeClosed('Encrypted with GCM', tools.envelope(Buffer.from(TEXT), true), 'authEnveloped-data'),
  );
  yield encrypted(
    'smime-thunderbird',
    smimeClosed(
      'Encrypted by Thunderbird',
      tools.envelope(Buffer.from(TEXT)),
      'enveloped-data',
      'Content-Description: S/MIME Encrypted Message',
    ),
  );
  yield encrypted('pgp-thunderbird', pgpEncrypted('Encrypted by Thunderbird with PGP', TEXT, 'thunderbird', tools));
  yield encrypted('pgp-mutt', pgpEncrypted('Encrypted by Mutt', MUTT, 'mutt', tools));
  yield encrypted('pgp-apple', pgpEncrypted('Encrypted by GPG Suite', APPLE, 'apple', tools));
  yield encrypted(
    'pgp-inline-gnupg',
    plain(
      'PGP encrypted text',
      `Hello Bob,\n\n${tools.pgpMessage(Buffer.from('the meeting is on Tuesday.\n'))}\n-- \nAlice\n`,
    ),
  );
}
