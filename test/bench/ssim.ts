/** How alike two pictures of pages are: the structural similarity index (Wang et al. 2004) of their brightness. */
import sharp from 'sharp';

/** Side of a window, and how far apart windows begin. */
const WINDOW = 8;
const STEP = 4;
/** The constants of the index for brightness of one byte. */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

interface Grey {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** 1 for equal pictures, 0 for pictures that have nothing in common. The smaller one is compared as if white stood around it. */
export async function likeness(one: Buffer, other: Buffer): Promise<number> {
  const sizes = await Promise.all([one, other].map((png) => sharp(png).metadata()));
  const width = Math.max(...sizes.map((size) => size.width));
  const height = Math.max(...sizes.map((size) => size.height));
  const [left, right] = (await Promise.all([one, other].map((png) => greyOf(png, width, height)))) as [Grey, Grey];
  let sum = 0;
  let windows = 0;
  for (let top = 0; top + WINDOW <= height; top += STEP)
    for (let from = 0; from + WINDOW <= width; from += STEP) {
      sum += likenessAt(left, right, top, from);
      windows++;
    }
  return windows === 0 ? 1 : sum / windows;
}

async function greyOf(png: Buffer, width: number, height: number): Promise<Grey> {
  const { width: own, height: tall } = await sharp(png).metadata();
  const data = await sharp(png)
    .flatten({ background: 'white' })
    .extend({ right: width - own, bottom: height - tall, background: 'white' })
    .greyscale()
    .raw()
    .toBuffer();
  return { width, height, data };
}

function likenessAt(one: Grey, other: Grey, top: number, left: number): number {
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0];
  for (let row = top; row < top + WINDOW; row++)
    for (let at = row * one.width + left, end = at + WINDOW; at < end; at++) {
      const a = one.data[at] ?? 0;
      const b = other.data[at] ?? 0;
      sumA += a;
      sumB += b;
      squareA += a * a;
      squareB += b * b;
      product += a * b;
    }
  const n = WINDOW * WINDOW;
  const [meanA, meanB] = [sumA / n, sumB / n];
  const [varianceA, varianceB] = [squareA / n - meanA * meanA, squareB / n - meanB * meanB];
  const covariance = product / n - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2))
  );
}
