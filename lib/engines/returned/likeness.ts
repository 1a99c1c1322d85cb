/**
 * Compares two pictures, or the pages of two documents. Both are reduced so far that nothing of an encoder is left. Then their colours and
 * their light and dark areas are compared.
 */
import { openPicture } from '../../formats/codes/frames.ts';
import { openPages } from '../../formats/codes/pdf-pages.ts';
import type { Pixels } from '../../formats/codes/pictures.ts';
import { DEFAULT_ENGINE_LIMITS } from '../engine.ts';

/** Width and height of the compared form. */
const SIDE = 32;
const CHANNELS = 3;
/** The number of pages that are compared, and their size when drawn. A document may have ten thousand. */
const PAGES = { pages: 5, longestSide: 256 };
/** The most that colours may differ on average, of 255. Colour profiles and CMYK change them by less. */
const MAX_DIFFERENCE = 40;
/** The least correlation of light and dark. An encoder leaves more than 0.98. */
const LEAST_CORRELATION = 0.8;
/** Pictures of nearly one colour have no light and dark. Standard deviation of 255. */
const FLAT = 2;

interface Fault {
  readonly id: string;
  readonly where: string;
}

/** Returns null when the first and the last frame of both look alike. */
export async function comparePictures(original: Uint8Array, returned: Uint8Array): Promise<Fault | null> {
  const after = await framesOf(returned);
  if (after === null) return { id: 'does-not-open', where: 'picture' };
  const before = await framesOf(original);
  if (before === null) return { id: 'not-compared', where: 'picture' };
  // Transparent pixels have no colour. One background shows the light ones, the other the dark ones.
  const count = before.count === after.count ? 2 : 1;
  for (const index of [0, 1].slice(0, count))
    for (const ground of ['#808080', '#ffffff'])
      if (!isAlike(await before.at(index, ground), await after.at(index, ground)))
        return { id: 'other-pixels', where: index === 0 ? 'first frame' : 'last frame' };
  return null;
}

interface Frames {
  readonly count: number;
  /** Draws a frame: 0 is the first, 1 the last. */
  at(index: number, ground: string): Promise<Uint8Array>;
}

async function framesOf(bytes: Uint8Array): Promise<Frames | null> {
  const { pixels } = DEFAULT_ENGINE_LIMITS;
  try {
    const { pages = 1 } = await (await openPicture(bytes, 0, pixels)).metadata();
    const at = async (index: number, background: string) => {
      const picture = await openPicture(bytes, index === 0 ? 0 : pages - 1, pixels);
      const small = picture.autoOrient().resize({ width: SIDE, height: SIDE, fit: 'fill' }).flatten({ background });
      return new Uint8Array(await small.toColourspace('srgb').removeAlpha().raw().toBuffer());
    };
    await at(0, '#ffffff');
    return { count: pages, at };
  } catch {
    return null;
  }
}

/** Returns null when the returned document opens and, if it is a scan, its first pages look like those of the original. */
export async function comparePages(original: Uint8Array, returned: Uint8Array, isScan: boolean): Promise<Fault | null> {
  const after = await pagesOf(returned, isScan);
  if (after === null || after.length === 0) return { id: 'does-not-open', where: 'document' };
  const before = isScan ? await pagesOf(original, isScan) : null;
  // An encrypted or damaged original cannot be drawn here.
  if (before === null) return null;
  const other = before.findIndex((page, index) => !isAlike(page, after[index] ?? new Uint8Array()));
  return other < 0 ? null : { id: 'other-pixels', where: `page ${other + 1}` };
}

/** Opens a document. Returns null when that is not possible. */
async function pagesOf(bytes: Uint8Array, isScan: boolean): Promise<Uint8Array[] | null> {
  try {
    const { frames } = await openPages(bytes, isScan ? PAGES : { ...PAGES, pages: 1 });
    const pages: Uint8Array[] = [];
    for await (const page of frames) pages.push(shrunk(page));
    return pages;
  } catch {
    return null;
  }
}

/** Returns the mean colour of each field of a grid over the page. */
function shrunk({ data, width, height }: Pixels): Uint8Array {
  const sums = new Float64Array(SIDE * SIDE * CHANNELS);
  const counts = new Uint32Array(SIDE * SIDE);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const field = Math.floor((y * SIDE) / height) * SIDE + Math.floor((x * SIDE) / width);
      counts[field] = (counts[field] as number) + 1;
      for (let channel = 0; channel < CHANNELS; channel++) {
        const at = field * CHANNELS + channel;
        sums[at] = (sums[at] as number) + (data[(y * width + x) * 4 + channel] as number);
      }
    }
  return Uint8Array.from(sums, (sum, at) => Math.round(sum / Math.max(1, counts[Math.floor(at / CHANNELS)] as number)));
}

function isAlike(before: Uint8Array, after: Uint8Array): boolean {
  if (before.length !== after.length) return false;
  const difference = before.reduce((sum, value, at) => sum + Math.abs(value - (after[at] as number)), 0);
  if (difference / before.length > MAX_DIFFERENCE) return false;
  const [one, other] = [centred(before), centred(after)];
  const [size, otherSize] = [lengthOf(one), lengthOf(other)];
  const flat = FLAT * Math.sqrt(before.length);
  if (size <= flat || otherSize <= flat) return Math.abs(size - otherSize) <= flat;
  const together = one.reduce((sum, value, at) => sum + value * (other[at] as number), 0);
  return together / (size * otherSize) >= LEAST_CORRELATION;
}

function centred(values: Uint8Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Float64Array.from(values, (value) => value - mean);
}

const lengthOf = (values: Float64Array) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
