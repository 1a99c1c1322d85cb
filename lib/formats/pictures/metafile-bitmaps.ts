/**
 * Windows metafiles ([MS-WMF], [MS-EMF]): their first bytes, and the bitmaps in them. Codes that are drawn with lines are not found, as in
 * SVG drawings.
 */
import { asBuffer } from '../byte-scan.ts';

const BMP_HEADER_BYTES = 14;
const BITMAP_HEADER_BYTES = 40;
const PLACEABLE = 0x9ac6cdd7;
const PLACEABLE_BYTES = 22;
const WMF_HEADER_BYTES = 18;

/** The places in EMF records with a bitmap that give its position: header, its size, pixels, their size. */
const EMF_BITMAPS: ReadonlyMap<number, number> = new Map([
  [76, 84],
  [77, 84],
  [80, 48],
  [81, 48],
  [93, 16],
  [94, 16],
  [114, 84],
  [116, 84],
]);
/** The start of the bitmap in records of a WMF. */
const WMF_BITMAPS: ReadonlyMap<number, number> = new Map([
  [0x0142, 10],
  [0x0940, 22],
  [0x0b41, 26],
  [0x0d33, 24],
  [0x0f43, 28],
]);

/** Returns whether the file begins as a Windows metafile, with or without the frame that most programs write first. */
export function isWmf(bytes: Uint8Array): boolean {
  const view = asBuffer(bytes);
  if (view.length < WMF_HEADER_BYTES) return false;
  const start = view.readUInt32LE(0) === PLACEABLE ? PLACEABLE_BYTES : 0;
  if (start + WMF_HEADER_BYTES > view.length) return false;
  const [kind, header, version] = [0, 2, 4].map((at) => view.readUInt16LE(start + at));
  return (kind === 1 || kind === 2) && header === 9 && (version === 0x0300 || version === 0x0100);
}

/** Returns whether the file begins as an enhanced metafile. */
export function isEmf(bytes: Uint8Array): boolean {
  const view = asBuffer(bytes);
  return view.length >= 88 && view.readUInt32LE(0) === 1 && view.toString('latin1', 40, 44) === ' EMF';
}

/** Yields each bitmap of a metafile as a BMP file. Ends at the first damaged record. */
export function* bitmapsIn(bytes: Uint8Array): Generator<Buffer> {
  const view = asBuffer(bytes);
  try {
    yield* isEmf(bytes) ? emfBitmaps(view) : wmfBitmaps(view);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

function* emfBitmaps(view: Buffer): Generator<Buffer> {
  for (let at = view.readUInt32LE(4), size = 8; size >= 8; at += size) {
    size = view.readUInt32LE(at + 4);
    const place = EMF_BITMAPS.get(view.readUInt32LE(at));
    if (place === undefined) continue;
    const [from, length, bits, bitsLength] = [0, 4, 8, 12].map((step) => view.readUInt32LE(at + place + step)) as [
      number,
      number,
      number,
      number,
    ];
    // A record holds all of its bitmap. A head that led out of it would be copied once for each record.
    if (length < BITMAP_HEADER_BYTES || from + length > size || bits + bitsLength > size) continue;
    yield bmpOf(view.subarray(at + from, at + from + length), view.subarray(at + bits, at + bits + bitsLength));
  }
}

function* wmfBitmaps(view: Buffer): Generator<Buffer> {
  const start = view.readUInt32LE(0) === PLACEABLE ? PLACEABLE_BYTES : 0;
  for (let at = start + WMF_HEADER_BYTES, size = 6; size >= 6; at += size) {
    size = view.readUInt32LE(at) * 2;
    const from = WMF_BITMAPS.get(view.readUInt16LE(at + 4));
    if (from === undefined || size < from + BITMAP_HEADER_BYTES) continue;
    const bitmap = view.subarray(at + from, at + size);
    const length = headLength(bitmap);
    yield bmpOf(bitmap.subarray(0, length), bitmap.subarray(length));
  }
}

/** Returns the bytes of the header and the colours after it. */
function headLength(bitmap: Buffer): number {
  const [header, depth, packing, used] = [
    bitmap.readUInt32LE(0),
    bitmap.readUInt16LE(14),
    bitmap.readUInt32LE(16),
    bitmap.readUInt32LE(32),
  ];
  const masks = packing === 3 && header === BITMAP_HEADER_BYTES ? 12 : 0;
  return header + masks + (depth <= 8 ? used || 2 ** depth : used) * 4;
}

function bmpOf(head: Buffer, pixels: Buffer): Buffer {
  const header = Buffer.alloc(BMP_HEADER_BYTES);
  header.write('BM', 0, 'latin1');
  header.writeUInt32LE(BMP_HEADER_BYTES + head.length + pixels.length, 2);
  header.writeUInt32LE(BMP_HEADER_BYTES + head.length, 10);
  return Buffer.concat([header, head, pixels]);
}
