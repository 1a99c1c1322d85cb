/**
 * The MIME reader of the engines. Content that it does not understand (broken multiparts, unknown transfer encodings, headers that occur
 * twice) is a fault, because two readers would see two messages in it. A caller that disarms refuses the file, and a caller that only shows
 * a message continues.
 */
import { EngineError } from '../engine.ts';
import { type OnFault, parseParameters, soleHeader, splitHeaders } from './headers.ts';
import { leafOf, type Mail, type MailHeader, type MimeGroup, type MimePart } from './part.ts';

/** Multiparts within multiparts. Real mail stays below ten. */
const MAX_DEPTH = 30;
/** Parts of one message. Real mail stays below 500. */
const MAX_PARTS = 2_000;

interface Reading {
  readonly onFault: OnFault;
  parts: number;
}

const refuse: OnFault = (code, message) => {
  throw new EngineError(code, message);
};

/**
 * Reads one message. Messages within it stay leaves of type `message/rfc822`. Every fault is an EngineError, `unreadable` or
 * `oversize`. @default throws the first fault
 */
export function readMail(bytes: Uint8Array, onFault: OnFault = refuse): Mail {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const { headers, bodyAt } = splitHeaders(text, onFault);
  if (headers.length === 0) onFault('unreadable', 'the message has no header');
  return { headers, body: readPart(headers, text.slice(bodyAt), 0, { onFault, parts: 0 }) };
}

function readPart(headers: readonly MailHeader[], body: string, depth: number, reading: Reading): MimePart {
  const { onFault } = reading;
  reading.parts += 1;
  if (reading.parts > MAX_PARTS) onFault('oversize', `the message has more than ${MAX_PARTS} parts`);
  if (depth > MAX_DEPTH) onFault('oversize', 'the message is nested too deep');
  const field = (name: string) => soleHeader(headers, name, onFault);
  const { value, parameters } = parseParameters(field('content-type') ?? 'text/plain');
  const type = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,120}$/.test(value) ? value : 'application/octet-stream';
  const encoding = (field('content-transfer-encoding') ?? '7bit').trim().toLowerCase();
  if (type.startsWith('multipart/')) {
    if (!/^(?:7bit|8bit|binary|)$/.test(encoding)) onFault('unreadable', 'a multipart is encoded');
    const group = depth > MAX_DEPTH ? null : readGroup(type, parameters.get('boundary') ?? '', body, depth, reading);
    if (group !== null) return group;
  }
  const disposition = parseParameters(field('content-disposition') ?? '');
  return leafOf({
    untrustedType: type,
    charset: (parameters.get('charset') ?? '').toLowerCase(),
    untrustedName: disposition.parameters.get('filename') ?? parameters.get('name') ?? null,
    contentId: idOf(field('content-id')),
    location: field('content-location'),
    isAttachment: disposition.value === 'attachment',
    method: /^[a-z]{1,20}$/i.exec(parameters.get('method') ?? '')?.[0].toUpperCase() ?? '',
    bytes: decodeBody(body, encoding, onFault),
  });
}

function idOf(field: string | null): string | null {
  return /^\s*<?([\w!#$%&'*+/=?^`{|}~.@:-]{1,200})>?\s*$/.exec(field ?? '')?.[1] ?? null;
}

/** Reads a multipart. Returns null when its parts cannot be told apart. */
function readGroup(type: string, boundary: string, body: string, depth: number, reading: Reading): MimeGroup | null {
  const { onFault } = reading;
  const isNamed = boundary !== '' && boundary.length <= 200;
  if (!isNamed) onFault('unreadable', 'a multipart names no boundary');
  const pieces = isNamed ? splitAtBoundary(body, boundary) : [];
  if (pieces.length === 0) {
    onFault('unreadable', 'a multipart of the message has no parts');
    return null;
  }
  const parts: MimePart[] = [];
  for (const piece of pieces) {
    const { headers, bodyAt } = splitHeaders(piece, onFault);
    parts.push(readPart(headers, piece.slice(bodyAt), depth + 1, reading));
    if (reading.parts > MAX_PARTS) break;
  }
  const subtype = type.slice('multipart/'.length);
  return { kind: 'group', subtype: /^(?:alternative|related)$/.test(subtype) ? subtype : 'mixed', parts };
}

/** Returns the texts between the delimiter lines (RFC 2046 §5.1.1). No program shows the text before the first line and after the last. */
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

function decodeBody(body: string, encoding: string, onFault: OnFault): Uint8Array {
  switch (encoding) {
    case '7bit':
    case '8bit':
    case 'binary':
    case '':
      return Buffer.from(body, 'latin1');
    case 'base64':
      return Buffer.from(base64Letters(body), 'base64');
    case 'quoted-printable':
      return unquotePrintable(body);
    default:
      onFault('unreadable', 'a part of the message is in a transfer encoding that no standard names');
      return Buffer.from(body, 'latin1');
  }
}

/** Decodes only the letters of RFC 2045 §6.8. The platform would also accept those of other alphabets. */
function base64Letters(body: string): string {
  const bytes = Buffer.from(body, 'latin1');
  let size = 0;
  // By index, because an iterator takes ten times as long.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (IS_BASE64[byte] === 1) bytes[size++] = byte;
  }
  return bytes.toString('latin1', 0, size);
}

const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(/[A-Za-z0-9+/=]/.test(String.fromCharCode(byte))),
);
const [TAB, LF, CR, SPACE, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];
/** Blanks at the end of a line, which transport may have added (RFC 2045 §6.7). */
const MAX_PADDING = 200;

/** Decodes byte by byte, because a body of blanks or of escapes would keep a regular expression busy for seconds. */
function unquotePrintable(text: string): Uint8Array {
  const joined = withoutSoftBreaks(withoutPadding(Buffer.from(text, 'latin1')));
  let size = 0;
  for (let at = 0; at < joined.length; at++) {
    const [high, low] = [hexDigit(joined[at + 1]), hexDigit(joined[at + 2])];
    const isEscape = joined[at] === EQUALS && high >= 0 && low >= 0;
    joined[size++] = isEscape ? high * 16 + low : (joined[at] ?? 0);
    if (isEscape) at += 2;
  }
  return joined.subarray(0, size);
}

function withoutPadding(text: Buffer): Buffer {
  let size = 0;
  let blanks = 0;
  for (let at = 0; at <= text.length; at++) {
    if (breakAt(text, at) > 0 || at === text.length) size -= Math.min(blanks, MAX_PADDING);
    const byte = text[at] ?? 0;
    blanks = byte === SPACE || byte === TAB ? blanks + 1 : 0;
    if (at < text.length) text[size++] = byte;
  }
  return text.subarray(0, size);
}

function withoutSoftBreaks(text: Buffer): Buffer {
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    const length = text[at] === EQUALS ? breakAt(text, at + 1) : 0;
    if (length > 0) at += length;
    else text[size++] = text[at] ?? 0;
  }
  return text.subarray(0, size);
}

/** Returns the bytes of the line break at this place; 0 when there is none. */
function breakAt(text: Buffer, at: number): number {
  if (text[at] === LF) return 1;
  return text[at] === CR && text[at + 1] === LF ? 2 : 0;
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
