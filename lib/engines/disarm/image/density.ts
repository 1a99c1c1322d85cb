/** The number of pixels of a picture to the inch. Programs that lay out pages and tiles size a picture by it. */

/** JFIF 1.02 writes a density in 16 bits. */
const MOST = 65_535;
/** The density that decoders report for a picture that has none. */
const USUAL = 72;
/** The first bytes of a JPEG. Its segments follow them. */
const START_BYTES = 2;
/**
 * The segment of JFIF 1.02 (ITU-T T.871), up to the density: its length, its name, its version, and that the density counts by the inch.
 */
const JFIF = Buffer.from('ffe000104a46494600010201', 'hex');
/** It ends with the size of a thumbnail, which does not exist here. */
const NO_SMALL_PICTURE = Buffer.alloc(2);

/** Returns the density to keep, in pixels per inch; null when the picture has none that differs from the usual. */
export function keptDensity(density: number | undefined): number | null {
  const rounded = Math.round(density ?? USUAL);
  return rounded >= 1 && rounded <= MOST && rounded !== USUAL ? rounded : null;
}

/** Adds a segment of JFIF with the density to a JPEG without one, as our encoder writes it. */
export function withDensity(jpeg: Buffer, density: number): Buffer {
  const both = Buffer.alloc(4);
  both.writeUInt16BE(density, 0);
  both.writeUInt16BE(density, 2);
  return Buffer.concat([jpeg.subarray(0, START_BYTES), JFIF, both, NO_SMALL_PICTURE, jpeg.subarray(START_BYTES)]);
}
