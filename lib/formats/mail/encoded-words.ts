/** Decodes header text with encoded words (RFC 2047) and charsets. Input strings hold one byte per character. */
import { decodeText } from '../charsets/decode-text.ts';

const ENCODED_WORD = /=\?([^?\s]{0,60})\?([bq])\?([^?]{0,4000})\?=/gi;

interface Word {
  readonly charset: string;
  readonly bytes: Buffer;
}

/**
 * Decodes a header value. Encoded words may be anywhere in it. White space between two of them is dropped (RFC 2047 §6.2). Neighbours of
 * one charset are joined before decoding, because senders cut letters in two. Linear. Never throws.
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

/** Returns the charsets that the encoded words of a header value name. */
export function charsetsIn(raw: string): readonly string[] {
  return raw.includes('=?') ? [...raw.matchAll(ENCODED_WORD)].map((match) => wordOf(match).charset) : [];
}

function wordOf(match: RegExpExecArray): Word {
  // A language may follow the charset (RFC 2231 §5).
  const charset = (match[1] ?? '').replace(/\*.*$/, '').toLowerCase();
  const text = match[3] ?? '';
  if (match[2]?.toLowerCase() === 'b') return { charset, bytes: fromBase64(text) };
  const decoded = text
    .replace(/_/g, ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { charset, bytes: Buffer.from(decoded, 'latin1') };
}

/** Decodes base64, also behind padding in its middle, which senders leave when they join texts. */
const fromBase64 = (text: string) => Buffer.concat(text.split(/=+/).map((piece) => Buffer.from(piece, 'base64')));

/** The end of an encoded word and the beginning of the next one, in base64. */
const SEAM = /\?=[ \t\r\n]*=\?[^?\s]{0,60}\?b\?/gi;

/**
 * Decodes a header value as programs do that join neighbours before they decode base64. Senders that cut base64 anywhere rely on it, and
 * every other program shows letters that mean nothing.
 */
export function decodeJoined(raw: string): string {
  return decodeHeaderText(raw.replace(SEAM, ''));
}
