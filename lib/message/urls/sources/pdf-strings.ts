/** Reads the strings of PDF source (ISO 32000-1 §7.3.4), literal and hexadecimal, each with the key in front of it. */

export interface PdfString {
  /** The dictionary key in front of it, without its slash and escapes; empty when there is none. */
  readonly key: string;
  readonly value: string;
}

/**
 * A literal string is read up to this length. The rest of the file is read as source again, so that one unclosed parenthesis does not hide
 * it. Longer hexadecimal strings are skipped.
 */
const STRING_LENGTH = 200_000;
/** The number of characters before a string in which its key is searched. */
const KEY_LENGTH = 64;
const KEY = /\/([^\s/<>[\](){}%]{1,60})\s*$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const START = /[(<]/g;

/** Returns every string in order. Linear: only the few bytes in front of a string are read twice. */
export function* pdfStrings(source: string): Generator<PdfString> {
  START.lastIndex = 0;
  let at = 0;
  while (at < source.length) {
    START.lastIndex = at;
    const opening = START.exec(source);
    if (opening === null) return;
    const start = opening.index;
    const isLiteral = opening[0] === '(';
    if (!isLiteral && source[start + 1] === '<') {
      at = start + 2;
      continue;
    }
    const { bytes, end } = isLiteral ? literalAt(source, start) : hexAt(source, start);
    at = end;
    if (bytes.length > 0) yield { key: keyBefore(source, start), value: textOf(bytes) };
  }
}

function keyBefore(source: string, start: number): string {
  const name = KEY.exec(source.slice(Math.max(0, start - KEY_LENGTH), start))?.[1] ?? '';
  return name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function literalAt(source: string, start: number): { bytes: string; end: number } {
  const pieces: string[] = [];
  let depth = 1;
  let at = start + 1;
  let from = at;
  const most = Math.min(source.length, start + STRING_LENGTH);
  for (; at < most && depth > 0; at++) {
    const character = source[at];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === '\\') {
      pieces.push(source.slice(from, at));
      const { text, length } = escapeAt(source, at);
      pieces.push(text);
      at += length - 1;
      from = at + 1;
    }
  }
  pieces.push(source.slice(from, depth === 0 ? at - 1 : at));
  return { bytes: pieces.join(''), end: at };
}

function escapeAt(source: string, at: number): { text: string; length: number } {
  const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0];
  if (octal !== undefined)
    return { text: String.fromCharCode(Number.parseInt(octal, 8) & 0xff), length: 1 + octal.length };
  const next = source[at + 1] ?? '';
  if (next === '\r' && source[at + 2] === '\n') return { text: '', length: 3 };
  if (next === '\n' || next === '\r') return { text: '', length: 2 };
  return { text: ESCAPES[next] ?? next, length: 2 };
}

function hexAt(source: string, start: number): { bytes: string; end: number } {
  const close = source.indexOf('>', start);
  const stop = close === -1 ? source.length : close;
  if (stop - start > STRING_LENGTH * 2) return { bytes: '', end: stop };
  const digits = source.slice(start + 1, stop).replace(/\s/g, '');
  const isHex = /^[0-9a-f]+$/i.test(digits);
  return {
    bytes: isHex ? Buffer.from(digits.padEnd(digits.length + (digits.length % 2), '0'), 'hex').toString('latin1') : '',
    end: stop + 1,
  };
}

/** Decodes a text string: UTF-16BE or UTF-8 with a byte order mark, else one byte per character (§7.9.2.2). */
function textOf(bytes: string): string {
  if (bytes.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(Buffer.from(bytes.slice(2), 'latin1'));
  if (bytes.startsWith('\xef\xbb\xbf')) return Buffer.from(bytes.slice(3), 'latin1').toString('utf8');
  return bytes;
}
