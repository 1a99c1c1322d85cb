/** JPEG pictures of a PDF keep their compressed pixels. Everything else is removed, such as the place and time of a photo. */

import { endOfScan } from '../image/format.ts';

const APP0 = 0xe0;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;
const START_OF_SCAN = 0xda;
const END = 0xd9;

/**
 * Returns the picture without comments, application data and bytes after its end (ITU-T T.81, B.1). The application data of JFIF and Adobe
 * stays, because it tells how to read the colours. Bytes that are not a JPEG are returned unchanged: the decoder will refuse them.
 */
export function plainJpeg(bytes: Uint8Array): Uint8Array {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept = view[0] === 0xff && view[1] === 0xd8 ? keptSegments(view) : null;
  return kept === null ? bytes : Buffer.concat([...kept, Buffer.from([0xff, END])]);
}

/** Returns null when the chain of segments breaks. */
function keptSegments(view: Buffer): Uint8Array[] | null {
  const kept = [view.subarray(0, 2)];
  // An interrupted scanner writes no end mark. Programs show the existing part.
  for (let at = 2; at < view.length && view[at + 1] !== END; ) {
    if (at + 4 > view.length || view[at] !== 0xff) return null;
    const marker = view[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + view.readUInt16BE(at + 2);
    if (end > view.length) return null;
    const next = marker === START_OF_SCAN ? endOfScan(view, end) : end;
    if (!isForeign(marker)) kept.push(view.subarray(at, next));
    at = next;
  }
  return kept;
}

function isForeign(marker: number): boolean {
  return marker === COMMENT || (marker > APP0 && marker <= APP15 && marker !== APP14);
}
