/** Finding lines in bytes. Offsets are into the email; nothing here copies it. */

export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const TAB = 0x09;

/** The bytes of an email as a Buffer over the same memory, for its native searches. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Where the line that starts at `start` ends: the offset after its LF, or the end of the bytes. */
export function lineEndAfter(email: Buffer, start: number): number {
  const at = email.indexOf(LF, start);
  return at < 0 ? email.length : at + 1;
}

/** `end` moved back over one LF or CR LF in front of it, but not past `floor`. */
export function withoutLineBreak(email: Buffer, floor: number, end: number): number {
  let cut = end;
  if (cut > floor && email[cut - 1] === LF) {
    cut--;
    if (cut > floor && email[cut - 1] === CR) cut--;
  }
  return cut;
}

/** `end` moved back over the spaces and tabs in front of it, but not past `floor`. */
export function withoutPadding(email: Buffer, floor: number, end: number): number {
  let cut = end;
  while (cut > floor && (email[cut - 1] === SPACE || email[cut - 1] === TAB)) cut--;
  return cut;
}

/** The offset of the first header line: after the "From " line that mbox files put in front of a message, if there is one. */
export function skipMboxLine(email: Buffer): number {
  return email.toString('latin1', 0, 5) === 'From ' ? lineEndAfter(email, 0) : 0;
}

/** How many bytes of [start, end) are not white space or line breaks, and where the first and last of them stand. */
export function inkOf(email: Buffer, start: number, end: number): { readonly start: number; readonly end: number } {
  let from = start;
  let to = end;
  while (from < to && isBlank(email[from])) from++;
  while (to > from && isBlank(email[to - 1])) to--;
  return { start: from, end: to };
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CR || byte === LF;
}
