/** Defines deviations, and makes the common kinds: junk in every gap of a production, every token missing or repeated. */
import { BOUNDARY, type Tokens } from './mail-tokens.ts';

export interface Deviation {
  /** Unique. */
  readonly name: string;
  /** The production of the grammar that it breaks or stretches. */
  readonly production: string;
  apply(tokens: Tokens): void;
}

/** Changes the text of a token. A deviation of a token that is not there does nothing. */
export function set(tokens: Tokens, id: string, change: string | ((text: string) => string)): void {
  const token = tokens.get(id);
  if (token !== undefined) token.text = typeof change === 'string' ? change : change(token.text);
}

/** Removes every token whose id begins so. */
export function without(tokens: Tokens, prefix: string): void {
  for (const { id } of tokens.values()) if (id.startsWith(prefix)) set(tokens, id, '');
}

/** What every delimiter says after its dashes. */
export function setDelimiters(tokens: Tokens, text: string): void {
  for (const id of ['one', 'two', 'end']) set(tokens, `${id}.boundary`, text);
}

/** Junk between tokens, which programs may skip, cut at, or take for a part of the next token. Bytes as latin1. */
export const JUNK: Readonly<Record<string, string>> = {
  blank: ' ',
  tab: '\t',
  fold: '\r\n ',
  'LF fold': '\n\t',
  CR: '\r',
  LF: '\n',
  NUL: '\0',
  BEL: '\x07',
  BS: '\b',
  VT: '\v',
  FF: '\f',
  ESC: '\x1b',
  US: '\x1f',
  DEL: '\x7f',
  C1: '\x85',
  NBSP8: '\xa0',
  'high byte': '\xff',
  NBSP: '\xc2\xa0',
  ZWSP: '\xe2\x80\x8b',
  BOM: '\xef\xbb\xbf',
  SHY: '\xc2\xad',
  'wide blank': '\xe3\x80\x80',
  quote: '"',
  apostrophe: "'",
  backtick: '`',
  backslash: '\\',
  'two quotes': '""',
  comment: '(c)',
  open: '(',
  close: ')',
  'nested comment': '(a(b)\\)c)',
  'comment with a quote': '(")',
  'comment with a semicolon': '(;)',
  less: '<',
  greater: '>',
  at: '@',
  comma: ',',
  semicolon: ';',
  colon: ':',
  slash: '/',
  bracket: '[',
  equals: '=',
  question: '?',
  percent: '%',
  escape: '%20',
  entity: '&#32;',
  'encoded word': '=?utf-8?Q?=20?=',
  star: '*',
  'star zero': '*0',
  underscore: '_',
  dash: '-',
  dot: '.',
  plus: '+',
  letter: 'x',
  digit: '0',
  hash: '#',
  'empty word': '=?utf-8?Q??=',
  'soft break': '=\r\n',
  pipe: '|',
  brace: '{',
  tilde: '~',
  bang: '!',
  dollar: '$',
};

/** Every junk in front of a token. */
export function junkBefore(production: string, id: string): Deviation[] {
  return Object.entries(JUNK).map(([name, junk]) => ({
    name: `${name} before ${id}`,
    production,
    apply: (tokens) => {
      const token = tokens.get(id);
      if (token !== undefined) token.before += junk;
    },
  }));
}

/** The token missing, twice, and in other letters. */
export function tokenChanges(production: string, id: string): Deviation[] {
  const change = (name: string, to: (text: string) => string): Deviation => ({
    name: `${id} ${name}`,
    production,
    apply: (tokens) => set(tokens, id, to),
  });
  return [
    change('missing', () => ''),
    change('twice', (text) => text + text),
    change('in upper case', (text) => text.toUpperCase()),
    change('in lower case', (text) => text.toLowerCase()),
    change('cut short', (text) => text.slice(0, -1)),
    change('percent-encoded', (text) => text.replace(/\w/, (char) => `%${char.charCodeAt(0).toString(16)}`)),
    change('with an entity', (text) => text.replace(/\w/, (char) => `&#${char.charCodeAt(0)};`)),
    change('as an encoded word', (text) => `=?us-ascii?Q?${text}?=`),
    change('as a base64 word', (text) => `=?utf-8?B?${Buffer.from(text, 'latin1').toString('base64')}?=`),
    change('in full width', (text) => fullWidth(text)),
    change('in UTF-16', (text) => Buffer.from(text, 'utf16le').toString('latin1')),
    change('reversed', (text) => [...text].reverse().join('')),
  ];
}

function fullWidth(text: string): string {
  const wide = text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
  return Buffer.from(wide).toString('latin1');
}

/**
 * What delimiters may say when the parameter has something in it: what a reader takes for the boundary that keeps all of it, drops
 * the junk, or stops in front of or begins behind it.
 */
export function boundaryWith(production: string, name: string, junk: string, at: number): Deviation[] {
  const [head, tail] = [BOUNDARY.slice(0, at), BOUNDARY.slice(at)];
  const readings = [...new Set([head + junk + tail, head + tail, head, tail])].filter((text) => text !== '');
  return readings.map((reading) => ({
    name: `${name} at ${at} of the boundary, read as ${JSON.stringify(reading)}`,
    production,
    apply: (tokens) => {
      set(tokens, 'type.first', head);
      set(tokens, 'type.last', junk + tail);
      setDelimiters(tokens, reading);
    },
  }));
}

/** Rows of a production: the name of a deviation, and what it does. */
export const deviations = (production: string, rows: Readonly<Record<string, (tokens: Tokens) => void>>): Deviation[] =>
  Object.entries(rows).map(([name, apply]) => ({ name, production, apply }));

/** A line in front of a field and behind it. */
export const repeated = (id: string, line: string): Readonly<Record<string, (tokens: Tokens) => void>> => ({
  [`${id} repeated before: ${line}`]: (tokens) => set(tokens, `${id}.name0`, (text) => `${line}\r\n${text}`),
  [`${id} repeated after: ${line}`]: (tokens) => set(tokens, `${id}.end`, (text) => `${text}${line}\r\n`),
});
