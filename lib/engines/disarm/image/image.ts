/** Disarm of raster pictures. All are decoded and encoded again. */

import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType, type FileType } from '../../../formats/file-types.ts';
import type { DecodedPicture } from '../../../formats/pictures/heif.ts';
import { PictureError } from '../../../formats/pictures/picture-error.ts';
import type { EngineLimits, FileInput, Removal } from '../../engine.ts';
import { EngineError } from '../../engine.ts';
import type { Disarmed, DisarmStrategy } from '../disarm-module.ts';
import { isOpaque, isTransparent, type OutputFormat, outputFormat, reencodePicture } from './codec.ts';
import { OTHER_PICTURES, pictureExtras, pictureFormat, type RasterFormat } from './format.ts';

const FORMATS: ReadonlyMap<string, RasterFormat> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/tiff', 'tiff'],
  ['image/bmp', 'bmp'],
  ['image/avif', 'avif'],
  ['image/heic', 'heic'],
  ['image/vnd.adobe.photoshop', 'psd'],
  ['image/vnd.microsoft.icon', 'ico'],
  ['image/jp2', 'jp2'],
  ['image/jxl', 'jxl'],
]);

/**
 * Re-encodes the picture. Pixels, size, transparency and frames stay, the orientation is applied, and everything else is removed. The
 * outcome is always `disarmed`. Throws EngineError `oversize`, `unreadable`, `unsupported`.
 */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const format = FORMATS.get(type.type);
  if (format === undefined || pictureFormat(input.bytes) !== format) {
    throw new EngineError('unreadable', `the file does not start like a ${type.description}`);
  }
  const picture = await decoded(input, format, limits);
  const { bytes, isDamaged, isPlain } = await reencode(picture, input, limits);
  const damage: Removal = { kind: 'damaged structure', action: 'sanitized', where: 'picture file' };
  const details = picture.extras
    .filter((kind) => kind !== 'unusual structure' && (kind !== 'metadata' || input.keepMetadata !== true))
    .map((kind): Removal => ({ kind, action: 'removed', where: 'picture file' }));
  return {
    outcome: 'disarmed',
    bytes,
    type: describeType(`image/${picture.as}` satisfies FileType),
    details: isDamaged ? [damage, ...details] : details,
    ...(isPlain && { isPlain }),
  };
}

/** A picture in a format that sharp reads, and its output format. */
interface Decoded {
  readonly bytes: Uint8Array;
  readonly format: RasterFormat;
  readonly as: OutputFormat;
  readonly extras: readonly string[];
  readonly hasHalfColour?: true;
}

/** Chooses PNG for a transparent picture, because JPEG has no transparency. */
async function decoded({ bytes }: FileInput, format: RasterFormat, limits: EngineLimits): Promise<Decoded> {
  if (format === 'heic') {
    const { tiff, isTransparent, hasOthers, hasMetadata } = await heifPixels(bytes, limits);
    const extras = [...(hasMetadata ? ['metadata'] : []), ...(hasOthers ? [OTHER_PICTURES] : [])];
    return { bytes: tiff, format: 'tiff', as: isTransparent ? 'png' : 'jpeg', extras, hasHalfColour: true };
  }
  if (format === 'psd') return photoshopPixels(bytes, limits);
  if (format === 'ico') return iconPixels(bytes, limits);
  if (format === 'jp2') return jpeg2000Pixels(bytes, limits);
  if (format === 'jxl') return jxlPixels(bytes, limits);
  const as = format === 'avif' && (await isTransparent(bytes, limits)) ? 'png' : outputFormat(format);
  return { bytes, format, as, extras: pictureExtras(bytes, format) };
}

/** Reads one picture of all layers. Designers mail layers, but other people see one picture of them. */
async function photoshopPixels(bytes: Uint8Array, limits: EngineLimits): Promise<Decoded> {
  const { decodePhotoshop } = await import('../../../formats/pictures/photoshop.ts');
  const { tiff, hasOthers, hasMetadata, end } = await asEngineError(async () => decodePhotoshop(bytes, limits.pixels));
  const extras = [
    ...(hasMetadata ? ['metadata'] : []),
    ...(hasOthers ? ['picture layers'] : []),
    ...(end < bytes.length ? ['appended data'] : []),
  ];
  return { bytes: tiff, format: 'tiff', as: 'png', extras };
}

/** Reads one picture of an icon, which contains it in several sizes. */
async function iconPixels(bytes: Uint8Array, limits: EngineLimits): Promise<Decoded> {
  const { decodeIcon } = await import('../../../formats/pictures/icon.ts');
  const { picture, format, hasOthers, end } = await asEngineError(async () => decodeIcon(bytes, limits.pixels));
  const extras = [
    ...(format === 'png' ? pictureExtras(picture, 'png') : []),
    ...(hasOthers ? [OTHER_PICTURES] : []),
    ...(end < bytes.length ? ['appended data'] : []),
  ];
  return { bytes: picture, format, as: 'png', extras };
}

/** Chooses lossy packing for lossy input, because everything else would be many times larger. */
async function jpeg2000Pixels(bytes: Uint8Array, limits: EngineLimits): Promise<Decoded> {
  const { decodeJpeg2000 } = await import('../../../formats/pictures/jpeg2000.ts');
  const { tiff, isLossless, hasMetadata, end } = await asEngineError(() => decodeJpeg2000(bytes, limits.pixels));
  const extras = [...(hasMetadata ? ['metadata'] : []), ...(end < bytes.length ? ['appended data'] : [])];
  return { bytes: tiff, format: 'tiff', as: isLossless ? 'png' : 'jpeg', extras };
}

/** A PNG that is this many times larger than the picture shows that it was packed with loss. Without loss, JPEG XL takes half of a PNG. */
const WITH_LOSS = 6;

async function jxlPixels(bytes: Uint8Array, limits: EngineLimits): Promise<Decoded> {
  const { decodeJxl } = await import('../../../formats/pictures/jxl.ts');
  const { png, hasOthers, hasMetadata, end } = await asEngineError(async () => decodeJxl(bytes, limits.pixels));
  const extras = [
    ...(hasMetadata ? ['metadata'] : []),
    ...(hasOthers ? [OTHER_PICTURES] : []),
    ...(end < bytes.length ? ['appended data'] : []),
  ];
  const isLossy = png.length > bytes.length * WITH_LOSS && (await isOpaque(png, limits));
  return { bytes: png, format: 'png', as: isLossy ? 'jpeg' : 'png', extras };
}

async function heifPixels(bytes: Uint8Array, limits: EngineLimits): Promise<DecodedPicture> {
  const { decodeHeif } = await import('../../../formats/pictures/heif.ts');
  return asEngineError(() => decodeHeif(bytes, limits.pixels));
}

async function asEngineError<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    throw error instanceof PictureError ? new EngineError(error.code, error.message) : error;
  }
}

/** The tolerance of the decoder, from everything to nothing, and the resulting knowledge about a picture. */
const TRIES = [
  { failOn: 'warning', isPlain: true, isDamaged: false },
  { failOn: 'truncated', isPlain: false, isDamaged: false },
  { failOn: 'none', isPlain: false, isDamaged: true },
] as const;

interface Reencoded {
  readonly bytes: Uint8Array;
  readonly isDamaged: boolean;
  /** Every byte of the file was read, it contained only the picture and data about it, and the decoder found no fault. */
  readonly isPlain: boolean;
}

/**
 * Decodes a damaged JPEG as far as possible. Some cameras and scanners leave JPEGs that end too early. Viewers show the existing part, and
 * so does the result. Damaged pictures of other formats are refused, because nothing tells how much of the picture is left.
 */
async function reencode(
  picture: Decoded,
  { keepMetadata = false }: FileInput,
  limits: EngineLimits,
): Promise<Reencoded> {
  const { format, as, hasHalfColour = false } = picture;
  const options = { applyOrientation: true, keepMetadata, as, hasHalfColour };
  // The decoder does not read data about the picture. The second look does (inspect/plain-notes.ts).
  const mayBePlain = picture.extras.every((kind) => kind === 'metadata');
  const mayBeDamaged = format === 'jpeg';
  let failure: unknown;
  for (const { failOn, ...found } of TRIES) {
    if ((found.isPlain && !mayBePlain) || (found.isDamaged && !mayBeDamaged)) continue;
    try {
      return { bytes: await reencodePicture(picture.bytes, format, limits, { ...options, failOn }), ...found };
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'unreadable') throw error;
      failure = error;
    }
  }
  throw failure;
}

export const strategies: readonly DisarmStrategy[] = [
  {
    name: 'picture as PNG',
    keepsText: true,
    disarm: async (input, type, limits) => {
      const format = FORMATS.get(type.type);
      if (format === undefined) throw new EngineError('unsupported', 'no decoder for this picture');
      const bytes = await reencodePicture(input.bytes, format, limits, {
        applyOrientation: true,
        as: 'png',
        frames: 'first',
      });
      const details = [{ kind: OTHER_PICTURES, action: 'removed', where: 'picture file' }] as const;
      return { outcome: 'disarmed', bytes, type: describeType('image/png'), details };
    },
  },
];
