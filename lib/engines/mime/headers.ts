/** Header fields of a message or part (RFC 5322, 2045, 2047, 2231), read strictly. */

import { decodeCharset } from '../../formats/charsets/decode-charset.ts';
import type { MailHeader } from './part.ts';

/** Called for text that programs could read in two ways. Strict readers throw the fault; others continue with the likelier reading. */
export type OnFault = (code: 'unreadable' | 'oversize', message: string) => void;

/** Real header blocks stay below 100 KB and 200 fields. */
const MAX_BLOCK_CHARACTERS = 512 * 1024;
const MAX_FIELDS = 2_000;

/** Splits latin1 text into header fields and the offset of the body. Faults are `unreadable` or `oversize`. */
export function splitHeaders(
  text: string,
  onFault: OnFault,
): { readonly headers: readonly MailHeader[]; readonly bodyAt: number } {
  const end = /\r?\n\r?\n/.exec(text.slice(0, MAX_BLOCK_CHARACTERS));
  const startsWithBody = /^\r?\n/.exec(text);
  if (startsWithBody !== null) return { headers: [], bodyAt: startsWithBody[0].length };
  if (end === null && text.length > MAX_BLOCK_CHARACTERS) onFault('oversize', 'a header is too long');
  const block = end === null ? text.replace(/\r?\n$/, '') : text.slice(0, end.index);
  const headers: MailHeader[] = [];
  for (const line of block.split(/\r?\n/)) {
    const last = headers.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      headers[headers.length - 1] = { name: last.name, value: `${last.value} ${line.trim()}` };
      continue;
    }
    const match = /^([!-9;-~]{1,100})[ \t]*:(.*)$/s.exec(line);
    // A mailbox separator in front of the first field is no field.
    if (match === null && headers.length === 0 && line.startsWith('From ')) continue;
    if (match === null) {
      onFault('unreadable', 'a line in a header of the message is no header field');
      continue;
    }
    headers.push({ name: match[1] ?? '', value: (match[2] ?? '').trim() });
    if (headers.length <= MAX_FIELDS) continue;
    onFault('oversize', 'a header has too many fields');
    break;
  }
  return { headers, bodyAt: end === null ? text.length : end.index + end[0].length };
}

/** Returns the value of a field, or null when there is none. A field that occurs twice is a fault, because readers pick either. */
export function soleHeader(headers: readonly MailHeader[], name: string, onFault: OnFault): string | null {
  const found = headers.filter((header) => header.name.toLowerCase() === name);
  const [first] = found;
  if (found.some(({ value }) => value !== first?.value)) {
    onFault('unreadable', `a part of the message has two ${name} fields`);
  }
  return first?.value ?? null;
}

export interface FieldWithParameters {
  /** Lower case. */
  readonly value: string;
  /** By lower-case name, decoded. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parses `type/subtype; name="value"`, with RFC 2231 continuations and charsets. */
export function parseParameters(field: string): FieldWithParameters {
  const clean = withoutComments(field);
  const value = (clean.split(';', 1)[0] ?? '').trim().toLowerCase();
  const raw = new Map<string, string>();
  const pattern = /;\s*([^\s=;"]{1,80})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s][^;]*))/gs;
  for (const [, name = '', quoted, token = ''] of clean.matchAll(pattern)) {
    const key = name.toLowerCase();
    if (!raw.has(key)) raw.set(key, quoted === undefined ? token.trim() : quoted.replace(/\\(.)/gs, '$1'));
  }
  const parameters = new Map<string, string>();
  for (const [key, text] of raw) if (!key.includes('*')) parameters.set(key, decodeWords(text));
  for (const key of new Set(
    [...raw.keys()].filter((each) => each.includes('*')).map((each) => each.split('*', 1)[0] ?? ''),
  )) {
    const text = extended(key, raw);
    if (text !== null) parameters.set(key, text);
  }
  return { value, parameters };
}

function withoutComments(field: string): string {
  return field.includes('(')
    ? field.replace(/"(?:[^"\\]|\\.)*"|\([^()]{0,500}\)/gs, (found) => (found.startsWith('(') ? '' : found))
    : field;
}

/** Joins parameters of RFC 2231: `name*=utf-8''a%20b`, `name*0=…; name*1*=…`. */
function extended(key: string, raw: ReadonlyMap<string, string>): string | null {
  const pieces: { text: string; encoded: boolean }[] = [];
  const whole = raw.get(`${key}*`);
  if (whole !== undefined) pieces.push({ text: whole, encoded: true });
  for (let index = 0; whole === undefined && index < 100; index++) {
    const plain = raw.get(`${key}*${index}`);
    const encoded = raw.get(`${key}*${index}*`);
    if (plain === undefined && encoded === undefined) break;
    pieces.push({ text: plain ?? encoded ?? '', encoded: plain === undefined });
  }
  const [first] = pieces;
  if (first === undefined) return null;
  const charset = first.encoded ? (/^([\w-]{1,40})'[^']{0,40}'/.exec(first.text)?.[1] ?? 'utf-8') : 'utf-8';
  const bytes = pieces.map(({ text, encoded }, index) => {
    const body = index === 0 && encoded ? text.replace(/^[\w-]{0,40}'[^']{0,40}'/, '') : text;
    const percent = /%([0-9a-f]{2})/gi;
    return Buffer.from(
      encoded ? body.replace(percent, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : body,
      'latin1',
    );
  });
  return decodeBytes(Buffer.concat(bytes), charset);
}

/** Decodes encoded words (RFC 2047) and raw 8-bit text of a latin1 string. */
export function decodeWords(text: string): string {
  const joined = text.replace(/(\?=)\s+(=\?)/g, '$1$2');
  const pattern = /=\?([\w-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]{0,2000})\?=/gi;
  const out: string[] = [];
  let at = 0;
  for (const match of joined.matchAll(pattern)) {
    out.push(decodeRaw(joined.slice(at, match.index)));
    const [all, charset = '', encoding = '', payload = ''] = match;
    const bytes = /b/i.test(encoding) ? Buffer.from(payload, 'base64') : Buffer.from(unquote(payload), 'latin1');
    out.push(decodeBytes(bytes, charset));
    at = match.index + all.length;
  }
  out.push(decodeRaw(joined.slice(at)));
  return out.join('');
}

function unquote(text: string): string {
  return text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeRaw(latin1: string): string {
  return /[\x80-\xff]/.test(latin1) && !/[\u0100-\uffff]/.test(latin1)
    ? decodeBytes(Buffer.from(latin1, 'latin1'), '')
    : latin1;
}

/** Returns text in a declared charset. Without one, or with an unknown one, it is UTF-8 when it is valid, else windows-1252. */
export function decodeBytes(bytes: Uint8Array, charset: string): string {
  for (const label of [charset.replace(/^cp-?(\d+)$/i, 'windows-$1'), 'utf-8']) {
    try {
      if (label !== '') return decodeCharset(bytes, label, { fatal: true });
    } catch {
      // Not this one.
    }
  }
  return decodeCharset(bytes, 'windows-1252');
}
