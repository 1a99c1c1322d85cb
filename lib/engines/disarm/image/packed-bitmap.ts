/** Bitmaps inside records of metafiles ([MS-WMF] 2.2.2.9): a header, a table of colours and lines of pixels, written anew. */

const HEADER_BYTES = 40;
/** Of OS/2, with fields of another meaning. */
const FOREIGN_HEADER_BYTES = 64;
const UNCOMPRESSED = 0;
const MASKED = 3;
const MASK_BYTES = 12;
/** Sides of more pixels overflow the products that readers make of them. */
const MAX_SIDE = 32_767;
/** Colours by their value; the other usages name entries of a palette, which is not kept. */
const RGB_COLOURS = 0;

export interface PackedBitmap {
  readonly header: Buffer;
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * The bitmap with the plain header, as many colours as its depth has use for, and exactly the lines its height asks for. Null for
 * compression (each is a decoder of its own), for a palette of indexes, and when anything counted does not stand in `header` and
 * `pixels`. Without `pixels` they follow the colours in `header`. Throws RangeError when the header is cut short.
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
  // Longer headers start with the masks that stand behind the plain one.
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

/** Colours in the table, and those of them that pixels can name; null for a depth that does not exist, or for too many. */
function colourCount(depth: number, listed: number): { readonly listed: number; readonly used: number } | null {
  if (depth === 16 || depth === 24 || depth === 32) return listed <= 256 ? { listed, used: 0 } : null;
  if (depth !== 1 && depth !== 4 && depth !== 8) return null;
  const all = 2 ** depth;
  return listed > all ? null : { listed: listed || all, used: listed || all };
}
