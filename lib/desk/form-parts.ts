/** Checks the form of an upload before it is parsed, which costs memory and time for each part of it and for each byte of a header. */
import { asBuffer } from '../formats/byte-scan.ts';

/** The limits of a form of the desk, which has two parts. */
const LIMITS = {
  /** Fifty thousand empty parts keep a processor busy for a second, and the most that fit for ten. Parts of a form. */
  parts: 8,
  /** The same with a million header lines, or a name of megabytes. Bytes of the header of a part. */
  partHeaderBytes: 256 * 1024,
} as const;
export const FORM_LIMITS = LIMITS;

/**
 * Content-Type of a form as browsers and programs write it. A boundary in quotation marks, or a second one, would be read in different
 * ways.
 */
export const UPLOAD_TYPE = /^multipart\/form-data; ?boundary=([\w'()+,./:=?-]{1,70})$/;

/** Returns true for a form that is cheap to parse. Takes linear time. */
export function isCheapForm(contentType: string, form: Uint8Array): boolean {
  const boundary = UPLOAD_TYPE.exec(contentType)?.[1];
  if (boundary === undefined) return false;
  const bytes = asBuffer(form);
  const delimiter = `--${boundary}`;
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    const begins = at + delimiter.length;
    if (bytes.subarray(begins, begins + 2).toString('latin1') === '--') continue;
    parts += 1;
    const header = bytes.subarray(begins, begins + LIMITS.partHeaderBytes);
    if (parts > LIMITS.parts || !header.includes('\r\n\r\n')) return false;
  }
  return true;
}
