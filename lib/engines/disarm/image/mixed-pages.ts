/**
 * TIFF files whose pages differ in size, such as scans of letters and receipts. Our codec library only opens pages of one size together.
 */
import sharp, { type Sharp } from 'sharp';
import { EngineError, type EngineLimits } from '../../engine.ts';

/** The pages are packed only until they are joined, so packing them better is a waste of time. */
const PACKING_LEVEL = 1;

/**
 * The pages as one stack, each on white paper of the largest width and height; null when they are all of one size. Throws EngineError
 * `oversize` (too many pixels over all pages).
 */
export async function stackMixedPages(bytes: Uint8Array, pages: number, limits: EngineLimits): Promise<Sharp | null> {
  const open = (page: number) => sharp(bytes, { page, limitInputPixels: limits.pixels, failOn: 'truncated' });
  const sizes = [];
  for (let page = 0; page < pages; page += 1) sizes.push(await open(page).metadata());
  const [first] = sizes;
  if (sizes.every(({ width, height }) => width === first?.width && height === first?.height)) return null;
  // A page that is turned is as wide as it was high.
  const edge = { across: 0, down: 0 };
  for (const { width, height, orientation = 1 } of sizes) {
    edge.across = Math.max(edge.across, orientation > 4 ? height : width);
    edge.down = Math.max(edge.down, orientation > 4 ? width : height);
  }
  if (edge.across * edge.down * pages > limits.pixels) {
    throw new EngineError('oversize', `more than ${limits.pixels} pixels over all pages`);
  }
  const packed = [];
  for (let page = 0; page < pages; page += 1) {
    packed.push(await open(page).autoOrient().png({ compressionLevel: PACKING_LEVEL }).toBuffer());
  }
  const options = { limitInputPixels: limits.pixels, join: { animated: true, background: '#ffffff' } };
  return sharp(packed, options);
}
