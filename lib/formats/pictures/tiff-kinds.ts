/** The kinds of the first pages of a TIFF, and whether our codec library reads them unchanged, in another form, or not at all. */
import { PictureError } from './picture-error.ts';
import { numbersOf, type TiffPage, tiffPages } from './tiff-directory.ts';

export const TAG = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  colours: 262,
  fillOrder: 266,
  stripsAt: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tilesAt: 324,
  tileBytes: 325,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  jpegAt: 513,
  jpegBytes: 514,
  profile: 34_675,
} as const;

export const COLOURS = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5, lab: 8, iccLab: 9 } as const;
export const JPEG = 7;
const OLD_JPEG = 6;
/** Compressions that the codec library supports. It takes a picture of any other one for an empty one. */
const READ = new Set([1, 2, 3, 4, 5, JPEG, 8, 32_766, 32_771, 32_773, 32_809, 32_946, 34_676, 34_677, 50_001]);
/** Compressions that work on bytes of any meaning. */
const OF_BYTES = new Set([1, 5, 8, 32_773, 32_946]);
/** Depths of samples that the codec library reads. It reads the low ones only for a single sample. */
const USUAL_BITS = new Set([1, 2, 4, 8, 16, 32, 64]);
const MAX_ODD_BITS = 16;
const SEPARATE_PLANES = 2;
const WHOLE_NUMBERS = 1;

/** The numbers of a page, with the defaults of the format for those that the file omits. */
export interface TiffKind {
  readonly width: number;
  readonly height: number;
  /** The depth of all samples; null when they differ. */
  readonly bits: number | null;
  readonly samples: number;
  readonly compression: number;
  readonly colours: number;
  readonly isSeparate: boolean;
  readonly isTiled: boolean;
  readonly predictor: number;
  readonly isWhole: boolean;
}

export function kindOf(page: TiffPage): TiffKind {
  const one = (tag: number, usual: number) => numbersOf(page, tag)[0] ?? usual;
  const depths = new Set(numbersOf(page, TAG.bits));
  return {
    width: one(TAG.width, 0),
    height: one(TAG.height, 0),
    bits: depths.size > 1 ? null : ([...depths][0] ?? 1),
    samples: one(TAG.samples, 1),
    compression: one(TAG.compression, 1),
    colours: one(TAG.colours, COLOURS.blackIsZero),
    isSeparate: one(TAG.planes, 1) === SEPARATE_PLANES,
    isTiled: page.fields.has(TAG.tileWidth),
    predictor: one(TAG.predictor, 1),
    isWhole: one(TAG.sampleFormat, WHOLE_NUMBERS) === WHOLE_NUMBERS,
  };
}

/** The reader of a page: the codec library directly, or this code first. */
export type TiffReading = 'usual' | 'samples' | 'old JPEG';

/** Decides how a page is read. Throws PictureError `unsupported` for a compression that nothing here reads. */
export function readingOf(page: TiffPage): TiffReading {
  const { bits, samples, compression, colours, isSeparate, isTiled, isWhole } = kindOf(page);
  if (compression === OLD_JPEG) return 'old JPEG';
  if (!READ.has(compression)) throw notRead();
  const isLab = colours === COLOURS.lab || colours === COLOURS.iccLab;
  const isOdd = bits !== null && (!USUAL_BITS.has(bits) || (bits < 8 && samples > 1));
  const isPlanes = isSeparate && isTiled && samples > 1;
  if (!isLab && !isOdd && !isPlanes) return 'usual';
  // A JPEG has its own depth, and the codec library turns Lab in it into colours.
  if (!OF_BYTES.has(compression) && !(compression === JPEG && isPlanes)) return 'usual';
  return bits !== null && bits <= MAX_ODD_BITS && (isWhole || isLab) ? 'samples' : 'usual';
}

export const notRead = () =>
  new PictureError('unsupported', 'the picture is packed in a way that is not read here; ask for it as PNG or JPEG');

/** Returns the pages of a TIFF if one of them must be read here first; null for all other files. Throws PictureError `unsupported`. */
export function oddPages(bytes: Uint8Array): readonly TiffPage[] | null {
  const pages = tiffPages(bytes);
  return pages?.map(readingOf).some((reading) => reading !== 'usual') === true ? pages : null;
}
