/**
 * Converts TIFF files that our codec library refuses or takes for empty pictures into plain TIFF files: odd depths, planes of tiles,
 * colours of Lab, and JPEG in the form of TIFF 6.0.
 */
import sharp from 'sharp';
import { asBuffer } from '../byte-scan.ts';
import { labToRgb } from './lab.ts';
import { PictureError } from './picture-error.ts';
import { type PlainPicture, plainTiff } from './plain-tiff.ts';
import { numbersOf, type TiffPage } from './tiff-directory.ts';
import { COLOURS, kindOf, notRead, oddPages, readingOf, TAG } from './tiff-kinds.ts';
import { type Samples, samplesOf } from './tiff-samples.ts';

const ORIENTATION = 274;
/** A larger profile would only cost memory. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
/** The name of the colour space in the header of a profile (ICC.1, 7.2.6). */
const PROFILE_FOR: Readonly<Record<PlainPicture['colours'], string>> = { grey: 'GRAY', rgb: 'RGB ', cmyk: 'CMYK' };
const PREMULTIPLIED = 1;
const ALPHA = new Set([PREMULTIPLIED, 2]);
const CHANNELS = { grey: 1, rgb: 3, cmyk: 4 } as const;

/**
 * Returns the same pages; null when the codec library reads the file unchanged. Throws PictureError `oversize`, `unsupported` or
 * `unreadable`.
 */
export async function readableTiff(bytes: Uint8Array, mostPixels: number): Promise<Uint8Array | null> {
  const pages = oddPages(bytes);
  if (pages === null) return null;
  const pictures: PlainPicture[] = [];
  let pixels = 0;
  for (const [index, page] of pages.entries()) {
    const picture = await pictureOf(bytes, page, index, mostPixels - pixels);
    pixels += picture.width * picture.height;
    pictures.push({ ...picture, orientation: numbersOf(page, ORIENTATION)[0] ?? 1 });
  }
  return plainTiff(...pictures);
}

async function pictureOf(bytes: Uint8Array, page: TiffPage, index: number, mostPixels: number): Promise<PlainPicture> {
  const reading = readingOf(page);
  if (reading === 'usual') return decoded(bytes, index, mostPixels);
  if (reading === 'old JPEG') {
    const picture = await decoded(jpegIn(bytes, page), 0, mostPixels);
    const { width, height } = kindOf(page);
    if (picture.width !== width || picture.height !== height) throw notRead();
    return picture;
  }
  return colouredBy(page, await samplesOf(bytes, page, mostPixels));
}

/** Returns a page, or a JPEG, in the form in which the codec library shows it. */
async function decoded(file: Uint8Array, page: number, mostPixels: number): Promise<PlainPicture> {
  try {
    const picture = sharp(file, { page, limitInputPixels: Math.max(1, mostPixels), failOn: 'truncated' });
    const { data, info } = await picture.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const colours = channels < 3 ? 'grey' : 'rgb';
    return { width, height, pixels: data, colours, hasAlpha: channels % 2 === 0, profile: null };
  } catch (error) {
    if (/pixel limit/i.test(String(error))) throw new PictureError('oversize', 'the picture has too many pixels');
    throw new PictureError('unreadable', 'the picture is damaged or not what its type says');
  }
}

/** Returns the JPEG to which a page of the old kind points. Throws PictureError `unsupported` when its parts are separate. */
function jpegIn(bytes: Uint8Array, page: TiffPage): Uint8Array {
  const view = asBuffer(bytes);
  const at = numbersOf(page, TAG.jpegAt)[0] ?? bytes.length;
  const length = numbersOf(page, TAG.jpegBytes)[0] ?? bytes.length;
  const jpeg = view.subarray(at, at + length);
  if (jpeg[0] !== 0xff || jpeg[1] !== 0xd8 || jpeg.indexOf('ffda', 0, 'hex') === -1) throw notRead();
  return jpeg;
}

/** Returns the samples as colours. */
function colouredBy(page: TiffPage, samples: Samples): PlainPicture {
  const { width, height } = samples;
  const kind = numbersOf(page, TAG.colours)[0] ?? COLOURS.blackIsZero;
  const colours = kind === COLOURS.cmyk ? 'cmyk' : kind < COLOURS.rgb ? 'grey' : 'rgb';
  const used = kind === COLOURS.palette ? 1 : CHANNELS[colours];
  const isKnown = kind <= COLOURS.palette || kind === COLOURS.cmyk || kind === COLOURS.lab || kind === COLOURS.iccLab;
  if (!isKnown || samples.channels < used) throw notRead();
  const alphaKind = numbersOf(page, TAG.extraSamples)[0] ?? 0;
  const hasAlpha = samples.channels > used && ALPHA.has(alphaKind) && colours !== 'cmyk';
  const isDeep = samples.bits > 8 && (kind < COLOURS.palette || kind === COLOURS.cmyk);
  const most = isDeep ? 65_535 : 255;
  const step = CHANNELS[colours] + Number(hasAlpha);
  const values = isDeep ? new Uint16Array(width * height * step) : new Uint8Array(width * height * step);
  const put = painter(page, kind, samples, most);
  for (let from = 0, to = 0; from < samples.values.length; from += samples.channels, to += step) put(from, values, to);
  if (hasAlpha) putAlpha(samples, used, { values, step, most, isPremultiplied: alphaKind === PREMULTIPLIED });
  return {
    width,
    height,
    pixels: new Uint8Array(values.buffer),
    bits: isDeep ? 16 : 8,
    colours,
    hasAlpha,
    profile: kind < COLOURS.palette || kind === COLOURS.cmyk ? profileOf(page, colours) : null,
  };
}

interface Painted {
  readonly values: Uint8Array | Uint16Array;
  readonly step: number;
  readonly most: number;
  readonly isPremultiplied: boolean;
}

/** Writes the opacity of each pixel, and divides colours by it that were multiplied with it. */
function putAlpha(samples: Samples, used: number, { values, step, most, isPremultiplied }: Painted): void {
  const scale = most / (2 ** samples.bits - 1);
  for (let from = used, to = step - 1; to < values.length; from += samples.channels, to += step) {
    const alpha = Math.round((samples.values[from] ?? 0) * scale);
    values[to] = alpha;
    if (!isPremultiplied || alpha === 0) continue;
    for (let part = to - step + 1; part < to; part++)
      values[part] = Math.min(most, Math.round(((values[part] ?? 0) * most) / alpha));
  }
}

type Paint = (from: number, out: Uint8Array | Uint16Array, to: number) => void;

/** Writes the colour of a pixel, whose samples begin at an offset. */
function painter(page: TiffPage, kind: number, { values, bits }: Samples, most: number): Paint {
  const scale = most / (2 ** bits - 1);
  const at = (index: number) => values[index] ?? 0;
  if (kind === COLOURS.palette) {
    const table = numbersOf(page, TAG.palette);
    // Colours have 16 bits, but some programs write eight.
    const shift = table.some((value) => value > 255) ? 8 : 0;
    return (from, out, to) => {
      for (let part = 0; part < 3; part++) out[to + part] = (table[part * 2 ** bits + at(from)] ?? 0) >> shift;
    };
  }
  if (kind === COLOURS.lab || kind === COLOURS.iccLab) {
    const half = 2 ** (bits - 1);
    const unit = 2 ** (bits - 8);
    // With ICC the middle means no colour. Without it the numbers are signed.
    const signed = (value: number) =>
      (kind === COLOURS.iccLab ? value - half : value >= half ? value - 2 * half : value) / unit;
    return (from, out, to) =>
      out.set(labToRgb((at(from) * 100) / (2 ** bits - 1), signed(at(from + 1)), signed(at(from + 2))), to);
  }
  const count = kind === COLOURS.cmyk ? 4 : kind === COLOURS.rgb ? 3 : 1;
  return (from, out, to) => {
    for (let part = 0; part < count; part++) {
      const value = Math.round(at(from + part) * scale);
      out[to + part] = kind === COLOURS.whiteIsZero ? most - value : value;
    }
  };
}

/** Returns the ICC profile when it is for these colours. */
function profileOf(page: TiffPage, colours: PlainPicture['colours']): Uint8Array | null {
  const data = page.fields.get(TAG.profile)?.data;
  if (data === undefined || data.length < 128 || data.length > MAX_PROFILE_BYTES) return null;
  return data.toString('latin1', 16, 20) === PROFILE_FOR[colours] ? data : null;
}
