/**
 * Makes code readable, by undoing the ways in which attacks hide words. It takes a text and returns one. Every step is one linear pass with
 * bounded repetitions, and does not change text that it does not understand.
 */
import type { Language } from './code-language.ts';

/** The longest literal that is joined or reversed. */
const LITERAL = '[^"\'\\r\\n]{0,4000}';
const CHAR_CALL =
  /(?:\bchr[bw]?\$?|\[char\]|\[convert\]::tochar)\s{0,4}\(?\s{0,4}(&h[0-9a-f]{1,4}|0x[0-9a-f]{1,4}|\d{1,5})&?\s{0,4}\)?/gi;
const CHAR_LIST =
  /string\.fromcharcode\s{0,4}\(([\d\sxa-f,]{1,20000})\)|\(\[char\[\]\]\s{0,4}\(?([\d\sxa-f,]{1,20000})\)?\s{0,4}-join\s{0,4}(?:''|"")\)?/gi;
const ESCAPE = /\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/gi;
const JOIN = /(["'])\s{0,40}[+&]\s{0,40}(?:_\s{0,40})?["']/g;
const REVERSED_CALL = new RegExp(`strreverse\\s{0,4}\\(\\s{0,4}["'](${LITERAL})["']\\s{0,4}\\)`, 'gi');
const REVERSED_CHAIN = new RegExp(
  `["'](${LITERAL})["']\\s{0,4}\\.split\\(\\s{0,4}(?:''|"")\\s{0,4}\\)\\s{0,4}\\.reverse\\(\\s{0,4}\\)\\s{0,4}\\.join\\(\\s{0,4}(?:''|"")\\s{0,4}\\)`,
  'gi',
);
const REPLACE_CALL = new RegExp(
  `(?:\\breplace\\s{0,4}\\(\\s{0,4}["'](${LITERAL})["']\\s{0,4},|["'](${LITERAL})["']\\)?\\s{0,4}(?:\\.replace\\s{0,4}\\(|-c?replace)\\s{0,4})\\s{0,4}["']([^"'\\r\\n]{1,40})["']\\s{0,4},\\s{0,4}["']([^"'\\r\\n]{0,40})["']\\s{0,4}\\)?`,
  'gi',
);
const FORMAT =
  /\(?["']((?:\{\d{1,2}\}){2,40})["']\s{0,4}-f\s{0,4}((?:['"][^'"\r\n]{0,200}['"]\s{0,4},?\s{0,4}){2,40})\)?/gi;

/** Returns the code with its literals joined. The caller cuts code that is too long. */
export function readable(code: string, language: Language): string {
  let text = code;
  if (language === 'basic' || language === 'macro') text = text.replace(/[ \t]_\r?\n[ \t]{0,200}/g, ' ');
  if (language === 'batch' || language === 'other') text = expandSets(text.replace(/\^(?:\r?\n)?/g, ''));
  if (language === 'powershell' || language === 'other')
    text = text.replace(/`\r?\n?(?![0abefnrtv"'])|`(?=[abefnrtv][a-z-])/gi, '');
  text = text.replace(CHAR_LIST, (_, one?: string, other?: string) => `"${fromCodes(one ?? other ?? '')}"`);
  text = text.replace(CHAR_CALL, (_, code: string) => `"${fromCodes(code)}"`);
  if (/\\[xu][0-9a-f]{2}/i.test(text))
    text = text.replace(ESCAPE, (_, two?: string, four?: string) => printable(Number.parseInt(two ?? four ?? '', 16)));
  text = text.replace(JOIN, '');
  text = text.replace(FORMAT, (_, places: string, list: string) => `"${format(places, list)}"`);
  text = text
    .replace(REVERSED_CALL, (_, word: string) => `"${reverse(word)}"`)
    .replace(REVERSED_CHAIN, (_, word: string) => `"${reverse(word)}"`);
  text = text.replace(
    REPLACE_CALL,
    (_, one: string | undefined, other: string | undefined, what: string, by: string) =>
      `"${(one ?? other ?? '').replaceAll(what, by)}"`,
  );
  return text.replace(JOIN, '');
}

function fromCodes(list: string): string {
  return (list.match(/&h[0-9a-f]{1,4}|0x[0-9a-f]{1,4}|\d{1,5}/gi) ?? [])
    .map((code) => printable(/^&h/i.test(code) ? Number.parseInt(code.slice(2), 16) : Number(code)))
    .join('');
}

/** Returns the character of a code, to be written in a literal. A quote becomes a blank, because it would end the literal. */
function printable(code: number): string {
  if (code === 0x22 || code === 0x27 || Number.isNaN(code)) return ' ';
  return code > 0 && code <= 0xffff ? String.fromCharCode(code) : '';
}

function reverse(word: string): string {
  return [...word].reverse().join('');
}

function format(places: string, list: string): string {
  const words = [...list.matchAll(/['"]([^'"\r\n]{0,200})['"]/g)].map(([, word = '']) => word);
  return (places.match(/\d{1,2}/g) ?? []).map((place) => words[Number(place)] ?? '').join('');
}

/** The most variables of one batch file that are looked up. */
const MAX_SETS = 300;
const MAX_EXPANDED = 1024 * 1024;

/** Replaces the variables of batch files: `set a=power` and later `%a%shell`, or `%a:~0,1%`. Attacks hide each letter in this way. */
function expandSets(text: string): string {
  if (!/\bset\s/i.test(text) && !/%\w/.test(text)) return text;
  const values = new Map<string, string>();
  let left = MAX_EXPANDED;
  // The lines are read in the order in which they run, because even the word `set` can be made of variables of earlier lines.
  const lines = text.split('\n').map((line) => {
    const plain = line.replace(VARIABLE, (whole, name: string, from?: string, count?: string) => {
      const value = values.get(name.toLowerCase());
      if (value === undefined) return whole;
      const part = from === undefined ? value : cut(value, Number(from), count === undefined ? null : Number(count));
      left -= part.length;
      return left < 0 ? whole : part;
    });
    for (const [, name = '', value = ''] of plain.matchAll(SET)) {
      if (values.size < MAX_SETS) values.set(name.toLowerCase(), value);
    }
    return plain;
  });
  return values.size === 0 ? text : lines.join('\n');
}

const VARIABLE = /[%!]([^%!\r\n:=]{1,60})(?::~(-?\d{1,4})(?:,(-?\d{1,4}))?)?[%!]/g;
const SET = /(?:^|[&|(@])[ \t@]{0,20}set\s{1,9}"?([^=\r\n"&]{1,60})=([^\r\n"&]{0,1000})/gi;

function cut(value: string, from: number, count: number | null): string {
  const rest = value.slice(from);
  if (count === null) return rest;
  return count < 0 ? rest.slice(0, count) : rest.slice(0, count);
}
