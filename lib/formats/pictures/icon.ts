/**
 * Decodes the largest picture of a Windows icon (ICO). It is a PNG, or a bitmap without a file header. The height of such a bitmap also
 * counts the mask after it.
 */
import { decodeBmp } from './bmp.ts';
import { type IconPicture, iconPictures, isPng } from './icon-start.ts';
import { PictureError } from './picture-error.ts';
import { plainTiff } from './plain-tiff.ts';

export interface DecodedIcon {
  /** A PNG from the icon, or a TIFF. */
  readonly picture: Uint8Array;
  readonly format: 'png' | 'tiff';
  readonly hasOthers: boolean;
  /** The offset after the last byte of all pictures. */
  readonly end: number;
}

/** Decodes the icon. Throws PictureError `unreadable`, `unsupported` (a depth or a packing of bitmaps) or `oversize`. */
export function decodeIcon(bytes: Uint8Array, mostPixels: number): DecodedIcon {
  const pictures = iconPictures(bytes);
  const [largest, ...others] = [...(pictures ?? [])].sort((one, other) => worth(other) - worth(one));
  if (pictures === null || largest === undefined) throw damaged();
  const isReady = isPng(largest.bytes);
  return {
    picture: isReady ? largest.bytes : bitmapAsTiff(largest.bytes, mostPixels),
    format: isReady ? 'png' : 'tiff',
    hasOthers: others.length > 0,
    end: Math.max(...pictures.map(({ end }) => end)),
  };
}

const damaged = () => new PictureError('unreadable', 'the icon is damaged');

/** Compares pictures. More pixels are worth more, and among equal sizes more colours. */
const worth = ({ width, height, bits }: IconPicture) => width * height * 64 + Math.min(bits, 63);

const FILE_HEADER_BYTES = 14;
const BITMAP_HEADER_BYTES = 40;
const HEIGHT_AT = 8;
const MAX_COLOURS = 256;

/** Returns the bitmap with a file header, and with half of its height. */
function bitmapAsTiff(bitmap: Buffer, mostPixels: number): Buffer {
  const [width, bothHeights, bits] = [bitmap.readInt32LE(4), bitmap.readInt32LE(HEIGHT_AT), bitmap.readUInt16LE(14)];
  const height = bothHeights / 2;
  if (width < 1 || height < 1 || !Number.isInteger(height) || bitmap.readUInt32LE(16) !== 0) throw damaged();
  if (width * height > mostPixels) throw new PictureError('oversize', `more than ${mostPixels} pixels`);
  const colours = bits > 8 ? 0 : bitmap.readUInt32LE(32) || 2 ** bits;
  if (colours > MAX_COLOURS) throw damaged();
  const pixelsAt = BITMAP_HEADER_BYTES + colours * 4;
  const file = Buffer.concat([Buffer.alloc(FILE_HEADER_BYTES), bitmap]);
  file.write('BM', 'latin1');
  file.writeUInt32LE(FILE_HEADER_BYTES + pixelsAt, 10);
  file.writeInt32LE(height, FILE_HEADER_BYTES + HEIGHT_AT);
  const { pixels: rgb } = decodeBmp(file, mostPixels);
  const alpha = alphaOf(bitmap, { width, height, bits, pixelsAt });
  const pixels = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    pixels.set(rgb.subarray(at * 3, at * 3 + 3), at * 4);
    pixels[at * 4 + 3] = alpha[at] ?? 0;
  }
  return plainTiff({ width, height, pixels, colours: 'rgb', hasAlpha: true, profile: null });
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly pixelsAt: number;
}

const lineBytes = (width: number, bits: number) => Math.ceil((width * bits) / 32) * 4;

/** Returns the opacity of each pixel: by its fourth byte if any pixel has one, otherwise by the mask. Without either, all are opaque. */
function alphaOf(bitmap: Buffer, { width, height, bits, pixelsAt }: Layout): Uint8Array {
  const alpha = new Uint8Array(width * height).fill(255);
  const each = (put: (x: number, line: number) => number) => {
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) alpha[y * width + x] = put(x, height - 1 - y);
    return alpha;
  };
  if (bits === 32) {
    each((x, line) => bitmap[pixelsAt + (line * width + x) * 4 + 3] ?? 0);
    if (alpha.some((value) => value > 0)) return alpha;
    alpha.fill(255);
  }
  const maskAt = pixelsAt + lineBytes(width, bits) * height;
  const maskLine = lineBytes(width, 1);
  if (maskAt + maskLine * height > bitmap.length) return alpha;
  return each((x, line) => (((bitmap[maskAt + line * maskLine + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 0 : 255));
}
