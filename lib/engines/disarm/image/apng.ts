/**
 * Writes an animated PNG anew (PNG, Third Edition, 11.3.7), because the codec library keeps one frame of it. Every frame is decoded, drawn,
 * and written as the changed part of the canvas. So nothing needs to be blended, restored or cleared.
 */
import sharp from 'sharp';
import { type Apng, writePng } from '../../../formats/pictures/apng.ts';
import { canvasesOf, cut, PIXEL_BYTES } from '../../../formats/pictures/apng-canvas.ts';
import { EngineError, type EngineLimits } from '../../engine.ts';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Options {
  readonly mostFrames: number;
  readonly failOn: 'warning' | 'truncated' | 'none';
  /** The compression level of the PNG encoder. */
  readonly compressionLevel: number;
}

/**
 * Writes the same animation. Throws EngineError `oversize` (frames, or pixels over all frames), and the errors of sharp for a damaged
 * frame.
 */
export async function rewriteApng(apng: Apng, limits: EngineLimits, options: Options): Promise<Buffer> {
  const { width, height, plays, frames } = apng;
  if (frames.length > options.mostFrames) {
    throw new EngineError('oversize', `more than ${options.mostFrames} frames or pages`);
  }
  if (width * height * frames.length > limits.pixels) {
    throw new EngineError('oversize', `more than ${limits.pixels} pixels over all frames`);
  }
  const chunks: { kind: string; data: Buffer }[] = [];
  let number = 0;
  let index = 0;
  let before: Buffer | null = null;
  for await (const canvas of canvasesOf(apng, { mostPixels: limits.pixels, failOn: options.failOn })) {
    const delay = frames[index++]?.delay ?? [0, 0];
    const place = before === null ? { x: 0, y: 0, width, height } : changed(before, canvas, width, height);
    const data = await packed(cut(canvas, width, place), place, options.compressionLevel);
    chunks.push({ kind: 'fcTL', data: control(number++, place, delay) });
    // Programs without animations show the first frame.
    if (before === null) chunks.push({ kind: 'IDAT', data });
    else chunks.push({ kind: 'fdAT', data: Buffer.concat([u32(number++), data]) });
    before = Buffer.from(canvas);
  }
  return writePng([
    { kind: 'IHDR', data: Buffer.concat([u32(width), u32(height), Buffer.from([8, 6, 0, 0, 0])]) },
    { kind: 'acTL', data: Buffer.concat([u32(frames.length), u32(plays)]) },
    ...chunks,
    { kind: 'IEND', data: Buffer.alloc(0) },
  ]);
}

/** Returns the smallest rectangle with all pixels that differ; one pixel when none differs. */
function changed(before: Buffer, after: Buffer, width: number, height: number): Place {
  const line = width * PIXEL_BYTES;
  const edge = { left: width, right: -1, top: height, bottom: -1 };
  for (let y = 0; y < height; y++) {
    if (before.compare(after, y * line, (y + 1) * line, y * line, (y + 1) * line) === 0) continue;
    edge.top = Math.min(edge.top, y);
    edge.bottom = y;
    const differs = (x: number) =>
      before.readUInt32LE(y * line + x * PIXEL_BYTES) !== after.readUInt32LE(y * line + x * PIXEL_BYTES);
    for (let x = 0; x < edge.left; x++) if (differs(x)) edge.left = x;
    for (let x = width - 1; x > edge.right; x--) if (differs(x)) edge.right = x;
  }
  if (edge.bottom === -1) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: edge.left, y: edge.top, width: edge.right - edge.left + 1, height: edge.bottom - edge.top + 1 };
}

/** Returns pixels as the compressed data of a PNG. */
async function packed(pixels: Buffer, { width, height }: Place, compressionLevel: number): Promise<Buffer> {
  const raw = { width, height, channels: PIXEL_BYTES } as const;
  const png = await sharp(pixels, { raw }).png({ compressionLevel, palette: false }).toBuffer();
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(data);
}

function control(number: number, { x, y, width, height }: Place, delay: readonly [number, number]): Buffer {
  const out = Buffer.alloc(26);
  [number, width, height, x, y].forEach((value, index) => void out.writeUInt32BE(value, index * 4));
  out.writeUInt16BE(delay[0], 20);
  out.writeUInt16BE(delay[1], 22);
  return out;
}

function u32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value, 0);
  return out;
}
