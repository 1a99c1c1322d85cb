/** Decodes every frame of a picture, in a size that a code reader can handle, on white and, if it has alpha, on black. */
import sharp, { type Sharp } from 'sharp';
import { type Apng, announcesAnimation, readApng } from '../pictures/apng.ts';
import { canvasesOf, PIXEL_BYTES } from '../pictures/apng-canvas.ts';
import { decodeBmp } from '../pictures/bmp.ts';
import { bitmapsIn, isEmf, isWmf } from '../pictures/metafile-bitmaps.ts';
import { PictureError } from '../pictures/picture-error.ts';
import { readablePicture } from '../pictures/readable.ts';
import type { Pictures, Pixels } from './pictures.ts';

/** Pixels of one picture. A picture of a kilobyte may claim a hundred megapixels. */
const MAX_INPUT_PIXELS = 64_000_000;
/** Longest side in pixels. Larger pictures are made smaller, and a photographed code stays readable. */
const MAX_SIDE = 2_000;
/** Smaller pictures are enlarged, because the modules of their codes may be only a pixel or two wide. */
const SMALL_SIDE = 300;
const ENLARGE = 4;
/** A margin in pixels, for codes without the quiet zone that the standard asks for. */
const MARGIN = 16;
/** Frames of an animation that are decoded. A longer one is reported as read partly. */
const MAX_FRAMES = 20;

const WHITE = ['#ffffff'];
/** The backgrounds of transparent pictures. A code in white or in black shows on one of them. */
const GROUNDS = ['#ffffff', '#000000'];

/** Returns the frames of a picture. Throws when the bytes cannot be decoded. */
export async function openFrames(file: Uint8Array): Promise<Pictures> {
  const bytes = await readablePicture(file, MAX_INPUT_PIXELS);
  if (isEmf(bytes) || isWmf(bytes)) return openBitmaps(bytes);
  const apng = readApng(bytes);
  if (apng !== null) return openApng(apng, bytes);
  const {
    width,
    height,
    pages = 1,
    hasAlpha,
  } = await openPicture(bytes, 0, MAX_INPUT_PIXELS).then((picture) => picture.metadata());
  const count = Math.min(pages, MAX_FRAMES);
  const isSmall = Math.max(width, height) < SMALL_SIDE;
  async function* frames(): AsyncGenerator<Pixels> {
    for (let frame = 0; frame < count; frame++) {
      for (const ground of hasAlpha ? GROUNDS : WHITE)
        yield pixelsOf(await openPicture(bytes, frame, MAX_INPUT_PIXELS), isSmall ? width * ENLARGE : null, ground);
    }
  }
  return { frames: frames(), isPartial: pages > count || announcesAnimation(bytes) };
}

/** Returns the bitmaps of a metafile. A bitmap that cannot be decoded is no code that a program shows. */
function openBitmaps(bytes: Uint8Array): Pictures {
  const bitmaps = [...bitmapsIn(bytes)];
  async function* decoded(): AsyncGenerator<Pixels> {
    for (const bitmap of bitmaps.slice(0, MAX_FRAMES)) {
      const picture = await openPicture(bitmap, 0, MAX_INPUT_PIXELS).catch(() => null);
      const { width = 0, height = 0 } = (await picture?.metadata()) ?? {};
      if (picture === null || width < 2 || height < 2) continue;
      const isSmall = Math.max(width, height) < SMALL_SIDE;
      yield pixelsOf(picture, isSmall ? width * ENLARGE : null, '#ffffff');
    }
  }
  return { frames: decoded(), isPartial: bitmaps.length > MAX_FRAMES };
}

/** Returns the frames of an animated PNG. The codec library shows only one, but a code may be in any frame, or grow over several. */
function openApng(apng: Apng, bytes: Uint8Array): Pictures {
  const { width, height, frames } = apng;
  if (width * height > MAX_INPUT_PIXELS) throw new PictureError('oversize', 'the picture claims too many pixels');
  const isSmall = Math.max(width, height) < SMALL_SIDE;
  async function* drawn(): AsyncGenerator<Pixels> {
    const still = async () => openPicture(bytes, 0, MAX_INPUT_PIXELS);
    if (apng.hasOtherPicture) for (const ground of GROUNDS) yield pixelsOf(await still(), null, ground);
    const first = { ...apng, frames: frames.slice(0, MAX_FRAMES) };
    for await (const canvas of canvasesOf(first, { mostPixels: MAX_INPUT_PIXELS, failOn: 'none' }))
      for (const ground of GROUNDS) {
        const picture = sharp(canvas, { raw: { width, height, channels: PIXEL_BYTES } });
        yield pixelsOf(picture, isSmall ? width * ENLARGE : null, ground);
      }
  }
  return { frames: drawn(), isPartial: frames.length > MAX_FRAMES };
}

/** Decodes one page of a picture of any kind. Throws when it claims more pixels than allowed, or cannot be decoded. */
export async function openPicture(bytes: Uint8Array, page: number, mostPixels: number): Promise<Sharp> {
  if (bytes[0] !== 0x42 || bytes[1] !== 0x4d)
    return sharp(bytes, { limitInputPixels: mostPixels, failOn: 'none', page });
  // The library does not know Windows bitmaps.
  const { pixels, ...raw } = decodeBmp(bytes, mostPixels);
  return sharp(pixels, { raw });
}

async function pixelsOf(picture: Sharp, enlargedWidth: number | null, background: string): Promise<Pixels> {
  const sized =
    enlargedWidth === null
      ? picture.resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
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
