/** Pictures to pixels: every frame, in a size that a code reader copes with, on white and, where there is alpha, on black. */
import sharp, { type Sharp } from 'sharp';
import type { Pictures, Pixels } from './pictures.ts';

/** A picture of a hundred megapixels in a kilobyte. */
const MOST_INPUT_PIXELS = 64_000_000;
/** Longest side that is looked at; a photographed code is readable far below. */
const LONGEST_SIDE = 2_000;
/** Codes whose modules are a pixel or two wide are enlarged. */
const SMALL_SIDE = 300;
const ENLARGE = 4;
/** Codes without the quiet zone that the standard asks for. */
const MARGIN = 16;
/** An animation that shows its code in frame five hundred. */
const MOST_FRAMES = 20;

/** Throws when the bytes are no picture that can be decoded. */
export async function openFrames(bytes: Uint8Array): Promise<Pictures> {
  const { width, height, pages = 1, hasAlpha } = await open(bytes, 0).then((picture) => picture.metadata());
  const count = Math.min(pages, MOST_FRAMES);
  const isSmall = Math.max(width, height) < SMALL_SIDE;
  async function* frames(): AsyncGenerator<Pixels> {
    for (let frame = 0; frame < count; frame++) {
      const grounds = hasAlpha ? ['#ffffff', '#000000'] : ['#ffffff'];
      for (const ground of grounds) yield pixelsOf(await open(bytes, frame), isSmall ? width * ENLARGE : null, ground);
    }
  }
  return { frames: frames(), isPartial: pages > count };
}

async function open(bytes: Uint8Array, page: number): Promise<Sharp> {
  if (bytes[0] === 0x42 && bytes[1] === 0x4d) return openBitmap(bytes);
  return sharp(bytes, { limitInputPixels: MOST_INPUT_PIXELS, failOn: 'none', page });
}

/** The library does not know Windows bitmaps; the disarm engine does. */
async function openBitmap(bytes: Uint8Array): Promise<Sharp> {
  const { decodeBmp } = await import('../../analysis/engines/disarm/image/bmp.ts');
  const { DEFAULT_ENGINE_LIMITS } = await import('../../analysis/engines/engine.ts');
  const { width, height, rgb } = decodeBmp(bytes, DEFAULT_ENGINE_LIMITS);
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

async function pixelsOf(picture: Sharp, enlargedWidth: number | null, background: string): Promise<Pixels> {
  const sized =
    enlargedWidth === null
      ? picture.resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
      : picture.resize({ width: enlargedWidth, kernel: 'nearest' });
  const edges = { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, extendWith: 'copy' } as const;
  const { data, info } = await sized
    .flatten({ background })
    .extend(edges)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height };
}
