/** Recognises JPEG XL (ISO/IEC 18181-2): a file of boxes, or the codestream alone. Describes the content of a file besides its picture. */
import { asBuffer } from '../byte-scan.ts';

const SIGNATURE = Buffer.from('0000000c4a584c200d0a870a', 'hex');
const CODESTREAM = Buffer.from('ff0a', 'hex');
/** A codestream states its size in the bytes after its mark, so it cannot be shorter. */
const LEAST_BYTES = 12;
/** A limit against files of millions of empty boxes. */
const MAX_BOXES = 1_000;
/** Boxes that the picture needs. Others have data about it, or restore the JPEG from which it was made. */
const OF_PICTURE = new Set(['JXL ', 'ftyp', 'jxll', 'jxlc', 'jxlp', 'jxli', 'jbrd', 'free']);

export function isJxl(bytes: Uint8Array): boolean {
  const view = asBuffer(bytes);
  if (view.length < LEAST_BYTES) return false;
  return isBoxed(view) || (view.subarray(0, 2).equals(CODESTREAM) && view.includes(0));
}

const isBoxed = (view: Buffer): boolean => view.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/** Says whether the file has data about its picture, and where its last box ends. */
export function besidesPicture(bytes: Uint8Array): { readonly hasMetadata: boolean; readonly end: number } {
  const view = asBuffer(bytes);
  if (!isBoxed(view)) return { hasMetadata: false, end: view.length };
  let hasMetadata = false;
  let at = 0;
  for (let count = 0; at + 8 <= view.length && count < MAX_BOXES; count++) {
    const size = view.readUInt32BE(at);
    const length = size === 1 && at + 16 <= view.length ? Number(view.readBigUInt64BE(at + 8)) : size;
    const next = size === 0 ? view.length : at + length;
    if (next < at + 8 || next > view.length) break;
    hasMetadata ||= !OF_PICTURE.has(view.toString('latin1', at + 4, at + 8));
    at = next;
  }
  return { hasMetadata, end: at };
}
