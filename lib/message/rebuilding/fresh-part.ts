/** Writes new headers and bodies. No text in them can break out of its line or its quotes. */
import { nameParams, UNSAFE } from '../headers/name-params.ts';
import type { AddedHeader, Replacement } from '../model.ts';

/** RFC 5322 §2.1.1 allows 998 characters in a line, with the name of the header. */
const HEADER_VALUE_LENGTH = 900;
/** Characters in a line of base64 (RFC 2045 §6.8). */
const BASE64_LINE = 76;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}$/i;
const ADDED_NAME = /^X-Airlock-[A-Za-z0-9-]{1,60}$/;
const METHOD = /^[A-Z]{1,20}$/;
const CONTENT_ID = /^[!#-'*+\-./0-9=?@A-Z^-~]{1,250}$/;

/** A leaf in the rebuilt message. */
export interface FreshPart {
  /** Content-* lines, each with its line break, without a blank line after them. */
  readonly header: string;
  /** base64 in lines of 76 characters, without a line break at the end. */
  readonly body: string;
}

/** Returns the header lines and the body of a replacement. `untrustedContentId` is dropped unless it is well formed. */
export function freshPart(replacement: Replacement, untrustedContentId: string | null, eol: string): FreshPart {
  const { type, charset, method, filename, isInline, isFlowed, keepContentId, bytes } = replacement;
  const names = filename === null ? [] : nameParams('filename', filename);
  const typeParams = charset === null ? [] : [`charset=${charset}`];
  if (isFlowed === true && type === 'text/plain') typeParams.push('format=flowed');
  if (method !== null && METHOD.test(method)) typeParams.push(`method=${method}`);
  // Old programs know only `name`, and read only plain names.
  const typeName = names.filter((param) => param.startsWith('filename="')).map((param) => param.slice('file'.length));
  const lines = [
    structured(
      'Content-Type',
      MEDIA_TYPE.test(type) ? type : 'application/octet-stream',
      [...typeParams, ...typeName],
      eol,
    ),
    `Content-Transfer-Encoding: base64${eol}`,
    structured('Content-Disposition', isInline ? 'inline' : 'attachment', names, eol),
  ];
  if (keepContentId && untrustedContentId !== null && isPlainContentId(untrustedContentId))
    lines.push(`Content-ID: <${untrustedContentId}>${eol}`);
  return { header: lines.join(''), body: base64Lines(bytes, eol) };
}

function base64Lines(bytes: Uint8Array, eol: string): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += BASE64_LINE) lines.push(text.slice(at, at + BASE64_LINE));
  return lines.join(eol);
}

/** Returns true for the text between the brackets of a Content-ID (RFC 2392), unless it is a web address or the start of one. */
export function isPlainContentId(id: string): boolean {
  return CONTENT_ID.test(id) && !/^(?:www\d{0,3}|ftp)\.|\.[a-z]{2,}\//i.test(id);
}

/** Returns a field with one parameter per line. */
export function structured(name: string, value: string, params: readonly string[], eol: string): string {
  return `${name}: ${[value, ...params].join(`;${eol} `)}${eol}`;
}

/**
 * Returns one added header line. Control characters become blanks, other characters that are not ASCII become `?`, and the value is cut at a
 * limit.
 *
 * @throws TypeError for a name that is not `X-Airlock-…`. Names come from this project's code, never from outside.
 */
export function addedHeaderLine({ name, value }: AddedHeader, eol: string): string {
  if (!ADDED_NAME.test(name)) throw new TypeError(`not a header of ours: ${JSON.stringify(name.slice(0, 80))}`);
  const safe = value
    .replace(UNSAFE, ' ')
    .replace(/[^\x20-\x7e]/gu, '?')
    .slice(0, HEADER_VALUE_LENGTH);
  return `${name}: ${safe.trim()}${eol}`;
}
