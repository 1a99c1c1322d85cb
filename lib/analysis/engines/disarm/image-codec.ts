/** Decodes a picture to pixels and encodes the pixels anew: nothing of the input file's own bytes survives. */
import sharp, { type Sharp } from 'sharp';
import { EngineError, type EngineLimits } from '../engine.ts';
import { decodeBmp } from './image-bmp.ts';
import type { RasterFormat } from './image-format.ts';

/** Animations of thousands of frames. */
const MAX_FRAMES = 500;
/** Above 90 a JPEG only grows; at 90 the loss is not visible. */
const JPEG_QUALITY = 90;
const WEBP_QUALITY = 90;

export interface EncodeOptions {
  /** Turn the pixels the way EXIF says, since EXIF itself goes. @default false */
  readonly applyOrientation?: boolean;
  /** Another format than the customary one. @default outputFormat(format) */
  readonly as?: OutputFormat;
}

export type OutputFormat = Exclude<RasterFormat, 'bmp'>;

/** Bitmaps come out as PNG; every other format as itself. */
export function outputFormat(format: RasterFormat): OutputFormat {
  return format === 'bmp' ? 'png' : format;
}

/**
 * Re-encodes one picture, all frames, without metadata. Throws EngineError `oversize` (pixels over all
 * frames, frames), `unreadable` (damaged, truncated) or `unsupported`.
 */
export async function reencodePicture(
  bytes: Uint8Array,
  format: RasterFormat,
  limits: EngineLimits,
  options: EncodeOptions = {},
): Promise<Uint8Array> {
  const target = options.as ?? outputFormat(format);
  const isAnimatable = target === format && (format === 'gif' || format === 'webp');
  const picture = await open(bytes, format, limits, isAnimatable);
  if (options.applyOrientation === true && !isAnimatable) picture.autoOrient();
  try {
    return await encode(picture, target).toBuffer();
  } catch (error) {
    throw decodeFailure(error);
  }
}

async function open(bytes: Uint8Array, format: RasterFormat, limits: EngineLimits, animated: boolean): Promise<Sharp> {
  if (format === 'bmp') {
    const { width, height, rgb } = decodeBmp(bytes, limits);
    return sharp(rgb, { raw: { width, height, channels: 3 } });
  }
  const options = { limitInputPixels: limits.pixels, failOn: 'truncated', sequentialRead: true } as const;
  try {
    const { width, height, pages = 1, pageHeight } = await sharp(bytes, options).metadata();
    if (pages > MAX_FRAMES) throw new EngineError('oversize', `more than ${MAX_FRAMES} frames or pages`);
    const isStack = animated || format === 'tiff';
    if (isStack && width * (pageHeight ?? height) * pages > limits.pixels) {
      throw new EngineError('oversize', `more than ${limits.pixels} pixels over all frames`);
    }
    return sharp(bytes, { ...options, animated: isStack && pages > 1 });
  } catch (error) {
    throw decodeFailure(error);
  }
}

function encode(picture: Sharp, format: OutputFormat): Sharp {
  switch (format) {
    case 'png':
      return picture.png({ compressionLevel: 9, adaptiveFiltering: false });
    case 'jpeg':
      return picture.jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' });
    case 'gif':
      return picture.gif();
    case 'webp':
      return picture.webp({ quality: WEBP_QUALITY });
    case 'tiff':
      return picture.tiff({ compression: 'lzw' });
  }
}

function decodeFailure(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const text = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(text)) return new EngineError('oversize', 'the picture has more pixels than the limit');
  return new EngineError('unreadable', 'the picture is damaged or not what its type says');
}

/** A small grey PNG that stands for a picture which no sound decoder here can read. Always the same bytes. */
export async function placeholderPicture(): Promise<Uint8Array> {
  return sharp({ create: { width: 8, height: 8, channels: 3, background: '#d9d9d9' } })
    .png()
    .toBuffer();
}
