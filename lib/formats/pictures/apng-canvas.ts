/** Draws the frames of an animated PNG on its canvas, one after the other. Each result is the picture that people see. */
import sharp from 'sharp';
import type { Apng, ApngFrame } from './apng.ts';

/** Bytes of a pixel: red, green, blue and opacity. */
export const PIXEL_BYTES = 4;

export interface CanvasOptions {
  /** A limit for the pixels of one frame, against small files that claim large ones. */
  readonly mostPixels: number;
  readonly failOn: 'warning' | 'truncated' | 'none';
}

/**
 * Yields the whole canvas, four bytes a pixel, after each frame. The buffer is the same each time. Throws the errors of sharp for a damaged
 * frame.
 */
export async function* canvasesOf(apng: Apng, options: CanvasOptions): AsyncGenerator<Buffer> {
  const canvas = Buffer.alloc(apng.width * apng.height * PIXEL_BYTES);
  for (const [index, frame] of apng.frames.entries()) {
    const pixels = await pixelsOf(frame, options);
    // Before the first frame there is nothing to restore.
    const disposal = index === 0 && frame.disposal === 'restore' ? 'clear' : frame.disposal;
    const before = disposal === 'restore' ? cut(canvas, apng.width, frame) : null;
    draw(canvas, apng.width, frame, pixels, frame.isBlended);
    yield canvas;
    if (disposal === 'clear') draw(canvas, apng.width, frame, Buffer.alloc(pixels.length), false);
    if (before !== null) draw(canvas, apng.width, frame, before, false);
  }
}

async function pixelsOf(frame: ApngFrame, { mostPixels, failOn }: CanvasOptions): Promise<Buffer> {
  return sharp(frame.png, { limitInputPixels: mostPixels, failOn })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
}

type Place = Pick<ApngFrame, 'x' | 'y' | 'width' | 'height'>;

/** Returns the pixels of one place of the canvas. */
export function cut(canvas: Buffer, canvasWidth: number, { x, y, width, height }: Place): Buffer {
  const out = Buffer.alloc(width * height * PIXEL_BYTES);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * canvasWidth + x) * PIXEL_BYTES;
    canvas.copy(out, row * width * PIXEL_BYTES, from, from + width * PIXEL_BYTES);
  }
  return out;
}

function draw(canvas: Buffer, canvasWidth: number, place: Place, pixels: Buffer, isBlended: boolean): void {
  const line = place.width * PIXEL_BYTES;
  for (let row = 0; row < place.height; row++) {
    const to = ((place.y + row) * canvasWidth + place.x) * PIXEL_BYTES;
    if (!isBlended) pixels.copy(canvas, to, row * line, (row + 1) * line);
    else for (let at = 0; at < line; at += PIXEL_BYTES) blend(canvas, to + at, pixels, row * line + at);
  }
}

/** Puts one pixel over another (PNG, 13.16). */
function blend(canvas: Buffer, to: number, pixels: Buffer, from: number): void {
  const over = pixels[from + 3] ?? 0;
  if (over === 0) return;
  const under = ((canvas[to + 3] ?? 0) * (255 - over)) / 255;
  const alpha = over + under;
  for (let part = 0; part < 3; part++)
    canvas[to + part] = Math.round(((pixels[from + part] ?? 0) * over + (canvas[to + part] ?? 0) * under) / alpha);
  canvas[to + 3] = Math.round(alpha);
}
