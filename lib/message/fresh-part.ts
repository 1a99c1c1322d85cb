/** Headers and bodies that we write ourselves. No text given to them can break out of its line or its quotes. */
import type { AddedHeader, Replacement } from './model.ts';

/** RFC 5322 §2.1.1 allows 998 characters in a line; the name of the header stands in it as well. */
const HEADER_VALUE_LENGTH = 900;
/** RFC 2045 §6.8. */
const BASE64_LINE = 76;
/** A name of megabytes; file systems stop at 255. */
const NAME_LENGTH = 200;
/** Characters of an RFC 2231 value per line, so that the line stays under 78. */
const CONTINUATION_LENGTH = 54;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}$/i;
const ADDED_NAME = /^X-Airlock-[A-Za-z0-9-]{1,60}$/;
const METHOD = /^[A-Z]{1,20}$/;
const CONTENT_ID = /^[!#-'*+\-./0-9=?@A-Z^-~]{1,250}$/;
const PLAIN_NAME = /^[ !#-[\]-~]{1,60}$/;
/** Control characters, line separators and the marks that turn text around (`exe.fdp` shown as `pdf.exe`). */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const PERCENT_ENCODED = /[^A-Za-z0-9!#$&+.^_`|~-]/g;

/** A leaf as it stands in the rebuilt message. */
export interface FreshPart {
  /** Content-* lines, each with its line break; no blank line after them. */
  readonly header: string;
  /** base64 in lines of 76, without a line break at the end. */
  readonly body: string;
}

/** The header lines and the body of a replacement. `untrustedContentId` is dropped unless it is well formed. */
export function freshPart(replacement: Replacement, untrustedContentId: string | null, eol: string): FreshPart {
  const { type, charset, method, filename, isInline, keepContentId, bytes } = replacement;
  const names = filename === null ? { plain: '', extended: [] } : nameParams(filename);
  const typeParams = charset === null ? [] : [`charset=${charset}`];
  if (method !== null && METHOD.test(method)) typeParams.push(`method=${method}`);
  const typeName = names.plain === '' ? [] : [`name="${names.plain}"`];
  const dispositionName = names.plain === '' ? names.extended : [`filename="${names.plain}"`];
  const lines = [
    structured(
      'Content-Type',
      MEDIA_TYPE.test(type) ? type : 'application/octet-stream',
      [...typeParams, ...typeName],
      eol,
    ),
    `Content-Transfer-Encoding: base64${eol}`,
    structured('Content-Disposition', isInline ? 'inline' : 'attachment', dispositionName, eol),
  ];
  if (keepContentId && untrustedContentId !== null && CONTENT_ID.test(untrustedContentId))
    lines.push(`Content-ID: <${untrustedContentId}>${eol}`);
  return { header: lines.join(''), body: base64Lines(bytes, eol) };
}

function structured(name: string, value: string, params: readonly string[], eol: string): string {
  return `${name}: ${[value, ...params].join(`;${eol} `)}${eol}`;
}

/** A name as a quoted string when it is short and plain ASCII, else in RFC 2231 pieces. */
function nameParams(filename: string): { readonly plain: string; readonly extended: readonly string[] } {
  // Programs decode encoded words even where RFC 2047 forbids them: one could bring back what was just taken out.
  const name = [...filename.replace(UNSAFE, '').replaceAll('=?', '=_')].slice(0, NAME_LENGTH).join('');
  if (PLAIN_NAME.test(name)) return { plain: name, extended: [] };
  const encoded = name.replace(PERCENT_ENCODED, percentEncoded);
  const pieces = [...(encoded.match(new RegExp(`(?:%..|[^%]){1,${CONTINUATION_LENGTH / 3}}`, 'g')) ?? [])];
  if (pieces.length === 1) return { plain: '', extended: [`filename*=utf-8''${encoded}`] };
  return { plain: '', extended: pieces.map((piece, at) => `filename*${at}*=${at === 0 ? "utf-8''" : ''}${piece}`) };
}

function percentEncoded(char: string): string {
  return Buffer.from(char).toString('hex').replace(/../g, '%$&').toUpperCase();
}

function base64Lines(bytes: Uint8Array, eol: string): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += BASE64_LINE) lines.push(text.slice(at, at + BASE64_LINE));
  return lines.join(eol);
}

/**
 * One added header line. Control characters go, what is not ASCII becomes `?`, and the value is bounded.
 *
 * @throws TypeError for a name that is not `X-Airlock-…`: names come from our code, never from outside.
 */
export function addedHeaderLine({ name, value }: AddedHeader, eol: string): string {
  if (!ADDED_NAME.test(name)) throw new TypeError(`not a header of ours: ${JSON.stringify(name.slice(0, 80))}`);
  const safe = value
    .replace(UNSAFE, ' ')
    .replace(/[^\x20-\x7e]/gu, '?')
    .slice(0, HEADER_VALUE_LENGTH);
  return `${name}: ${safe.trim()}${eol}`;
}
