/** Decodes a picture to pixels and encodes the pixels anew. No byte of the input file reaches the output. */
import sharp, { type Sharp, type TiffOptions } from 'sharp';
import { readApng } from '../../../formats/pictures/apng.ts';
import { decodeBmp } from '../../../formats/pictures/bmp.ts';
import { isPng } from '../../../formats/pictures/icon-start.ts';
import { PictureError } from '../../../formats/pictures/picture-error.ts';
import { readablePicture } from '../../../formats/pictures/readable.ts';
import { EngineError, type EngineLimits } from '../../engine.ts';
import { rewriteApng } from './apng.ts';
import { keptDensity, withDensity } from './density.ts';
import type { RasterFormat } from './format.ts';
import { stackMixedPages } from './mixed-pages.ts';
import { jpegTiff, type TiffDensity, tiffDensity } from './tiff.ts';
import { isLossless as isLosslessWebp } from './webp.ts';

/** The most frames of a picture. An animation of thousands of frames takes minutes. */
const MAX_FRAMES = 500;
/** At 90 the loss is not visible. Above 90 a JPEG only grows. */
const JPEG_QUALITY = 90;
const WEBP_QUALITY = 90;
/** From 90 on, the encoder keeps colour at full resolution. A TIFF with halved colour gains nothing by that. */
const HALF_COLOUR_TIFF_QUALITY = 89;
/** Level 9 takes several times as long as 6, and the file is only a few percent smaller. */
const PNG_LEVEL = 6;

export interface EncodeOptions {
  /** Turn the pixels as EXIF says, because EXIF itself is removed. @default false */
  readonly applyOrientation?: boolean;
  /** Keep what the file says about camera, place and time, and its colour profile. @default false */
  readonly keepMetadata?: boolean;
  /** The faults that the decoder refuses: anything odd, a picture that ends too early, or none, like viewers. @default 'truncated' */
  readonly failOn?: FailOn;
  /** Whether the colour was already at half the resolution, when the picture does not tell it. @default false */
  readonly hasHalfColour?: boolean;
  /** Another format than the customary one. @default outputFormat(format) */
  readonly as?: OutputFormat;
  /** The frames of an animated PNG that are read. @default 'all' */
  readonly frames?: 'all' | 'first';
}

type FailOn = 'warning' | 'truncated' | 'none';

export type OutputFormat = Exclude<RasterFormat, 'bmp' | 'avif' | 'heic' | 'psd' | 'ico' | 'jp2' | 'jxl'>;

/**
 * Returns the format of the output. Bitmaps become PNG, photographs in AVIF and HEIC become JPEG, and every other format stays the same.
 */
export function outputFormat(format: RasterFormat): OutputFormat {
  if (format === 'avif' || format === 'heic') return 'jpeg';
  return isBecomingPng(format) ? 'png' : format;
}

type ToPng = Extract<RasterFormat, 'bmp' | 'psd' | 'ico' | 'jp2' | 'jxl'>;
const isBecomingPng = (format: RasterFormat): format is ToPng => /^(?:bmp|psd|ico|jp2|jxl)$/.test(format);

/**
 * Re-encodes all frames of one picture, without metadata unless `keepMetadata` says so. Throws EngineError `oversize` (too many frames,
 * or pixels over all frames), `unreadable` (damaged or truncated) or `unsupported`.
 */
export async function reencodePicture(
  bytes: Uint8Array,
  format: RasterFormat,
  limits: EngineLimits,
  options: EncodeOptions = {},
): Promise<Uint8Array> {
  const target = options.as ?? outputFormat(format);
  const isAnimatable = target === format && (format === 'gif' || format === 'webp');
  const { failOn = 'truncated' } = options;
  const apng = format === 'png' && target === 'png' && options.frames !== 'first' ? readApng(bytes) : null;
  if (apng !== null) {
    const settings = { mostFrames: MAX_FRAMES, failOn, compressionLevel: PNG_LEVEL };
    return rewriteApng(apng, limits, settings).catch((error: unknown) => {
      throw decodeFailure(error);
    });
  }
  const { picture, packing } = await open(bytes, format, limits, { isAnimatable, failOn });
  if (options.applyOrientation === true && !isAnimatable) picture.autoOrient();
  if (options.keepMetadata === true) picture.keepExif().keepIccProfile();
  try {
    const hasHalfColour = packing.hasHalfColour || options.hasHalfColour === true;
    const encoded = await encode(picture, target, { ...packing, hasHalfColour }).toBuffer();
    return target === 'jpeg' && packing.density !== null ? withDensity(encoded, packing.density) : encoded;
  } catch (error) {
    throw decodeFailure(error);
  }
}

/** Returns true when some pixels of the picture are transparent. Throws EngineError like `reencodePicture`. */
export async function isTransparent(bytes: Uint8Array, limits: EngineLimits): Promise<boolean> {
  try {
    return (await sharp(bytes, { limitInputPixels: limits.pixels }).metadata()).hasAlpha;
  } catch (error) {
    throw decodeFailure(error);
  }
}

/** Returns true when no pixel is transparent, with or without an opacity channel. Throws EngineError like `reencodePicture`. */
export async function isOpaque(bytes: Uint8Array, limits: EngineLimits): Promise<boolean> {
  try {
    return (await sharp(bytes, { limitInputPixels: limits.pixels }).stats()).isOpaque;
  } catch (error) {
    throw decodeFailure(error);
  }
}

/** The packing of the input's pixels. Better packing costs time and space, and nobody can see it. */
interface Packing {
  /** Colour at half the resolution, as cameras write it. */
  readonly hasHalfColour: boolean;
  /** A TIFF file of JPEG tiles. */
  readonly hasJpegTiles: boolean;
  /** Each pixel must stay exact. */
  readonly isLossless: boolean;
  /** In pixels per inch; null when the picture does not tell it. */
  readonly density: number | null;
  /** The density of a TIFF file. */
  readonly paper: TiffDensity | null;
  /** Greys, and samples of 16 bits, for the formats that have them. */
  readonly space: Space;
  /** Black and white, as fax machines write it. */
  readonly isBilevel: boolean;
}

type Space = 'srgb' | 'b-w' | 'rgb16' | 'grey16';
/** The colours of a picture without greys or deep samples. */
const COLOURS = { paper: null, space: 'srgb', isBilevel: false } as const;

function spaceOf(space: string | undefined, depth: string | undefined): Space {
  if (space === 'rgb16' || space === 'grey16') return depth === 'ushort' ? space : 'srgb';
  return space === 'b-w' && depth === 'uchar' ? space : 'srgb';
}

/** Formats with files that the codec library cannot read. */
const MAY_BE_UNREADABLE: ReadonlySet<RasterFormat> = new Set(['heic', 'psd', 'ico', 'jp2', 'jxl', 'tiff']);

interface OpenPicture {
  readonly picture: Sharp;
  readonly packing: Packing;
}

async function open(
  bytes: Uint8Array,
  format: RasterFormat,
  limits: EngineLimits,
  { isAnimatable, failOn }: { readonly isAnimatable: boolean; readonly failOn: FailOn },
): Promise<OpenPicture> {
  if (format === 'bmp') return openBmp(bytes, limits);
  try {
    const readable = MAY_BE_UNREADABLE.has(format) ? await readablePicture(bytes, limits.pixels) : bytes;
    if (readable === bytes) return await openReadable(bytes, format, limits, { isAnimatable, failOn });
    const opened = await openReadable(readable, isPng(readable) ? 'png' : 'tiff', limits, { isAnimatable, failOn });
    return format === 'tiff' ? { ...opened, packing: { ...opened.packing, paper: tiffDensity(bytes) } } : opened;
  } catch (error) {
    throw decodeFailure(error);
  }
}

/** Opens a picture in a form that the codec library reads. Throws its errors, and EngineError. */
async function openReadable(
  bytes: Uint8Array,
  format: RasterFormat,
  limits: EngineLimits,
  { isAnimatable, failOn }: { readonly isAnimatable: boolean; readonly failOn: FailOn },
): Promise<OpenPicture> {
  const options = { limitInputPixels: limits.pixels, failOn, sequentialRead: true } as const;
  const found = await sharp(bytes, options).metadata();
  const { width, height, pages = 1, pageHeight, chromaSubsampling, density } = found;
  if (pages > MAX_FRAMES) throw new EngineError('oversize', `more than ${MAX_FRAMES} frames or pages`);
  const isStack = isAnimatable || format === 'tiff';
  if (isStack && width * (pageHeight ?? height) * pages > limits.pixels) {
    throw new EngineError('oversize', `more than ${limits.pixels} pixels over all frames`);
  }
  const tiles = format === 'tiff' ? jpegTiff(bytes) : null;
  const hasHalfColour = tiles?.hasHalfColour ?? chromaSubsampling === '4:2:0';
  const packing = {
    hasHalfColour,
    hasJpegTiles: tiles !== null,
    isLossless: format === 'webp' && isLosslessWebp(bytes),
    density: keptDensity(density),
    paper: format === 'tiff' ? tiffDensity(bytes) : null,
    space: spaceOf(found.space, found.depth),
    isBilevel: found.space === 'b-w' && found.bitsPerSample === 1,
  };
  const stack = format === 'tiff' && pages > 1 ? await stackMixedPages(bytes, pages, limits) : null;
  if (stack !== null) return { picture: stack, packing: { ...packing, ...COLOURS, paper: packing.paper } };
  return { picture: sharp(bytes, { ...options, animated: isStack && pages > 1 }), packing };
}

function openBmp(bytes: Uint8Array, limits: EngineLimits): OpenPicture {
  try {
    const { pixels, ...raw } = decodeBmp(bytes, limits.pixels);
    const packing = { hasHalfColour: false, hasJpegTiles: false, isLossless: false, density: null, ...COLOURS };
    return { picture: sharp(pixels, { raw }), packing };
  } catch (error) {
    throw decodeFailure(error);
  }
}

function encode(picture: Sharp, format: OutputFormat, packing: Packing): Sharp {
  const { hasHalfColour, isLossless, space } = packing;
  switch (format) {
    case 'png':
      return picture.toColourspace(space).png({ compressionLevel: PNG_LEVEL });
    case 'jpeg':
      return picture
        .toColourspace(space === 'b-w' ? space : 'srgb')
        .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: hasHalfColour ? '4:2:0' : '4:4:4' });
    case 'gif':
      return picture.gif();
    case 'webp':
      return picture.webp(isLossless ? { lossless: true } : { quality: WEBP_QUALITY });
    case 'tiff':
      return picture.toColourspace(space).tiff({ ...packing.paper, ...tiffPacking(packing) });
  }
}

function tiffPacking({ hasHalfColour, hasJpegTiles, isBilevel }: Packing): TiffOptions {
  if (isBilevel) return { bitdepth: 1, compression: 'ccittfax4' };
  if (!hasJpegTiles) return { compression: 'lzw' };
  return { compression: 'jpeg', quality: hasHalfColour ? HALF_COLOUR_TIFF_QUALITY : JPEG_QUALITY };
}

function decodeFailure(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof PictureError) return new EngineError(error.code, error.message);
  const text = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(text)) return new EngineError('oversize', 'the picture has more pixels than the limit');
  return new EngineError('unreadable', 'the picture is damaged or not what its type says');
}

/** Returns a small grey PNG that replaces a picture that no safe decoder here can read. It always has the same bytes. */
export async function placeholderPicture(): Promise<Uint8Array> {
  return sharp({ create: { width: 8, height: 8, channels: 3, background: '#d9d9d9' } })
    .png()
    .toBuffer();
}
