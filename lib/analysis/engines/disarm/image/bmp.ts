/** Windows bitmaps (BITMAPINFOHEADER and later), uncompressed, 24 and 32 bits: what mail carries. Our codec library reads none. */
import { EngineError, type EngineLimits } from '../../engine.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGB, 3 bytes a pixel, top row first. */
  readonly rgb: Uint8Array;
}

/** Reads the pixels. Throws EngineError `unsupported` (other depths, compression), `oversize` (pixels), `unreadable` (short). */
export function decodeBmp(bytes: Uint8Array, limits: EngineLimits): Pixels {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 54) throw new EngineError('unreadable', 'the picture ends in its header');
  const dataAt = view.readUInt32LE(10);
  const width = view.readInt32LE(18);
  const rows = view.readInt32LE(22);
  const height = Math.abs(rows);
  const bits = view.readUInt16LE(28);
  const compression = view.readUInt32LE(30);
  if ((bits !== 24 && bits !== 32) || (compression !== 0 && !(compression === 3 && bits === 32))) {
    throw new EngineError('unsupported', `a bitmap of ${bits} bits with compression ${compression} cannot be disarmed`);
  }
  if (width <= 0 || height === 0) throw new EngineError('unreadable', 'the picture has no size');
  if (width * height > limits.pixels) throw new EngineError('oversize', `more than ${limits.pixels} pixels`);
  const step = bits / 8;
  const stride = Math.ceil((width * step) / 4) * 4;
  if (dataAt + stride * height > view.length) throw new EngineError('unreadable', 'the picture ends before its pixels');
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const source = dataAt + stride * (rows > 0 ? height - 1 - y : y);
    for (let x = 0; x < width; x += 1) {
      const from = source + x * step;
      const to = (y * width + x) * 3;
      rgb[to] = view[from + 2] ?? 0;
      rgb[to + 1] = view[from + 1] ?? 0;
      rgb[to + 2] = view[from] ?? 0;
    }
  }
  return { width, height, rgb };
}
