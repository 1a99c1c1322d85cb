/** The relaxed form of fields and bodies, in which DKIM and ARC sign them (RFC 6376 §3.4.2 and §3.4.4). */
import { createHash } from 'node:crypto';

/** Returns a field in relaxed form, without a line break at its end. `text` is everything after the colon, folds included (latin1). */
export function relaxedField(name: string, text: string): string {
  const value = text.replace(/\r?\n/g, '').replace(/[ \t]+/g, ' ');
  return `${name.toLowerCase().trim()}:${value.trim()}`;
}

/** SHA-256 of a body in relaxed form, in base64. Lines that end in LF alone count as lines of mail: they are sent with CRLF. */
export function relaxedBodyHash(body: Uint8Array): string {
  const hash = createHash('sha256');
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // Empty lines at the end do not count. They are kept back until another line follows.
  let emptyLines = 0;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf(0x0a, at);
    const end = found < 0 ? text.length : found;
    const line = relaxedLine(text.subarray(at, end));
    at = end + 1;
    if (line.length === 0) emptyLines++;
    else {
      for (; emptyLines > 0; emptyLines--) hash.update('\r\n');
      hash.update(line).update('\r\n');
    }
  }
  return hash.digest('base64');
}

const SPACE = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;

/** Returns the line with one space for each run of blanks, and without blanks at its end. */
function relaxedLine(line: Buffer): Buffer {
  const end = line.at(-1) === RETURN ? line.length - 1 : line.length;
  const out = Buffer.allocUnsafe(end);
  let length = 0;
  let isBlank = false;
  for (let at = 0; at < end; at++) {
    const byte = line[at] as number;
    if (byte === SPACE || byte === TAB) {
      isBlank = true;
      continue;
    }
    if (isBlank) out[length++] = SPACE;
    isBlank = false;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}
