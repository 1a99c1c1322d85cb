/** Bitmaps inside records of metafiles ([MS-WMF] 2.2.2.9): a header, a table of colours and lines of pixels, written anew. */

const HEADER_BYTES = 40;
/** The length of OS/2's header, whose fields have another meaning. */
const FOREIGN_HEADER_BYTES = 64;
const UNCOMPRESSED = 0;
const MASKED = 3;
const MASK_BYTES = 12;
/** The most pixels of a side. Readers multiply the sides, and longer ones make the product overflow. */
const MAX_SIDE = 32_767;
/** Colours are given by value. The other usages name entries of a palette, which is not kept. */
const RGB_COLOURS = 0;

export interface PackedBitmap {
  readonly header: Buffer;
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the bitmap with the plain header, with the colours that its depth can use, and with exactly the lines of its height. Returns null
 * for any compression (each needs its own decoder), for a palette of indexes, and when `header` and `pixels` are shorter than their counts.
 * Without `pixels`, the pixels follow the colours in `header`. Throws RangeError when the header is cut short.
 */
export function packedBitmap(header: Buffer, usage: number, pixels?: Buffer): PackedBitmap | null {
  const size = header.readUInt32LE(0);
  const [width, height] = [header.readInt32LE(4), header.readInt32LE(8)];
  const [depth, compression] = [header.readUInt16LE(14), header.readUInt32LE(16)];
  const lines = Math.abs(height);
  if (size < HEADER_BYTES || size > header.length || size === FOREIGN_HEADER_BYTES || usage !== RGB_COLOURS)
    return null;
  if (width < 1 || width > MAX_SIDE || lines < 1 || lines > MAX_SIDE || header.readUInt16LE(12) !== 1) return null;
  const isMasked = compression === MASKED && (depth === 16 || depth === 32);
  if (compression !== UNCOMPRESSED && !isMasked) return null;
  const colours = colourCount(depth, header.readUInt32LE(32));
  if (colours === null) return null;
  // The masks follow a plain header. A longer header contains them.
  const from = isMasked && size >= HEADER_BYTES + MASK_BYTES ? HEADER_BYTES : size;
  const tableBytes = isMasked ? MASK_BYTES : colours.used * 4;
  const tableEnd =
    Math.max(size, from + tableBytes) + (isMasked ? colours.listed * 4 : (colours.listed - colours.used) * 4);
  const bits = pixels ?? header.subarray(tableEnd);
  const stride = Math.ceil((width * depth) / 32) * 4;
  if (from + tableBytes > header.length || stride * lines > bits.length) return null;
  const plain = Buffer.concat([header.subarray(0, HEADER_BYTES), header.subarray(from, from + tableBytes)]);
  plain.writeUInt32LE(HEADER_BYTES, 0);
  plain.writeUInt32LE(stride * lines, 20);
  plain.writeUInt32LE(colours.used, 32);
  plain.writeUInt32LE(0, 36);
  return { header: plain, pixels: bits.subarray(0, stride * lines), width, height: lines };
}

/**
 * Returns how many colours the table lists and how many of them pixels can name; null for a depth that does not exist, and for too many
 * colours.
 */
function colourCount(depth: number, listed: number): { readonly listed: number; readonly used: number } | null {
  if (depth === 16 || depth === 24 || depth === 32) return listed <= 256 ? { listed, used: 0 } : null;
  if (depth !== 1 && depth !== 4 && depth !== 8) return null;
  const all = 2 ** depth;
  return listed > all ? null : { listed: listed || all, used: listed || all };
}
