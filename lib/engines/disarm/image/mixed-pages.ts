/**
 * TIFF files whose pages differ in size or in the form of their pixels. Examples are scans of letters and receipts, some of them black and
 * white. Our codec library only opens pages of one form together.
 */
import sharp, { type Metadata, type Sharp } from 'sharp';
import { EngineError, type EngineLimits } from '../../engine.ts';

/** The pages are packed only until they are joined, so packing them better is a waste of time. */
const PACKING_LEVEL = 1;

/**
 * Returns the pages as one stack, each on white paper of the largest width and height; null when all have one form. Throws EngineError
 * `oversize` (too many pixels over all pages).
 */
export async function stackMixedPages(bytes: Uint8Array, pages: number, limits: EngineLimits): Promise<Sharp | null> {
  const open = (page: number) => sharp(bytes, { page, limitInputPixels: limits.pixels, failOn: 'truncated' });
  const sizes = [];
  for (let page = 0; page < pages; page += 1) sizes.push(await open(page).metadata());
  const [first] = sizes;
  if (sizes.every((size) => first !== undefined && isAlike(size, first))) return null;
  // A turned page is as wide as it was high.
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
    packed.push(
      await open(page).autoOrient().toColourspace('srgb').png({ compressionLevel: PACKING_LEVEL }).toBuffer(),
    );
  }
  const options = { limitInputPixels: limits.pixels, join: { animated: true, background: '#ffffff' } };
  return sharp(packed, options);
}

const isAlike = (one: Metadata, other: Metadata): boolean =>
  (['width', 'height', 'channels', 'depth', 'space', 'bitsPerSample'] as const).every(
    (each) => one[each] === other[each],
  );
