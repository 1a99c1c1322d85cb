/**
 * Content-Transfer-Encoding decoders (RFC 2045 §6). They decode what mail programs decode, and say when the text was not
 * well formed: programs differ there, so somebody may see other bytes than the ones that were judged.
 */
import { CR, LF, SPACE, TAB } from './byte-scan.ts';
import type { TransferEncoding } from './model.ts';

export interface Decoded {
  readonly bytes: Uint8Array;
  readonly isWellFormed: boolean;
}

const WHITE_SPACE = 64;
const PADDING = 65;
const JUNK = 66;
/** Per byte: its base64 value, or one of the three classes above. */
const BASE64_CLASS = base64Classes();

function base64Classes(): Uint8Array {
  const classes = new Uint8Array(256).fill(JUNK);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < 64; value++) classes[alphabet.charCodeAt(value)] = value;
  for (const byte of [SPACE, TAB, CR, LF]) classes[byte] = WHITE_SPACE;
  classes[0x3d] = PADDING;
  return classes;
}

/** Decodes a body. 7bit, 8bit, binary and unknown encodings are the bytes as they stand, not copied. */
export function decodeBody(body: Buffer, encoding: TransferEncoding): Decoded {
  if (encoding === 'base64') return decodeBase64(body);
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body);
  return { bytes: body, isWellFormed: true };
}

/** Well-formed base64: whole groups of four, padding only at the very end. White space does not count. */
export function isBase64(body: Uint8Array): boolean {
  let digits = 0;
  let padding = 0;
  for (let at = 0; at < body.length; at++) {
    const kind = BASE64_CLASS[body[at] as number] as number;
    if (kind < WHITE_SPACE) {
      if (padding > 0) return false;
      digits++;
    } else if (kind === PADDING) padding++;
    else if (kind === JUNK) return false;
  }
  return padding <= 2 && (digits + padding) % 4 === 0;
}

/** base64 as mail programs read it: junk is skipped, padding ends a group and starts afresh. */
function decodeBase64(body: Buffer): Decoded {
  // The native decoder knows only the well-formed text, and URL-safe digits, which are junk in mail.
  if (isBase64(body)) return { bytes: Buffer.from(body.toString('latin1'), 'base64'), isWellFormed: true };
  const bytes = Buffer.allocUnsafe(Math.ceil((body.length * 3) / 4) + 3);
  let written = 0;
  let group = 0;
  let bits = 0;
  for (let at = 0; at < body.length; at++) {
    const kind = BASE64_CLASS[body[at] as number] as number;
    if (kind < WHITE_SPACE) {
      group = ((group << 6) | kind) & 0xffffff;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        bytes[written++] = (group >> bits) & 0xff;
      }
    } else if (kind === PADDING) bits = 0;
  }
  return { bytes: bytes.subarray(0, written), isWellFormed: false };
}

/** quoted-printable, RFC 2045 §6.7: white space at line ends goes, `=` and a line break join lines, other `=` stay. */
function decodeQuotedPrintable(body: Buffer): Decoded {
  if (body.indexOf(0x3d) < 0 && !hasPaddedLine(body)) return { bytes: body, isWellFormed: true };
  const bytes = Buffer.allocUnsafe(body.length);
  let written = 0;
  let isWellFormed = true;
  let at = 0;
  while (at < body.length) {
    const byte = body[at] as number;
    if (byte === SPACE || byte === TAB) {
      const end = blanksEnd(body, at);
      if (!isLineEnd(body, end)) written += body.copy(bytes, written, at, end);
      at = end;
    } else if (byte === 0x3d) {
      const escaped = escapeAt(body, at);
      if (escaped.byte >= 0) bytes[written++] = escaped.byte;
      else if (!escaped.isSoftBreak) {
        isWellFormed = false;
        bytes[written++] = byte;
      }
      at = escaped.end;
    } else {
      bytes[written++] = byte;
      at++;
    }
  }
  return { bytes: bytes.subarray(0, written), isWellFormed };
}

function hasPaddedLine(body: Buffer): boolean {
  for (const blank of [SPACE, TAB]) {
    if (body[body.length - 1] === blank) return true;
    for (const end of [CR, LF]) if (body.includes(Buffer.from([blank, end]))) return true;
  }
  return false;
}

function blanksEnd(body: Buffer, start: number): number {
  let end = start;
  while (body[end] === SPACE || body[end] === TAB) end++;
  return end;
}

function isLineEnd(body: Buffer, at: number): boolean {
  return at >= body.length || body[at] === LF || body[at] === CR;
}

/** What the `=` at `at` means: a byte, a soft line break, or nothing (byte -1, not a break). */
function escapeAt(body: Buffer, at: number): { byte: number; isSoftBreak: boolean; end: number } {
  const high = hexValue(body[at + 1]);
  const low = hexValue(body[at + 2]);
  if (high >= 0 && low >= 0) return { byte: high * 16 + low, isSoftBreak: false, end: at + 3 };
  const end = blanksEnd(body, at + 1);
  if (end >= body.length) return { byte: -1, isSoftBreak: true, end };
  if (body[end] === LF) return { byte: -1, isSoftBreak: true, end: end + 1 };
  if (body[end] === CR && body[end + 1] === LF) return { byte: -1, isSoftBreak: true, end: end + 2 };
  return { byte: -1, isSoftBreak: false, end: at + 1 };
}

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
