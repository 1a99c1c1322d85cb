/** Header text for people: RFC 2047 encoded words, charsets, and bounds. Input strings hold one byte per character. */
import { decodeText } from './text.ts';

const ENCODED_WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?]{0,4000})\?=/gi;
/** A bound on a name keeps this much of its end: the extension decides what a double click does. */
const KEPT_TAIL = 100;

interface Word {
  readonly charset: string;
  readonly bytes: Buffer;
}

/**
 * Decodes a header value: encoded words anywhere in it, white space between neighbours dropped (RFC 2047 §6.2), neighbours
 * of one charset joined before decoding because senders cut letters in two. Linear; never throws.
 */
export function decodeHeaderText(raw: string): string {
  if (!raw.includes('=?')) return decodeText(Buffer.from(raw, 'latin1'), null);
  let text = '';
  let position = 0;
  let pending: Word[] = [];
  const flush = () => {
    const charset = pending[0]?.charset;
    if (charset !== undefined) text += decodeText(Buffer.concat(pending.map((word) => word.bytes)), charset);
    pending = [];
  };
  for (const match of raw.matchAll(ENCODED_WORD)) {
    const between = raw.slice(position, match.index);
    const word = wordOf(match);
    const joins = pending.length > 0 && /^[ \t]*$/.test(between);
    if (!joins || pending[0]?.charset !== word.charset) flush();
    if (!joins) text += decodeText(Buffer.from(between, 'latin1'), null);
    pending.push(word);
    position = match.index + match[0].length;
  }
  flush();
  return text + decodeText(Buffer.from(raw.slice(position), 'latin1'), null);
}

/** The charsets that the encoded words of a header value name. */
export function charsetsIn(raw: string): readonly string[] {
  return raw.includes('=?') ? [...raw.matchAll(ENCODED_WORD)].map((match) => wordOf(match).charset) : [];
}

function wordOf(match: RegExpExecArray): Word {
  // RFC 2231 §5: a language may follow the charset.
  const charset = (match[1] ?? '').replace(/\*.*$/, '').toLowerCase();
  const text = match[3] ?? '';
  if (match[2]?.toLowerCase() === 'b') return { charset, bytes: Buffer.from(text, 'base64') };
  const decoded = text
    .replace(/_/g, ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { charset, bytes: Buffer.from(decoded, 'latin1') };
}

/** At most `maxLength` characters of a text. */
export function boundText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

/**
 * Characters of a name that are read. No system opens a path of as many, and what programs make of a name is asked of all of it:
 * it is cut for people only.
 */
export const NAME_CHARACTERS = 16 * 1024;

/** A name of which the middle is left out when it is longer than any that can be opened. */
export function readableName(name: string): string {
  const half = NAME_CHARACTERS / 2;
  return name.length <= NAME_CHARACTERS ? name : `${name.slice(0, half)}…${name.slice(-half)}`;
}

/** At most `maxLength` characters of a name for people, cut in the middle so that its end is shown. */
export function boundName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const tail = Math.min(KEPT_TAIL, Math.floor(maxLength / 2));
  return `${name.slice(0, Math.max(0, maxLength - tail - 1))}…${name.slice(-tail)}`;
}
