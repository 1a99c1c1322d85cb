/**
 * An ordinary mail with one attachment, cut into the tokens of its grammar (RFC 2045 §5.1, §6.1; RFC 2046 §5.1.1; RFC 2183 §2;
 * RFC 5322 §2.2). A deviation changes a token, or puts something in front of it.
 */

export interface Token {
  readonly id: string;
  text: string;
  /** What a deviation put in front of it. */
  before: string;
}

/** The tokens by their ids, in the order they are written in. */
export type Tokens = ReadonlyMap<string, Token>;

export const BOUNDARY = 'fooBar';
/** Ends in bytes that no text has, and has a multiple of three bytes, so that programs that cut padding away give the same. */
export const PAYLOAD = Buffer.concat([
  Buffer.from('MZ\x90\0a payload that everybody recognises ', 'latin1'),
  Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 37 + 11) & 0xff)),
]);
/** What a leaf must hold to be the payload, or a part of it. */
export const MARK = PAYLOAD.subarray(0, 24);

export const lines76 = (bytes: Buffer) => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');

type Row = readonly [id: string, text: string];

const field = (id: string, name: string, value: readonly Row[]): Row[] => [
  ...name.split(/(-)/).map((piece, at): Row => [`${id}.name${at}`, piece]),
  [`${id}.colon`, ':'],
  [`${id}.space`, ' '],
  ...value.map(([piece, text]): Row => [`${id}.${piece}`, text]),
  [`${id}.end`, '\r\n'],
];
const param = (name: string, value: readonly Row[]): Row[] => [
  ['semicolon', ';'],
  ['gap', ' '],
  ['attribute', name],
  ['equals', '='],
  ['open', '"'],
  ...value,
  ['close', '"'],
];
const type = (top: string, sub: string): Row[] => [
  ['type', top],
  ['slash', '/'],
  ['subtype', sub],
];
const delimiter = (id: string, closing: string): Row[] => [
  [`${id}.dashes`, '--'],
  [`${id}.boundary`, BOUNDARY],
  ...(closing === '' ? [] : [[`${id}.closing`, closing] as const]),
  [`${id}.end`, '\r\n'],
];

/** The container: its header, a text part, the part with the payload, the closing delimiter. */
const ENTITY: readonly Row[] = [
  ...field('version', 'MIME-Version', [['value', '1.0']]),
  ...field('type', 'Content-Type', [
    ...type('multipart', 'mixed'),
    ...param('boundary', [
      ['first', BOUNDARY.slice(0, 3)],
      ['last', BOUNDARY.slice(3)],
    ]),
  ]),
  ['blank', '\r\n'],
  ['preamble', ''],
  ...delimiter('one', ''),
  ...field('text', 'Content-Type', type('text', 'plain')),
  ['text.blank', '\r\n'],
  ['text.body', 'Hello\r\n'],
  ...delimiter('two', ''),
  ...field('file', 'Content-Type', [...type('application', 'octet-stream'), ...param('name', [['value', 'a.exe']])]),
  ...field('encoding', 'Content-Transfer-Encoding', [['value', 'base64']]),
  ...field('place', 'Content-Disposition', [['value', 'attachment'], ...param('filename', [['name', 'a.exe']])]),
  ['file.blank', '\r\n'],
  ['file.body', `${lines76(PAYLOAD)}\r\n`],
  ...delimiter('end', '--'),
];

const HEAD = 'From: a@example.com\r\nTo: b@example.org\r\nSubject: t\r\n';
const around = (header: string, head = HEAD): readonly Row[] => [
  [
    'head',
    `${head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=out\r\n\r\n--out\r\nContent-Type: text/plain\r\n\r\nHello\r\n--out\r\n${header}`,
  ],
  ...ENTITY,
  ['tail', '--out--\r\n'],
];

/** Where the container stands. */
export const PLACES: Readonly<Record<string, readonly Row[]>> = {
  root: [['head', HEAD], ...ENTITY],
  nested: around(''),
  message: around(`Content-Type: message/rfc822\r\n\r\n${HEAD}`),
};

/** A fresh mail in a place, to be changed. */
export function tokensOf(place: string): Tokens {
  return new Map((PLACES[place] ?? []).map(([id, text]) => [id, { id, text, before: '' }]));
}

/** The bytes of the mail (latin1). */
export function written(tokens: Tokens): Buffer {
  let text = '';
  for (const token of tokens.values()) text += token.before + token.text;
  return Buffer.from(text, 'latin1');
}
