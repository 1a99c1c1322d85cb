/** Where headers and parts begin and end. */
import { type Deviation, deviations, set, without } from './deviation.ts';
import { BOUNDARY, type Tokens } from './mail-tokens.ts';

const B = BOUNDARY;

const TYPES_OF_THE_FILE = [
  'text/plain',
  'text/html',
  'text',
  'message/rfc822',
  'message/delivery-status',
  'message/partial; id=1; number=1; total=1',
  'message/external-body',
  'multipart/mixed',
  'multipart/mixed; boundary=fooBar',
  'application/ms-tnef',
  'application/mac-binhex40',
  'x',
  '',
  'text/rfc822-headers',
  'application/pkcs7-mime',
  'application/pgp-encrypted',
  'text/calendar',
];

export const STRUCTURE: readonly Deviation[] = [
  ...deviations(
    'field of the file',
    Object.fromEntries(
      TYPES_OF_THE_FILE.map((type) => [
        `type of the file ${JSON.stringify(type)}`,
        (tokens: Tokens) => {
          for (const id of ['slash', 'subtype', 'semicolon', 'gap', 'attribute', 'equals', 'open', 'value', 'close'])
            set(tokens, `file.${id}`, '');
          set(tokens, 'file.type', type);
        },
      ]),
    ),
  ),
  ...deviations('end of the header', {
    'no blank line': (tokens) => set(tokens, 'blank', ''),
    'a line of blanks': (tokens) => set(tokens, 'blank', ' \t\r\n'),
    'a bare CR for a blank line': (tokens) => set(tokens, 'blank', '\r'),
    'a bare LF for a blank line': (tokens) => set(tokens, 'blank', '\n'),
    'LF CR for a blank line': (tokens) => set(tokens, 'blank', '\n\r'),
    'two CRs for a blank line': (tokens) => set(tokens, 'blank', '\r\r'),
    'CR CR LF for a blank line': (tokens) => set(tokens, 'blank', '\r\r\n'),
    'NUL for a blank line': (tokens) => set(tokens, 'blank', '\0\r\n'),
    'a vertical tab for a blank line': (tokens) => set(tokens, 'blank', '\v\r\n'),
    'the type behind the blank line': (tokens) => set(tokens, 'version.end', (text) => `${text}\r\n`),
    'a form feed for a blank line': (tokens) => set(tokens, 'blank', '\f\r\n'),
  }),
  ...deviations('end of the header of the file', {
    'no blank line in the file': (tokens) => set(tokens, 'file.blank', ''),
    'a line of blanks in the file': (tokens) => set(tokens, 'file.blank', ' \t\r\n'),
    'a bare CR for a blank line in the file': (tokens) => set(tokens, 'file.blank', '\r'),
    'a bare LF for a blank line in the file': (tokens) => set(tokens, 'file.blank', '\n'),
    'CR CR LF for a blank line in the file': (tokens) => set(tokens, 'file.blank', '\r\r\n'),
    'a blank line before the header of the file': (tokens) => set(tokens, 'file.name0', (text) => `\r\n${text}`),
    'a line of blanks before the header of the file': (tokens) => set(tokens, 'file.name0', (text) => ` \r\n${text}`),
    'a text line before the header of the file': (tokens) => set(tokens, 'file.name0', (text) => `Hello\r\n${text}`),
    'a blank line in the header of the file': (tokens) => set(tokens, 'encoding.name0', (text) => `\r\n${text}`),
    'a line of blanks in the header of the file': (tokens) => set(tokens, 'encoding.name0', (text) => ` \r\n${text}`),
    'a bare CR in the header of the file': (tokens) => set(tokens, 'encoding.name0', (text) => `\r${text}`),
    'a text line in the header of the file': (tokens) => set(tokens, 'encoding.name0', (text) => `Hello\r\n${text}`),
  }),
  ...deviations('preamble', {
    'text in front of the parts': (tokens) =>
      set(tokens, 'preamble', 'This is a multi-part message in MIME format.\r\n'),
    'much text in front of the parts': (tokens) => set(tokens, 'preamble', `${'Hello world. '.repeat(30)}\r\n`),
    'a closing delimiter in front of the parts': (tokens) => set(tokens, 'preamble', `--${B}--\r\n`),
    'a line like a delimiter in front of the parts': (tokens) => set(tokens, 'preamble', `--${B}x\r\n`),
    'a header in front of the parts': (tokens) => set(tokens, 'preamble', 'Content-Type: text/plain\r\n\r\n'),
    'a dashed line in front of the parts': (tokens) => set(tokens, 'preamble', '--other\r\n'),
    'other parts in front of the parts': (tokens) =>
      set(tokens, 'preamble', '--other\r\nContent-Type: text/plain\r\n\r\nx\r\n--other--\r\n'),
    'an unfinished line in front of the parts': (tokens) => set(tokens, 'preamble', 'x'),
    'a blank in front of the first delimiter': (tokens) => set(tokens, 'preamble', ' '),
    'bare CR in front of the first delimiter': (tokens) => set(tokens, 'preamble', 'x\r'),
  }),
  ...deviations('closing delimiter', {
    'no closing delimiter': (tokens) => without(tokens, 'end.'),
    'closed before the file': (tokens) => set(tokens, 'two.dashes', (text) => `--${B}--\r\n${text}`),
    'closed before the file, and text': (tokens) =>
      set(tokens, 'two.dashes', (text) => `--${B}--\r\n\r\nHello\r\n${text}`),
    'closed by the delimiter of the file': (tokens) => set(tokens, 'two.end', '--\r\n'),
    'closed with one dash': (tokens) => set(tokens, 'end.closing', '-'),
    'closed with three dashes': (tokens) => set(tokens, 'end.closing', '---'),
    'closed with a blank between': (tokens) => set(tokens, 'end.closing', ' --'),
    'closed with text behind': (tokens) => set(tokens, 'end.closing', '--x'),
    'the file behind the end': (tokens) => {
      set(tokens, 'two.dashes', (text) => `--${B}--\r\n${text}`);
      without(tokens, 'end.');
    },
  }),
  ...['one', 'two', 'end'].flatMap((id) =>
    deviations('delimiter lines', {
      [`one dash in ${id}`]: (tokens) => set(tokens, `${id}.dashes`, '-'),
      [`three dashes in ${id}`]: (tokens) => set(tokens, `${id}.dashes`, '---'),
      [`no dashes in ${id}`]: (tokens) => set(tokens, `${id}.dashes`, ''),
      [`four dashes in ${id}`]: (tokens) => set(tokens, `${id}.dashes`, '----'),
      [`em dashes in ${id}`]: (tokens) => set(tokens, `${id}.dashes`, '\xe2\x80\x94'),
      [`${id} quoted`]: (tokens) => set(tokens, `${id}.dashes`, '> --'),
      [`${id} with padding`]: (tokens) => set(tokens, `${id}.end`, ' \t\r\n'),
      [`${id} with much padding`]: (tokens) => set(tokens, `${id}.end`, `${' '.repeat(1_000)}\r\n`),
      [`${id} ends in LF`]: (tokens) => set(tokens, `${id}.end`, '\n'),
      [`${id} ends in CR`]: (tokens) => set(tokens, `${id}.end`, '\r'),
      [`${id} ends in CR CR LF`]: (tokens) => set(tokens, `${id}.end`, '\r\r\n'),
      [`${id} ends in NUL`]: (tokens) => set(tokens, `${id}.end`, '\0\r\n'),
      [`${id} ends in a letter`]: (tokens) => set(tokens, `${id}.end`, 'x\r\n'),
      [`${id} ends in a comment`]: (tokens) => set(tokens, `${id}.end`, ' (c)\r\n'),
      [`${id} behind a bare LF`]: (tokens) => set(tokens, `${id}.dashes`, '\n--'),
      [`${id} behind a bare CR`]: (tokens) => set(tokens, `${id}.dashes`, '\r--'),
      [`${id} behind a blank`]: (tokens) => set(tokens, `${id}.dashes`, ' --'),
      [`${id} behind text`]: (tokens) => set(tokens, `${id}.dashes`, 'x--'),
      [`${id} with its header on the line`]: (tokens) => set(tokens, `${id}.end`, ' '),
    }),
  ),
];
