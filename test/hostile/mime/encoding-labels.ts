/** Content-Transfer-Encoding: its label, how often and where it stands, and the body under it. */
import { type Deviation, deviations, repeated, set, without } from './deviation.ts';
import { lines76, PAYLOAD, type Tokens } from './mail-tokens.ts';

/** RFC 2045 §6: the label, where it stands, and the body under it. */
const LABELS = [
  'base64;',
  '"base64"',
  "'base64'",
  'base64, 7bit',
  '7bit, base64',
  '7bit base64',
  'base64 7bit',
  'x-base64',
  'base-64',
  'b',
  'base64(c)',
  '(c)base64',
  'base64 (',
  'base64\0',
  'base64\0x',
  'base 64',
  'base64x',
  'xbase64',
  'BASE64',
  'base64.',
  'base64=',
  'base64:',
  ': base64',
  '=?utf-8?Q?base64?=',
  'b%61se64',
  'bas&#101;64',
  '8bit',
  '7bit',
  'binary',
  'quoted-printable',
  'x-uuencode',
  'uuencode',
  'x-unknown',
  'gzip',
  'none',
  'identity',
  '',
  'base64; charset=utf-8',
  '(base64)',
  'base64\v',
  'base64\xa0',
  'base64\xc2\xa0',
  '\xef\xbb\xbfbase64',
  'mac-binhex40',
  'x-yenc',
  'utf-8',
  'base64url',
];
const BODIES: Readonly<Record<string, string>> = {
  'in one line': PAYLOAD.toString('base64'),
  'in lines of 4': PAYLOAD.toString('base64').replace(/.{4}/g, '$&\r\n'),
  'in lines of 77': PAYLOAD.toString('base64').replace(/.{77}/g, '$&\r\n'),
  'with bare LF': lines76(PAYLOAD).replaceAll('\r\n', '\n'),
  'with bare CR': lines76(PAYLOAD).replaceAll('\r\n', '\r'),
  'with blank lines': lines76(PAYLOAD).replaceAll('\r\n', '\r\n\r\n'),
  'with blanks': lines76(PAYLOAD).replace(/.{10}/g, '$& '),
  'with junk': lines76(PAYLOAD).replace(/.{10}/g, '$&*!'),
  'with NULs': lines76(PAYLOAD).replace(/.{10}/g, '$&\0'),
  'with high bytes': lines76(PAYLOAD).replace(/.{10}/g, '$&\xff'),
  'with URL-safe digits': lines76(PAYLOAD).replaceAll('+', '-').replaceAll('/', '_'),
  'with padding in the middle': `${PAYLOAD.subarray(0, 100).toString('base64')}\r\n${PAYLOAD.subarray(100).toString('base64')}`,
  'with more behind its end': `${lines76(PAYLOAD)}\r\n====\r\nQUJDREVG`,
  'with text in front': `Hello!\r\n\r\n${lines76(PAYLOAD)}`,
  'with a padding sign in front': `=${lines76(PAYLOAD)}`,
  'with a checksum': `${lines76(PAYLOAD)}\r\n=AbCd`,
  'with comments': lines76(PAYLOAD).replace(/.{10}/g, '$&(x)'),
  'with dashes': lines76(PAYLOAD).replace(/\r\n/g, '\r\n--\r\n'),
  'with entities': lines76(PAYLOAD).replace(/.{10}/g, '$&&#10;'),
  'in quoted-printable': [...PAYLOAD]
    .map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('')
    .replace(/.{72}/g, '$&=\r\n'),
  'in quoted-printable, lower case': [...PAYLOAD]
    .map((byte) => `=${byte.toString(16).padStart(2, '0')}`)
    .join('')
    .replace(/.{72}/g, '$&=\r\n'),
};

export const CONTENT: readonly Deviation[] = [
  ...deviations(
    'field of the encoding',
    Object.fromEntries(
      LABELS.map((label) => [
        `label ${JSON.stringify(label)}`,
        (tokens: Tokens) => set(tokens, 'encoding.value', label),
      ]),
    ),
  ),
  ...LABELS.slice(0, 36).flatMap((label) =>
    deviations('field of the encoding', repeated('encoding', `Content-Transfer-Encoding: ${label}`)),
  ),
  ...deviations('field of the encoding', {
    'no label': (tokens) => without(tokens, 'encoding.'),
    'the label in the container': (tokens) => {
      without(tokens, 'encoding.');
      set(tokens, 'type.end', (text) => `${text}Content-Transfer-Encoding: base64\r\n`);
    },
  }),
  ...deviations(
    'body',
    Object.fromEntries(
      Object.entries(BODIES).map(([name, body]) => [
        `body ${name}`,
        (tokens: Tokens) => {
          set(tokens, 'file.body', `${body}\r\n`);
          if (name.includes('quoted-printable')) set(tokens, 'encoding.value', 'quoted-printable');
        },
      ]),
    ),
  ),
];
