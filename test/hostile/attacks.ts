/** Generates mails that cost careless readers minutes or gigabytes, each as large as the intake accepts. */

export interface Attack {
  readonly name: string;
  /** The mail, of about `bytes` bytes. */
  build(bytes: number): Buffer;
}

const HEAD = 'From: a@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n';
const QP = `${HEAD}Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
const BASE64 = `${HEAD}Content-Type: application/x; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
const MIXED = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n`;
const HTML = `${HEAD}Content-Type: text/html\r\n\r\n`;

/** A mail of `head`, as many `unit`s as fit, and `tail`. */
function flood(name: string, head: string, unit: string, tail = ''): Attack {
  return {
    name,
    build: (bytes) => {
      const count = Math.max(1, Math.floor((bytes - head.length - tail.length) / unit.length));
      return Buffer.concat([
        Buffer.from(head, 'latin1'),
        Buffer.alloc(count * unit.length, Buffer.from(unit, 'latin1')),
        Buffer.from(tail, 'latin1'),
      ]);
    },
  };
}

function numbered(name: string, head: string, unit: (number: number) => string, tail = ''): Attack {
  return {
    name,
    build: (bytes) => {
      // Not joined from a million strings: making the mail must not cost more memory than reading it.
      const email = Buffer.alloc(bytes + head.length + tail.length + unit(bytes).length);
      let size = email.write(head, 'latin1');
      for (let number = 0; size + tail.length < bytes; number++) size += email.write(unit(number), size, 'latin1');
      size += email.write(tail, size, 'latin1');
      return email.subarray(0, size);
    },
  };
}

const BINARY = 'Content-Type: application/x';
const AS_BASE64 = 'Content-Transfer-Encoding: base64';
const level = (number: number) => `Content-Type: multipart/mixed; boundary=b${number}\r\n\r\n--b${number}\r\n`;
/** As many as a message may have parts. */
const MULTIPARTS = 990;

/** Multiparts whose boundaries stand behind everything else. */
function farBoundaries(name: string, unit: string): Attack {
  const each = (text: (number: number) => string) => Array.from({ length: MULTIPARTS }, (_, at) => text(at)).join('');
  const head = each((at) => `--b\r\nContent-Type: multipart/mixed; boundary=c${at}\r\n\r\nx\r\n`);
  return flood(
    name,
    `${MIXED}${head}--b\r\n\r\n`,
    unit,
    each((at) => `--c${at}\r\n`),
  );
}

/** Floods of one thing: lines, escapes, dashes, headers, parts, nesting. */
export const ATTACKS: readonly Attack[] = [
  flood('newlines', `${HEAD}\r\n`, '\n'),
  flood('CRLF newlines', `${HEAD}\r\n`, '\r\n'),
  flood('bare CRs', `${HEAD}\r\n`, '\r'),
  flood('NULs', `${HEAD}\r\n`, '\0'),
  flood('newlines in a part', `${MIXED}--b\r\n\r\n`, '\n', '\r\n--b--\r\n'),
  flood('quoted-printable escapes', QP, '=41'),
  flood('quoted-printable soft breaks', QP, '=\r\n'),
  flood('quoted-printable spaces', QP, ' '),
  flood('quoted-printable short runs of spaces', QP, '          x'),
  flood('quoted-printable padded lines', QP, 'a  \r\n'),
  flood('quoted-printable broken escapes', QP, '=Z'),
  flood('quoted-printable newlines', QP, '\n'),
  flood('base64 of one-character lines', BASE64, 'Q\n'),
  flood('base64 junk', BASE64, '*'),
  flood('base64 padding', BASE64, 'QQ=='),
  flood('base64 URL-safe', BASE64, '-_'),
  flood('dashes', `${MIXED}`, '-'),
  flood('dashed lines', `${MIXED}`, '--\n'),
  flood('almost boundaries', `${MIXED}`, '--bb\n'),
  flood('boundaries', `${MIXED}`, '--b\n'),
  flood('closing boundaries', `${MIXED}`, '--b--\n'),
  flood('boundaries behind bare CRs', `${MIXED}`, '\r--b'),
  flood('headers', HEAD, 'A: b\r\n', '\r\nx'),
  flood('tiny headers', HEAD, 'A:b\n', '\nx'),
  flood('header folds', `${HEAD}X: y\r\n`, ' x\r\n', '\r\nx'),
  flood('a header line without an end', `${HEAD}X: `, 'x'),
  flood('lines that are no header', HEAD, 'no header\r\n'),
  flood('colons in a header', `${HEAD}X: `, ':'),
  flood('Content-Type headers', HEAD, 'Content-Type: text/html\r\n', '\r\nx'),
  flood('parameters', `${HEAD}Content-Type: text/plain`, '; a=b', '\r\n\r\nx'),
  flood('comments', `${HEAD}Content-Type: text/plain `, '(', '\r\n\r\nx'),
  flood('quotes', `${HEAD}Content-Type: text/plain; name="`, '\\"', '\r\n\r\nx'),
  flood('addresses', `${HEAD}To: `, 'a@b.c,', '\r\n\r\nx'),
  flood('encoded words', `${HEAD}Subject: `, '=?utf-8?Q?a?= ', '\r\n\r\nx'),
  flood('a boundary without an end', `${HEAD}Content-Type: multipart/mixed; boundary="`, 'b', '"\r\n\r\nx'),
  flood('begin lines', `${HEAD}\r\n`, 'begin 644 a\n'),
  flood('uuencoded lines', `${HEAD}\r\nbegin 644 a\n`, '#0V%T\n'),
  flood('yEnc begin lines', `${HEAD}\r\n`, '=ybegin line=1 size=1 name=a\n'),
  flood('words', `${HEAD}\r\n`, 'lorem ipsum '),
  flood('table cells', HTML, '<td>a'),
  flood('angle brackets', HTML, '<'),
  flood('an attribute without an end', `${HTML}<a href="`, 'x'),
  flood('Content-Type lines in a text', `${HEAD}\r\n`, 'Content-Type: text/plain\r\n'),
  flood('part headers in a text', `${HEAD}broken\r\n\r\n`, '--x\r\nContent-Type: text/plain\r\n\r\nhello\r\n'),
  flood('parts', MIXED, '--b\r\n\r\nx\r\n', '--b--\r\n'),
  flood('parts with headers', MIXED, `--b\r\n${'A: b\r\n'.repeat(50)}\r\nx\r\n`, '--b--\r\n'),
  flood('messages in messages', '', `${HEAD}Content-Type: message/rfc822\r\n\r\n`, 'x'),
  flood('encoded messages', HEAD, 'Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n'),
  numbered('multiparts in multiparts', HEAD, (n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`),
  numbered('different dashed lines', MIXED, (n) => `--b\r\nContent-Type: multipart/mixed; boundary=c${n}\r\n\r\nx\r\n`),
  numbered('continuations', `${HEAD}Content-Type: text/plain`, (n) => `; name*${n}=a`, '\r\n\r\nx'),
  flood('parts without a blank line', MIXED, '--b\r\nContent-Type: text/plain\r\n'),
  numbered('different parts', MIXED, (n) => `--b\r\n${BINARY}; name=f${n}\r\n\r\nx${n}\r\n`, '--b--\r\n'),
  numbered('empty parts at every level', HEAD, (n) =>
    n % 1_000 === 0 ? `${level(n / 1_000)}` : `--b${Math.floor(n / 1_000)}\r\n\r\n`,
  ),
  numbered(
    'different malformed base64',
    MIXED,
    (n) => `--b\r\n${BINARY}\r\n${AS_BASE64}\r\n\r\n${'QUJD*-_='.repeat(5_000)}${n}\r\n`,
  ),
  numbered(
    'several encodings',
    MIXED,
    (n) => `--b\r\n${BINARY}\r\n${AS_BASE64} quoted-printable x-uuencode 8bit\r\n\r\n${'QUJD'.repeat(10_000)}${n}\r\n`,
  ),
  flood('part headers in a text without dashes', `${HEAD}\r\nhello\r\n`, 'a\nb\nContent-Type:\n\n'),
  numbered('odd field names', HEAD, (n) => `${'=?utf-8?Q?x?=\xe9&#67;%43('.repeat(7)}${n}: b\r\n`, '\r\nx'),
  farBoundaries('boundaries that stand far away', 'lorem ipsum\r\n'),
  farBoundaries('boundaries that stand behind dashed lines', '--z\r\n'),
];
