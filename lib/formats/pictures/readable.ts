/** Decodes pictures of the formats that sharp does not read, and gives them to it as a TIFF or a PNG. */
import { brandOf } from '../media/brands.ts';
import { isIcon } from './icon-start.ts';
import { isJpeg2000 } from './jpeg2000-start.ts';
import { isJxl } from './jxl-start.ts';
import { isPhotoshop } from './photoshop-start.ts';

/** Returns the same picture in a form that sharp reads. Returns the bytes themselves when it reads them already. Throws PictureError. */
export async function readablePicture(bytes: Uint8Array, mostPixels: number): Promise<Uint8Array> {
  if (isPhotoshop(bytes)) {
    const { decodePhotoshop } = await import('./photoshop.ts');
    return decodePhotoshop(bytes, mostPixels).tiff;
  }
  if (isIcon(bytes)) {
    const { decodeIcon } = await import('./icon.ts');
    return decodeIcon(bytes, mostPixels).picture;
  }
  if (isTiff(bytes)) {
    const { readableTiff } = await import('./odd-tiff.ts');
    return (await readableTiff(bytes, mostPixels)) ?? bytes;
  }
  if (isJpeg2000(bytes)) {
    const { decodeJpeg2000 } = await import('./jpeg2000.ts');
    return (await decodeJpeg2000(bytes, mostPixels)).tiff;
  }
  if (isJxl(bytes)) {
    const { decodeJxl } = await import('./jxl.ts');
    return decodeJxl(bytes, mostPixels).png;
  }
  if (!isHeic(bytes)) return bytes;
  const { decodeHeif } = await import('./heif.ts');
  return (await decodeHeif(bytes, mostPixels)).tiff;
}

const isTiff = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x49 && bytes[1] === 0x49) || (bytes[0] === 0x4d && bytes[1] === 0x4d);

function isHeic(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(4, 8)).toString('latin1') === 'ftyp' && brandOf(bytes) === 'heic';
}
