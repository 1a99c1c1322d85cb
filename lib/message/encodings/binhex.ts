/**
 * Reads BinHex 4.0 files in text (RFC 1741 §4, appendix A). Each character holds six bits, and 0x90 marks a run. A header comes first, then
 * the data fork and the resource fork.
 */
import { asBuffer, lineEndAfter } from '../../formats/byte-scan.ts';
import type { TextFile } from './uuencode.ts';

const MARK = Buffer.from('BinHex');
const LINE = /\(?this file must be converted with binhex[^\n]{0,40}$/i;
const ALPHABET = '!"#$%&\'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr';
const VALUES = new Map([...ALPHABET].map((char, value) => [char.charCodeAt(0), value]));
const COLON = 0x3a;
const RUN = 0x90;
/** The most lines between the mark and the colon that begins the data. */
const LINES_BETWEEN = 5;
const FILES = 100;
/** A NUL, type, creator, flags, two lengths and a checksum follow the name. */
const HEADER_BYTES = 1 + 4 + 4 + 2 + 4 + 4 + 2;
const MAX_NAME_LENGTH = 63;
/** Bytes by which decoded data may be longer than its text. A run means up to 255 bytes. */
const MAX_GROWTH = 16 * 1024 * 1024;

/** Returns the data fork of each file, and its resource fork when it has one. Damaged files are read as far as possible. Linear. */
export function binhexFiles(bytes: Uint8Array): TextFile[] {
  const text = asBuffer(bytes);
  const files: TextFile[] = [];
  for (let at = text.indexOf(MARK); at >= 0 && files.length < FILES; ) {
    const lineEnd = lineEndAfter(text, at);
    const lineStart = Math.max(text.lastIndexOf(0x0a, at), text.lastIndexOf(0x0d, at)) + 1;
    const start = LINE.test(text.toString('latin1', Math.max(lineStart, at - 80), lineEnd).trimEnd())
      ? dataStart(text, lineEnd)
      : -1;
    const end = start < 0 ? -1 : endOf(text, start);
    if (start >= 0) files.push(...filesOf(decoded(text.subarray(start, end)), { start: lineStart, end }));
    at = text.indexOf(MARK, Math.max(end, lineEnd));
  }
  return files;
}

/** Returns the offset after the colon that begins a line soon after the mark, or -1. */
function dataStart(text: Buffer, from: number): number {
  for (let line = 0, at = from; line < LINES_BETWEEN && at < text.length; line++) {
    let ink = at;
    while (text[ink] === 0x20 || text[ink] === 0x3e || text[ink] === 0x09) ink++;
    if (text[ink] === COLON) return ink + 1;
    at = lineEndAfter(text, at);
  }
  return -1;
}

function endOf(text: Buffer, start: number): number {
  const colon = text.indexOf(COLON, start);
  return colon < 0 ? text.length : colon;
}

/** Decodes the data. Characters outside the alphabet are line breaks, quotation marks and damage, and are skipped. */
function decoded(text: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(text.length + MAX_GROWTH);
  let [written, group, bits, isRun] = [0, 0, 0, false];
  for (const char of text) {
    const value = VALUES.get(char);
    if (value === undefined) continue;
    group = ((group << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (group >> bits) & 0xff;
    const count = isRun ? byte : 0;
    if (!isRun && byte === RUN) isRun = true;
    else if (isRun && count > 0) {
      // The count includes the byte in front of the run, which is already written.
      const last = bytes[written - 1] ?? 0;
      const end = Math.min(bytes.length, written + count - 1);
      bytes.fill(last, written, end);
      written = end;
      isRun = false;
    } else {
      bytes[written++] = isRun ? RUN : byte;
      isRun = false;
    }
    if (written >= bytes.length) break;
  }
  return Buffer.from(bytes.subarray(0, written));
}

function filesOf(stream: Buffer, place: { readonly start: number; readonly end: number }): TextFile[] {
  const length = stream[0] ?? 0;
  const header = 1 + length;
  const data = header + HEADER_BYTES;
  if (length === 0 || length > MAX_NAME_LENGTH || stream.length < data) return [{ ...place, name: '', bytes: stream }];
  const name = stream.toString('latin1', 1, header);
  const sizes = header + 1 + 4 + 4 + 2;
  const dataEnd = data + stream.readUInt32BE(sizes);
  const resource = dataEnd + 2;
  const files = [{ ...place, name, bytes: Buffer.from(stream.subarray(data, dataEnd)) }];
  const resourceSize = stream.readUInt32BE(sizes + 4);
  if (resourceSize > 0)
    files.push({
      ...place,
      name: `${name}.rsrc`,
      bytes: Buffer.from(stream.subarray(resource, resource + resourceSize)),
    });
  return files;
}
