/** Writes encodings from before MIME, and the texts around them. It shares no code with the reader. */

type Lines = readonly string[];

const uuDigit = (zero: string) => (value: number) => (value === 0 ? zero : String.fromCharCode(0x20 + value));
const XX = '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const HQX = '!"#$%&\'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr';

function sixBits(bytes: Uint8Array, digit: (value: number) => string): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) text += digit((group >> shift) & 0x3f);
  }
  return text;
}

function dataLines(bytes: Buffer, digit: (value: number) => string): string[] {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 45) }, (_, at) => bytes.subarray(at * 45, at * 45 + 45));
  return [...pieces.map((piece) => digit(piece.length) + sixBits(piece, digit)), digit(0), 'end'];
}

function yencLines(bytes: Buffer): string[] {
  const chars = [...bytes].map((byte) => {
    const shifted = (byte + 42) & 0xff;
    return [0, 0x0a, 0x0d, 0x3d].includes(shifted)
      ? `=${String.fromCharCode((shifted + 64) & 0xff)}`
      : String.fromCharCode(shifted);
  });
  return chars.join('').match(/(?:=.|[^=]){1,64}/gs) ?? [];
}

function binhexLines(name: string, data: Buffer): string[] {
  const head = Buffer.alloc(1 + name.length + 1 + 4 + 4 + 2 + 4 + 4 + 2);
  head.writeUInt8(name.length, 0);
  head.write(`${name}\0APPLdosa`, 1, 'latin1');
  head.writeUInt32BE(data.length, 1 + name.length + 11);
  // A run mark that stands for itself is followed by a zero.
  const stream = [...head, ...data, 0, 0, 0, 0].flatMap((byte) => (byte === 0x90 ? [0x90, 0] : [byte]));
  const text = sixBits(Buffer.from(stream), (value) => HQX.charAt(value));
  return (`:${text}:`.match(/.{1,64}/g) ?? []) as string[];
}

const BEGINS = [
  'begin 644 a.exe',
  'begin 0 a.exe',
  'begin 7777 a.exe',
  'begin 100644 a.exe',
  'begin 644',
  'begin 644 my file.exe',
  'begin  0644  a.exe',
  'begin\t644\ta.exe',
  'BEGIN 644 A.EXE',
  'begin a.exe',
  'begin 644a.exe',
  'begin --- a.exe',
  'begin',
];

/** The file in every encoding, by what its first line says. */
export function blocksOf(file: Buffer): Readonly<Record<string, Lines>> {
  const size = file.length;
  const base64 = file.toString('base64').match(/.{1,60}/g) ?? [];
  const uuencoded = BEGINS.flatMap((begin) =>
    (
      [
        ['`', 'backticks'],
        [' ', 'blanks'],
      ] as const
    ).map(
      ([zero, name]) =>
        [`uuencode ${JSON.stringify(begin)} ${name}`, [begin, ...dataLines(file, uuDigit(zero))]] as const,
    ),
  );
  const yenc = [
    `line=64 size=${size} name=a.exe`,
    `size=${size} line=64 name=a.exe`,
    'name=a.exe',
    `line=64 size=${size}`,
    `part=1 total=1 line=64 size=${size} name=a.exe`,
  ];
  return {
    ...Object.fromEntries(uuencoded),
    'uuencode, ends of lines cut': ['begin 644 a.exe', ...dataLines(file, uuDigit(' ')).map((line) => line.trimEnd())],
    'uuencode without an end': ['begin 644 a.exe', ...dataLines(file, uuDigit('`')).slice(0, -2)],
    'base64 form': ['begin-base64 644 a.exe', ...base64, '===='],
    'base64 form with an odd mode': ['begin-base64 0 a.exe', ...base64, '===='],
    'base64 form with an encoded name': ['begin-base64-encoded 644 YS5leGU=', ...base64, '===='],
    xxencode: ['begin 644 a.exe', ...dataLines(file, (value) => XX.charAt(value))],
    ...Object.fromEntries(
      yenc.map((params) => [
        `yEnc ${params}`,
        [
          `=ybegin ${params}`,
          ...(params.startsWith('part') ? [`=ypart begin=1 end=${size}`] : []),
          ...yencLines(file),
          `=yend size=${size}`,
        ],
      ]),
    ),
    BinHex: ['(This file must be converted with BinHex 4.0)', '', ...binhexLines('a.exe', file)],
    'BinHex in other words': ['This file must be converted with BinHex', ...binhexLines('a.exe', file)],
  };
}

const lined = (bytes: Buffer, encoding: 'base64' | 'base64url' | 'hex', length = 64) =>
  bytes.toString(encoding).match(new RegExp(`.{1,${length}}`, 'g')) ?? [];

const der = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content]);
};
/** CMS of a type with the file in it. */
function cmsOf(type: string, file: Buffer): Buffer {
  const id = (digits: string) => Buffer.from(`06${(digits.length / 2).toString(16).padStart(2, '0')}${digits}`, 'hex');
  const content = [id('2a864886f70d010701'), der(0xa0, der(0x04, file))];
  if (type === '01') return der(0x30, ...content);
  const signed = der(0x30, Buffer.from('020101', 'hex'), der(0x31), der(0x30, ...content), der(0x31));
  return der(0x30, id(`2a864886f70d0107${type}`), der(0xa0, signed));
}

const between = (label: string, lines: Lines) => [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`];

/** The file between lines of dashes, and in digits without any line that says so. It must be one that the digits alone show to be a program. */
export function digitsOf(file: Buffer): Readonly<Record<string, Lines>> {
  const base64 = lined(file, 'base64');
  const fields = ['Proc-Type: 4,MIC-ONLY', 'Content-Domain: RFC822', ''];
  return {
    'PEM of PKCS #7': between('PKCS7', lined(cmsOf('02', file), 'base64')),
    'PEM of CMS that is only data': between('CMS', lined(cmsOf('01', file), 'base64')),
    'PEM of a digest': between('CMS', lined(cmsOf('05', file), 'base64')),
    'PEM called a certificate': between('CERTIFICATE', base64),
    'PEM called a key, without an end': between('RSA PRIVATE KEY', base64).slice(0, -1),
    'PEM called anything': between('Any File', base64),
    'PEM with fields': between('PRIVACY-ENHANCED MESSAGE', [...fields, ...base64]),
    'PEM of four dashes': ['---- BEGIN SSH2 PUBLIC KEY ----', ...base64, '---- END SSH2 PUBLIC KEY ----'],
    'bare base64': base64,
    'bare base64 in short lines': lined(file, 'base64', 8),
    'bare base64 in one line': [file.toString('base64')],
    'bare base64 of URLs': lined(file, 'base64url'),
    'a data URL': [`see data:image/png;base64,${file.toString('base64')}`],
    'a value of JSON': [`{"a": "${base64.join('\\n').replaceAll('/', '\\/')}"}`],
    'a part of a message': ['Content-Type: image/png', 'Content-Transfer-Encoding: base64', '', ...base64],
    'bare hexadecimal digits': lined(file, 'hex'),
    'bare hexadecimal digits in capitals': lined(file, 'hex').map((line) => line.toUpperCase()),
  };
}

const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const each = (change: (line: string) => string) => (lines: Lines) => lines.map(change);

/** Begins a line as flowed text must, when the line could be read as something else. */
const stuffed = (line: string) => (/^[ >]|^From /.test(line) ? ` ${line}` : line);

const armorLines = (kind: string, packet: readonly number[], file: Buffer, end = true) => [
  `-----BEGIN PGP ${kind}-----`,
  'Comment: none',
  '',
  ...(Buffer.from([...packet, ...file])
    .toString('base64')
    .match(/.{1,64}/g) ?? []),
  ...(end ? [`-----END PGP ${kind}-----`] : []),
];

/** A file in OpenPGP armor that needs no key to open, by what the armor calls itself: literal and compressed data (RFC 9580 §5.6, §5.9). */
export function armorsOf(file: Buffer): Readonly<Record<string, Lines>> {
  const literal = [0xcb, 6 + 5 + file.length, 0x62, 5, ...Buffer.from('a.exe'), 0, 0, 0, 0];
  return {
    message: armorLines('MESSAGE', literal, file),
    'message without an end': armorLines('MESSAGE', literal, file, false),
    'message in parts': armorLines('MESSAGE, PART 1/1', literal, file),
    'part of unknown many': armorLines('MESSAGE, PART 1', literal, file),
    'compressed message': armorLines('MESSAGE', [0xc8, 200, 0], file),
    'old packet': armorLines('MESSAGE', [0xac, ...literal.slice(1)], file),
    'called a signature': armorLines('SIGNATURE', literal, file),
    'called a key': armorLines('PUBLIC KEY BLOCK', literal, file),
    'called a secret key': armorLines('PRIVATE KEY BLOCK', [0xc8, 200, 0], file),
    'small letters': armorLines('MESSAGE', literal, file).map((line) => line.replace('BEGIN PGP', 'begin pgp')),
  };
}

/** Where the lines stand. */
export const SETTINGS: Readonly<Record<string, { readonly type: string; readonly set: (lines: Lines) => Lines }>> = {
  plain: { type: 'text/plain', set: (lines) => lines },
  'space-stuffed': { type: 'text/plain; format=flowed', set: each((line) => ` ${line}`) },
  'space-stuffed where it must be': {
    type: 'text/plain; format=flowed',
    set: each((line) => (/^[ >]|^From /.test(line) ? ` ${line}` : line)),
  },
  quoted: { type: 'text/plain', set: each((line) => `> ${line}`) },
  'quoted twice': { type: 'text/plain', set: each((line) => `>> ${line}`) },
  indented: { type: 'text/plain', set: each((line) => `\t${line}`) },
  'behind a name': { type: 'text/plain', set: each((line) => `Ana> ${line}`) },
  'with soft ends of lines': {
    type: 'text/plain; format=flowed; delsp=yes',
    set: (lines) =>
      lines.map((line) => line.trimEnd()).flatMap((line) => [`${stuffed(line.slice(0, 9))} `, stuffed(line.slice(9))]),
  },
  'in paragraphs': { type: 'text/html', set: (lines) => lines.map((line) => `<p>${escaped(line)}</p>`) },
  'on lines of a page': { type: 'text/html', set: (lines) => lines.map((line) => `${escaped(line)}<br>`) },
  'in a page': {
    type: 'text/html',
    set: (lines) => ['<html><body><pre>', ...lines.map(escaped), '</pre></body></html>'],
  },
};

/** Certificates as PKCS #7: signed by nobody, with no content (RFC 5652 §5.2). */
function certificatesAlone(): Buffer {
  const info = Buffer.from('300b06092a864886f70d010701', 'hex');
  const signed = der(0x30, Buffer.from('020101', 'hex'), der(0x31), info, der(0xa0, Buffer.alloc(200, 7)), der(0x31));
  return der(0x30, Buffer.from('06092a864886f70d010702', 'hex'), der(0xa0, signed));
}

/** Texts that only talk about it. */
export const ORDINARY_TEXTS: readonly string[] = [
  'begin 3 of us and see who comes.\nThe rest follows later.',
  'We\nbegin 644 times a day, as discussed.\nRegards',
  'begin\n  x := 1;\nend.',
  'begin transaction;\nINSERT INTO T VALUES (1);\nend;',
  'To send it write\nbegin 644 name\nand then the data, and\nend',
  '(This file must be converted with BinHex 4.0)\nis what such a file begins with.',
  'Lines such as =ybegin line=128 are what yEnc begins with.',
  '> begin again\n> and again\nNo, thanks.',
  'BEGIN PGP is not what follows.\nBEGIN:VCARD\nEND:VCARD',
  '   begin here\n   end there',
  'What begins with\n-----BEGIN PGP MESSAGE-----\nis closed to us, and so on.',
  '> -----BEGIN PGP SIGNED MESSAGE-----\n> Hash: SHA256\n>\n> Hello\n> -----BEGIN PGP SIGNATURE-----\n>\n> iHUEABYKAB0WIQQAAAAAAAAAAAAA\n> =AAAA\n> -----END PGP SIGNATURE-----',
  // Keys, certificates and signatures as people send them: whole, cut, by themselves and in chains.
  between(
    'CERTIFICATE',
    lined(der(0x30, der(0x30, Buffer.alloc(300, 7)), der(0x03, Buffer.alloc(70, 9))), 'base64'),
  ).join('\n'),
  between('CERTIFICATE', ['MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ', '...']).join('\n'),
  between('PKCS7', lined(certificatesAlone(), 'base64')).join('\n'),
  between('RSA PRIVATE KEY', [
    ...['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF', ''],
    ...lined(Buffer.alloc(200, '\xd9\x8b\x11\x83', 'latin1'), 'base64'),
  ]).join('\n'),
  between('OPENSSH PRIVATE KEY', lined(Buffer.from(`openssh-key-v1\0${'\0\x01\x7f'.repeat(90)}`), 'base64', 70)).join(
    '\n',
  ),
  between('LICENSE', [
    'Ana Example',
    'EA7E-890007',
    '0A1B2C3D 4E5F6071 8293A4B5 C6D7E8F9',
    '0A1B2C3D 4E5F6071 8293A4B5 C6D7E8F9',
  ]).join('\n'),
  '---- BEGIN SSH2 PUBLIC KEY ----\nComment: "ana"\nAAAAB3NzaC1yc2EAAAADAQABAAABAQC7\n---- END SSH2 PUBLIC KEY ----',
  // Other things in digits: a token, a picture, a document in JSON, a hash, and words about them.
  `token: ${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.alloc(90, 5).toString('base64url')}`,
  `background: url(data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1').toString('base64')})`,
  `{"invoice": "${Buffer.from('%PDF-1.7 words and more words').toString('base64')}"}`,
  'sha256: 4d5a90000300000004000000ffff0000b800000000000000400000000000abcd',
  'Every zip begins with UEsDBBQ in base64, and every program with TVqQAAMAAAAEAAAA.\nIyEv is a script, as in IyEvYmluL3No alone.',
  `TVqQAA${'Az09'.repeat(60)}`,
  '-----BEGIN PGP PUBLIC KEY BLOCK-----\nComment: of Ana\n\nxsDNBGExampleExampleExample\n=AAAA\n-----END PGP PUBLIC KEY BLOCK-----',
];
