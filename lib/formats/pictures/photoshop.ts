/**
 * Decodes the picture that a Photoshop file (PSD, Adobe Photoshop File Formats Specification) holds for other programs: all of its layers
 * as one picture. The layers themselves, paths and data about the picture are left out.
 */
import { asBuffer } from '../byte-scan.ts';
import type { DecodedPicture } from './heif.ts';
import { isPhotoshop } from './photoshop-start.ts';
import { PictureError } from './picture-error.ts';
import { type PlainPicture, plainTiff } from './plain-tiff.ts';

/** The greatest width and height of a PSD. */
const MAX_SIDE = 30_000;
/** The colour modes that are read, and the number of channels that each shows. Photoshop writes duotone as grey. */
const MODES: ReadonlyMap<number, { readonly colours: PlainPicture['colours']; readonly channels: number }> = new Map([
  [1, { colours: 'grey', channels: 1 }],
  [2, { colours: 'rgb', channels: 1 }],
  [3, { colours: 'rgb', channels: 3 }],
  [4, { colours: 'cmyk', channels: 4 }],
  [8, { colours: 'grey', channels: 1 }],
]);
const INDEXED = 2;
const PALETTE_BYTES = 768;
/** Says whether the file holds the picture of all layers. */
const VERSION_INFO = 0x0421;
const COLOUR_PROFILE = 0x040f;
/** The largest profile. Profiles for print have two megabytes. A larger one would only cost memory. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
/** The name of the colour space in the header of a profile (ICC.1, 7.2.6). */
const PROFILE_FOR: Readonly<Record<PlainPicture['colours'], string>> = { grey: 'GRAY', rgb: 'RGB ', cmyk: 'CMYK' };

/** The parts of a file, by its header and lengths. */
interface PhotoshopFile {
  readonly channels: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly mode: number;
  readonly palette: Buffer;
  readonly resources: Buffer;
  readonly layers: Buffer;
  /** The data, beginning with the kind of compression. */
  readonly picture: Buffer;
}

/**
 * Decodes the picture. Throws PictureError `oversize` (pixels), `unsupported` (no picture for other programs, or colours not read here) or
 * `unreadable`.
 */
export function decodePhotoshop(bytes: Uint8Array, mostPixels: number): DecodedPicture & { readonly end: number } {
  const file = openPhotoshop(bytes);
  const { width, height, depth, channels } = file;
  const mode = MODES.get(file.mode);
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) throw damaged();
  if (width * height > mostPixels) throw new PictureError('oversize', `the picture has more than ${mostPixels} pixels`);
  if (mode === undefined || (depth !== 8 && depth !== 16))
    throw unsupported('the picture has colours that are not read here');
  if (channels < mode.channels || channels > 56) throw damaged();
  if (!hasPicture(file.resources)) throw unsupported('the picture was saved without a form that other programs show');
  const isTransparent = mode.colours !== 'cmyk' && channels > mode.channels && isSeenThrough(file.layers);
  const { values, end } = valuesOf(file, mode.channels + Number(isTransparent));
  if (mode.colours === 'cmyk') turnOver(values);
  const profile = profileOf(file.resources, mode.colours);
  const pixels = file.mode === INDEXED ? fromPalette(file.palette, values, isTransparent) : values;
  return {
    tiff: plainTiff({ width, height, pixels, colours: mode.colours, hasAlpha: isTransparent, profile }),
    isTransparent,
    hasOthers: file.layers.length > 0,
    hasMetadata: file.resources.length > 0,
    end: bytes.length - file.picture.length + end,
  };
}

/** Reads the parts. Throws PictureError `unreadable`. */
function openPhotoshop(bytes: Uint8Array): PhotoshopFile {
  const view = asBuffer(bytes);
  if (!isPhotoshop(bytes) || view.length < 26) throw damaged();
  let at = 26;
  const section = (): Buffer => {
    const length = at + 4 <= view.length ? view.readUInt32BE(at) : Number.POSITIVE_INFINITY;
    const from = at + 4;
    at = from + length;
    if (at > view.length) throw damaged();
    return view.subarray(from, at);
  };
  const [palette, resources, layers] = [section(), section(), section()];
  return {
    channels: view.readUInt16BE(12),
    height: view.readUInt32BE(14),
    width: view.readUInt32BE(18),
    depth: view.readUInt16BE(22),
    mode: view.readUInt16BE(24),
    palette,
    resources,
    layers,
    picture: view.subarray(at),
  };
}

const damaged = () => new PictureError('unreadable', 'the picture is damaged or not what its type says');
const unsupported = (what: string) => new PictureError('unsupported', `${what}; ask for it as PNG or PDF`);

/** Returns the resource with this number; null when there is none, or when it follows a damaged one. */
function resourceOf(resources: Buffer, wanted: number): Buffer | null {
  for (let at = 0; at + 12 <= resources.length; ) {
    const id = resources.readUInt16BE(at + 4);
    const nameLength = 1 + (resources[at + 6] ?? 0);
    const sizeAt = at + 6 + nameLength + (nameLength % 2);
    if (resources.toString('latin1', at, at + 4) !== '8BIM' || sizeAt + 4 > resources.length) return null;
    const size = resources.readUInt32BE(sizeAt);
    if (id === wanted) return resources.subarray(sizeAt + 4, sizeAt + 4 + size);
    at = sizeAt + 4 + size + (size % 2);
  }
  return null;
}

/** Returns false when the resources say that there is no picture of all layers. */
const hasPicture = (resources: Buffer) => resourceOf(resources, VERSION_INFO)?.[4] !== 0;

/** Returns the ICC profile, without which colours come out too pale or too strong; null without one that is for these colours. */
function profileOf(resources: Buffer, colours: PlainPicture['colours']): Buffer | null {
  const profile = resourceOf(resources, COLOUR_PROFILE);
  if (profile === null || profile.length < 128 || profile.length > MAX_PROFILE_BYTES) return null;
  return profile.toString('latin1', 16, 20) === PROFILE_FOR[colours] ? profile : null;
}

/** Returns whether a further channel is opacity. A negative number of layers says that the first further channel is. */
const isSeenThrough = (layers: Buffer) => layers.length >= 6 && layers.readInt16BE(4) < 0;

/**
 * Returns one byte for each of the first channels of each pixel, pixel by pixel, and the end of the picture. Of 16 bits the higher eight
 * are taken.
 */
function valuesOf(file: PhotoshopFile, used: number): { readonly values: Buffer; readonly end: number } {
  const { picture, width, height } = file;
  if (picture.length < 2) throw damaged();
  const values = Buffer.alloc(width * height * used);
  const bytes = file.depth / 8;
  const put = (channel: number, row: number, line: Buffer) => {
    for (let x = 0, to = row * width * used + channel; x < width; x++, to += used) values[to] = line[x * bytes] ?? 0;
  };
  const compression = picture.readUInt16BE(0);
  if (compression > 1) throw unsupported('the picture is packed in a way that is not read here');
  const end = compression === 0 ? readPlain(file, used, put) : readPacked(file, used, put);
  return { values, end };
}

type PutLine = (channel: number, row: number, line: Buffer) => void;

/** Copies the lines of all channels, one channel after the other. Returns their end. */
function readPlain({ picture, channels, width, height, depth }: PhotoshopFile, used: number, put: PutLine): number {
  const line = width * (depth / 8);
  const end = 2 + line * height * channels;
  if (end > picture.length) throw damaged();
  for (let at = 0; at < used * height; at++)
    put(Math.floor(at / height), at % height, picture.subarray(2 + at * line, 2 + (at + 1) * line));
  return end;
}

/** Does the same in PackBits (TIFF 6.0, section 9), with the lengths of all lines in front. */
function readPacked({ picture, channels, width, height, depth }: PhotoshopFile, used: number, put: PutLine): number {
  const line = Buffer.alloc(width * (depth / 8));
  const lines = channels * height;
  let at = 2 + lines * 2;
  if (at > picture.length) throw damaged();
  for (let index = 0; index < lines; index++) {
    const end = at + picture.readUInt16BE(2 + index * 2);
    if (end > picture.length) throw damaged();
    const channel = Math.floor(index / height);
    if (channel < used) {
      unpackLine(picture.subarray(at, end), line);
      put(channel, index % height, line);
    }
    at = end;
  }
  return at;
}

function unpackLine(packed: Buffer, line: Buffer): void {
  let to = 0;
  for (let at = 0; at < packed.length && to < line.length; ) {
    const length = packed.readInt8(at);
    if (length === -128) at += 1;
    else if (length < 0) {
      line.fill(packed[at + 1] ?? 0, to, Math.min(to + 1 - length, line.length));
      to += 1 - length;
      at += 2;
    } else {
      packed.copy(line, to, at + 1, at + 2 + length);
      to += Math.min(length + 1, packed.length - at - 1);
      at += length + 2;
    }
  }
  if (to < line.length) throw damaged();
}

/** Inverts ink. In Photoshop 0 means full ink. */
function turnOver(values: Buffer): void {
  for (let at = 0; at < values.length; at++) values[at] = 255 - (values[at] ?? 0);
}

/** Reads the palette, which has all reds, then all greens, then all blues. */
function fromPalette(palette: Buffer, values: Buffer, hasAlpha: boolean): Buffer {
  if (palette.length < PALETTE_BYTES) throw damaged();
  const step = 1 + Number(hasAlpha);
  const pixels = Buffer.alloc((values.length / step) * (2 + step));
  for (let from = 0, to = 0; from < values.length; from += step) {
    const number = values[from] ?? 0;
    for (let part = 0; part < 3; part++) pixels[to++] = palette[part * 256 + number] ?? 0;
    if (hasAlpha) pixels[to++] = values[from + 1] ?? 0;
  }
  return pixels;
}
