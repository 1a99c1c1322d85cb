/** Header fields of a disarmed message: an allow-list, decoded, cleaned, encoded and folded anew. */

import { decodeBytes, decodeWords } from '../../mime/headers.ts';
import type { MailHeader } from '../../mime/part.ts';
import type { RemovalLog } from '../removals.ts';

const ADDRESSES = new Set(['from', 'sender', 'reply-to', 'to', 'cc']);
const TEXTS = new Set([
  'subject',
  'date',
  'comments',
  'keywords',
  'importance',
  'priority',
  'x-priority',
  'auto-submitted',
]);
const IDS = new Set(['message-id', 'in-reply-to', 'references']);
/** Fields that are written anew from the parts themselves. */
const MIME = new Set(['mime-version', 'content-type', 'content-transfer-encoding']);

/** Lines stay below the 998 characters of RFC 5322; this is the length it recommends. */
const LINE_LENGTH = 76;
const MAX_WORD_LENGTH = 900;

/** Returns the kept fields as folded lines without their end. Programs show either of two equal fields, so only the first is kept. */
export function keptHeaders(headers: readonly MailHeader[], log: RemovalLog): string[] {
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    if (MIME.has(key)) continue;
    const safe = seen.has(key) ? null : safeValue(key, value);
    if (safe === null) {
      log.note('header field', key);
      continue;
    }
    seen.add(key);
    lines.push(
      folded(
        key.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase()),
        safe,
      ),
    );
  }
  return lines;
}

function safeValue(key: string, value: string): string | null {
  if (TEXTS.has(key)) return encodedText(decodeWords(value));
  if (ADDRESSES.has(key)) return encodedAddresses(value);
  if (!IDS.has(key)) return null;
  const ids = value.match(/<[!-;=?-~]{1,500}>/g);
  return ids === null ? null : ids.join(' ');
}

/** Writes text that no program can read as another header or word: plain ASCII, or encoded words (RFC 2047). */
export function encodedText(text: string): string {
  const clean = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const isPlain = /^[\x20-\x7e]*$/.test(clean) && !clean.includes('=?');
  return isPlain && clean.split(' ').every((word) => word.length <= MAX_WORD_LENGTH) ? clean : encodedWords(clean);
}

/** Bytes of one encoded word: base64 of them and the frame stay below 75 characters. */
const WORD_BYTES = 42;

function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((each) => `=?utf-8?B?${Buffer.from(each).toString('base64')}?=`).join(' ');
}

/** Writes addresses with their structure. Names in other scripts are encoded word by word. */
function encodedAddresses(value: string): string | null {
  const ascii = value
    .replace(/"((?:[^"\\]|\\.)*)"/gs, (quoted, inner: string) =>
      isAscii(quoted) ? quoted : encodedText(raw(inner.replace(/\\(.)/gs, '$1'))),
    )
    .replace(
      /=\?[\w-]{1,40}(?:\*[\w-]{1,20})?\?[bq]\?[^?\s]{0,2000}\?=(?:\s+(?==\?)=\?[\w-]{1,40}\?[bq]\?[^?\s]{0,2000}\?=)*/gi,
      (words) => encodedWords(decodeWords(words).replace(/[\p{Cc}\p{Cs}]+/gu, ' ')),
    )
    .replace(/[^\s,;:<>@"()[\]\\]+/g, (run) => (isAscii(run) ? run : encodedText(raw(run))))
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return ascii.split(' ').some((word) => word.length > MAX_WORD_LENGTH) ? null : ascii;
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

function raw(text: string): string {
  return /[\u0100-\uffff]/.test(text) ? text : decodeBytes(Buffer.from(text, 'latin1'), '');
}

function folded(name: string, value: string): string {
  const lines: string[] = [];
  let line = `${name}:`;
  for (const word of value.split(' ')) {
    if (line.length + 1 + word.length > LINE_LENGTH && line !== `${name}:`) {
      lines.push(line);
      line = ` ${word}`;
    } else line = `${line} ${word}`;
  }
  return [...lines, line].join('\r\n');
}
