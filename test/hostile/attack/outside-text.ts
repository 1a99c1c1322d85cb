/** Text outside of the parts of a multipart, which nothing analyses: links, headers, boundaries and encoded files in it. */
import { type MailCase, mailAttack } from './attack-class.ts';
import { linksOrAddressesOthersMark } from './linkifiers.ts';

const ENCODED = Buffer.from('MZ a program that nobody judged').toString('base64');

/** What some program acts on; MARK stands in what must not arrive. */
const LINES: Readonly<Record<string, string>> = {
  'a link': 'Go to https://mark.evil-host.com/a now',
  'a bare host': 'Go to mark.evil-host.com now',
  'a host at the end of a sentence': 'Go to mark.evil-host.com.',
  'a host of one label': 'Go to www.mark now',
  'a host behind a dash': 'Go to-mark.evil-host.com now',
  'a host with a blank in it': 'Go to mark .com or mark. com',
  'an address': 'Write to mark@evil-host.com',
  'a number of a host': 'Go to 198.51.100.7',
  'a share': 'Open \\\\mark\\share\\a.exe',
  'a scheme': 'Open ms-word:ofe|u|mark',
  'a page': '<a href="https://mark.evil-host.com">here</a>',
  'half a page': '<img src=x onerror=mark()>',
  'an entity': '&#104;ttp&#58;mark',
  'a header': 'Content-Type: text/html; name=mark.exe',
  'a header with a blank': 'Content-Type : text/html; name=mark.exe',
  'a header that goes on': ' boundary=mark',
  'a delimiter': '--mark',
  'a delimiter in a line': 'a --mark',
  'an mbox line': 'From mark Fri Nov 20 2026',
  uuencode: `begin 644 mark.exe\r\n${'M'.repeat(30)}\r\nend`,
  yenc: '=ybegin line=128 size=3 name=mark.exe',
  base64: ENCODED,
  'base64 in words': ENCODED.replace(/.{4}/g, '$& '),
  'quoted-printable': 'a=20mark',
  'utf-7': '+ADw-mark+AD4-',
  'a word of a header': '=?utf-8?q?mark?=',
  'iso-2022': '\x1b$Bmark\x1b(B',
  pgp: '-----BEGIN PGP MESSAGE-----\r\n\r\nmark\r\n-----END PGP MESSAGE-----',
  binhex: '(This file must be converted with BinHex 4.0)\r\n\r\n:mark:',
  'a bare CR': 'mark\rContent-Type: text/html',
  'a byte of zero': 'ma\0rk',
  'letters beyond ASCII': 'm\xc3\xa4rk',
};

const NOTE = 'This is a multi-part message in MIME format.\r\n';
const TEXT = 'Content-Type: text/plain; charset=us-ascii\r\n\r\nHello Bob\r\n';
const body = (front: string, behind: string) => `${front}--b1\r\n${TEXT}\r\n--b1--\r\n${behind}`;
const mail = (inside: string) =>
  `From: a@sender.example\r\nTo: b@recipient.example\r\nSubject: x\r\nMIME-Version: 1.0\r\n${inside}`;
const TYPE = 'Content-Type: multipart/mixed; boundary=b1\r\n\r\n';
const inner = (whole: string) =>
  `Content-Type: multipart/mixed; boundary=o1\r\n\r\n--o1\r\n${TYPE}${whole}\r\n--o1--\r\n`;

const PLACES: Readonly<Record<string, (line: string) => string>> = {
  'in front': (line) => mail(TYPE + body(`${line}\r\n`, '')),
  'in front, behind a note': (line) => mail(TYPE + body(`${NOTE}${line}\r\n`, '')),
  behind: (line) => mail(TYPE + body('', `${line}\r\n`)),
  'behind, in front of a note': (line) => mail(TYPE + body('', `\r\n${line}\r\n${NOTE}`)),
  'in an inner multipart': (line) => mail(inner(body(`${line}\r\n`, `${line}\r\n`))),
};

export const outsideText = mailAttack<MailCase>({
  name: 'outside-text',
  title: 'a link, a header or a file in the text outside of all parts, which nothing analyses',
  *cases() {
    for (const [what, line] of Object.entries(LINES))
      for (const [where, made] of Object.entries(PLACES)) yield { id: `${what}, ${where}`, email: made(line) };
  },
  judge(_, { message }) {
    const text = Buffer.from(message)
      .toString('latin1')
      .replace(/^[\s\S]*?\r\n\r\n/, '');
    const [link] = linksOrAddressesOthersMark(text);
    if (link !== undefined) return `others mark ${link}`;
    return /ma\0?rk|TVogYSBw|m\xc3/i.test(text) ? 'it is in the delivered message' : null;
  },
  *ordinary() {
    for (const [where, made] of Object.entries(PLACES)) yield { id: `a note, ${where}`, email: made(NOTE.trimEnd()) };
  },
  judgeOrdinary({ email }, { message }) {
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
    return text(message).endsWith(String(email).slice(String(email).indexOf('MIME-Version'))) ? null : 'bytes changed';
  },
});
