/** The dots per inch that a picture states. Libraries invent numbers for pictures that state none. */

const INCHES_PER_METRE = 39.37007874;
const CENTIMETRES_PER_INCH = 2.54;

/** Returns the density. Returns null for a picture without one, or in another format than PNG and JPEG. */
export function densityOf(bytes: Uint8Array): number | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.toString('latin1', 1, 4) === 'PNG') return ofPng(view);
  const isJfif = view.toString('latin1', 6, 10) === 'JFIF' && view.length > 18;
  const [unit, dots] = isJfif ? [view.readUInt8(13), view.readUInt16BE(14)] : [0, 0];
  if (unit === 0 || dots === 0) return null;
  return unit === 1 ? dots : dots * CENTIMETRES_PER_INCH;
}

/** Returns the density in the chunk pHYs, which comes before the pixels. */
function ofPng(png: Buffer): number | null {
  for (let at = 8; at + 21 <= png.length; ) {
    const [length, type] = [png.readUInt32BE(at), png.toString('latin1', at + 4, at + 8)];
    if (type === 'IDAT') return null;
    if (type === 'pHYs') return png.readUInt8(at + 16) === 1 ? png.readUInt32BE(at + 8) / INCHES_PER_METRE : null;
    at += 12 + length;
  }
  return null;
}
