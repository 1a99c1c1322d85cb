/** How a TIFF file packs the pixels of its first page (TIFF 6.0, sections 8 and 21). */

const COMPRESSION = 259;
const PHOTOMETRIC = 262;
const SUBSAMPLING = 530;
const JPEG = 7;
const YCBCR = 6;
const ENTRY_BYTES = 12;

/** JPEG tiles or strips, with colour at half the resolution or at the whole one; null for everything else, damaged files included. */
export function jpegTiff(bytes: Uint8Array): { readonly hasHalfColour: boolean } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8) return null;
  const isLittle = bytes[0] === 0x49;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > bytes.length) return null;
  const count = view.getUint16(directory, isLittle);
  const tags = new Map<number, readonly [number, number]>();
  for (let index = 0; index < count; index += 1) {
    const at = directory + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > bytes.length) return null;
    tags.set(view.getUint16(at, isLittle), [view.getUint16(at + 8, isLittle), view.getUint16(at + 10, isLittle)]);
  }
  if (tags.get(COMPRESSION)?.[0] !== JPEG) return null;
  // Without the tag it is half in both directions.
  const [across, down] = tags.get(SUBSAMPLING) ?? [2, 2];
  return { hasHalfColour: tags.get(PHOTOMETRIC)?.[0] === YCBCR && across === 2 && down === 2 };
}
