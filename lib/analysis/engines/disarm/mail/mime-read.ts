/**
 * A strict MIME reader for disarming: what it does not understand (broken multiparts, unknown transfer encodings, headers that stand
 * twice) is refused, because two readers would see two messages in it.
 */
import { EngineError, type EngineLimits } from '../../engine.ts';
import { parseParameters, soleHeader, splitHeaders } from './mime-headers.ts';
import { leafOf, type Mail, type MailHeader, type MimePart } from './mime-part.ts';

/** Multiparts within multiparts: real mail stays below ten. */
const MAX_DEPTH = 30;
/** Parts of one message: real mail stays below 500. */
const MAX_PARTS = 2_000;

interface Reading {
  readonly limits: EngineLimits;
  parts: number;
}

/** Reads one message. Messages within it stay leaves of type `message/rfc822`. Throws EngineError `unreadable` or `oversize`. */
export function readMail(bytes: Uint8Array, limits: EngineLimits): Mail {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const { headers, bodyAt } = splitHeaders(text);
  if (headers.length === 0) throw new EngineError('unreadable', 'the message has no header');
  return { headers, body: readPart(headers, text.slice(bodyAt), 0, { limits, parts: 0 }) };
}

function readPart(headers: readonly MailHeader[], body: string, depth: number, reading: Reading): MimePart {
  reading.parts += 1;
  if (reading.parts > MAX_PARTS) throw new EngineError('oversize', `the message has more than ${MAX_PARTS} parts`);
  if (depth > MAX_DEPTH) throw new EngineError('oversize', 'the message is nested too deep');
  const { value, parameters } = parseParameters(soleHeader(headers, 'content-type') ?? 'text/plain');
  const type = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,120}$/.test(value) ? value : 'application/octet-stream';
  const encoding = (soleHeader(headers, 'content-transfer-encoding') ?? '7bit').trim().toLowerCase();
  if (type.startsWith('multipart/')) {
    if (!/^(?:7bit|8bit|binary|)$/.test(encoding)) throw new EngineError('unreadable', 'a multipart is encoded');
    return readGroup(type, parameters.get('boundary') ?? '', body, depth, reading);
  }
  const disposition = parseParameters(soleHeader(headers, 'content-disposition') ?? '');
  return leafOf({
    untrustedType: type,
    charset: (parameters.get('charset') ?? '').toLowerCase(),
    untrustedName: disposition.parameters.get('filename') ?? parameters.get('name') ?? null,
    contentId: idOf(soleHeader(headers, 'content-id')),
    location: soleHeader(headers, 'content-location'),
    isAttachment: disposition.value === 'attachment',
    method: /^[a-z]{1,20}$/i.exec(parameters.get('method') ?? '')?.[0].toUpperCase() ?? '',
    bytes: decodeBody(body, encoding),
  });
}

function idOf(field: string | null): string | null {
  return /^\s*<?([\w!#$%&'*+/=?^`{|}~.@:-]{1,200})>?\s*$/.exec(field ?? '')?.[1] ?? null;
}

function readGroup(type: string, boundary: string, body: string, depth: number, reading: Reading): MimePart {
  if (boundary === '' || boundary.length > 200) throw new EngineError('unreadable', 'a multipart names no boundary');
  const pieces = splitAtBoundary(body, boundary);
  if (pieces.length === 0) throw new EngineError('unreadable', 'a multipart of the message has no parts');
  const parts = pieces.map((piece) => {
    const { headers, bodyAt } = splitHeaders(piece);
    return readPart(headers, piece.slice(bodyAt), depth + 1, reading);
  });
  const subtype = type.slice('multipart/'.length);
  return { kind: 'group', subtype: /^(?:alternative|related)$/.test(subtype) ? subtype : 'mixed', parts };
}

/** Texts between the delimiter lines (RFC 2046 §5.1.1). What stands before the first and after the last is shown by no program. */
function splitAtBoundary(body: string, boundary: string): string[] {
  const delimiter = `--${boundary}`;
  const pieces: string[] = [];
  let start = -1;
  let at = body.startsWith(delimiter) ? 0 : next(body, delimiter, 0);
  while (at !== -1) {
    const lineEnd = body.indexOf('\n', at);
    const line = body.slice(at + delimiter.length, lineEnd === -1 ? body.length : lineEnd);
    const isClose = /^--[ \t]*\r?$/.test(line) || (lineEnd === -1 && line.startsWith('--'));
    if (isClose || /^[ \t]*\r?$/.test(line)) {
      if (start !== -1) pieces.push(body.slice(start, at).replace(/\r?\n$/, ''));
      start = isClose || lineEnd === -1 ? -1 : lineEnd + 1;
      if (isClose) return pieces;
    }
    at = next(body, delimiter, at + delimiter.length);
  }
  // Mail programs show a last part whose end is missing.
  if (start !== -1) pieces.push(body.slice(start));
  return pieces;
}

function next(body: string, delimiter: string, from: number): number {
  const at = body.indexOf(`\n${delimiter}`, Math.max(0, from - 1));
  return at === -1 ? -1 : at + 1;
}

function decodeBody(body: string, encoding: string): Uint8Array {
  switch (encoding) {
    case '7bit':
    case '8bit':
    case 'binary':
    case '':
      return Buffer.from(body, 'latin1');
    case 'base64':
      return Buffer.from(body.replace(/[^A-Za-z0-9+/=]/g, ''), 'base64');
    case 'quoted-printable':
      return Buffer.from(unquotePrintable(body), 'latin1');
    default:
      throw new EngineError('unreadable', 'a part of the message is in a transfer encoding that no standard names');
  }
}

function unquotePrintable(text: string): string {
  return text
    .replace(/[ \t]{1,200}(?=\r?\n|$)/g, '')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
