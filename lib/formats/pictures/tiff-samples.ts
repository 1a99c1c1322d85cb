/**
 * Reads the samples of TIFF pages that our codec library refuses: of 3 to 15 bits, several of fewer than 8 bits, in planes of tiles, and in
 * the colours of Lab. The library still unpacks them. It gets the file with another directory, which declares the packed bytes as a grey
 * picture.
 */
import sharp from 'sharp';
import { PictureError } from './picture-error.ts';
import { LONG, numbersOf, SHORT, type TiffField, type TiffPage, withDirectory } from './tiff-directory.ts';
import { JPEG, kindOf, TAG, type TiffKind } from './tiff-kinds.ts';

/** Samples of a page, pixel by pixel from the top left, at the depth of the page. */
export interface Samples {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly channels: number;
  readonly values: Uint16Array;
}

/** The most samples of a pixel. More than colours and transparency need would only cost memory. */
const MAX_SAMPLES = 5;
/** The bytes of all samples, for each pixel of the limit: as many as four colours of eight bits. */
const MAX_BYTES_A_PIXEL = 4;
const NO_PREDICTOR = 1;

/** Reads the samples. Throws PictureError `oversize`, `unsupported` or `unreadable`. */
export async function samplesOf(bytes: Uint8Array, page: TiffPage, mostPixels: number): Promise<Samples> {
  const kind = kindOf(page);
  const { width, height, samples, isSeparate } = kind;
  const bits = kind.bits ?? 8;
  if (width < 1 || height < 1 || samples < 1) throw damaged();
  if (width * height > mostPixels || (width * height * samples * bits) / 8 > mostPixels * MAX_BYTES_A_PIXEL)
    throw new PictureError('oversize', `the picture has more than ${mostPixels} pixels`);
  if (samples > MAX_SAMPLES) throw new PictureError('unsupported', 'the picture has too many channels');
  const planes = isSeparate ? samples : 1;
  const inPlane = samples / planes;
  const values = new Uint16Array(width * height * samples);
  for (let plane = 0; plane < planes; plane++) {
    const rows = await rowsOf(bytes, page, kind, plane, mostPixels);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let sample = 0; sample < inPlane; sample++)
          values[(y * width + x) * samples + plane + sample] = rows(x, y, sample);
  }
  return { width, height, bits, channels: samples, values };
}

const damaged = () => new PictureError('unreadable', 'the picture is damaged or not what its type says');

type ReadSample = (x: number, y: number, sample: number) => number;

/** Reads samples of one plane, or of all when they are stored together. */
async function rowsOf(
  bytes: Uint8Array,
  page: TiffPage,
  kind: TiffKind,
  plane: number,
  mostPixels: number,
): Promise<ReadSample> {
  const { width, height, samples, isSeparate, isTiled, predictor, compression } = kind;
  const bits = kind.bits ?? 8;
  const inPlane = isSeparate ? 1 : samples;
  const isDirect = predictor !== NO_PREDICTOR || compression === JPEG;
  // Only the codec reverses a predictor, and it must know the meaning of the samples.
  if (isDirect && !((bits === 8 || bits === 16) && (inPlane === 1 || inPlane === 3)))
    throw new PictureError('unsupported', 'the picture is packed in a way that is not read here; ask for it as PNG');
  const tileWidth = numbersOf(page, TAG.tileWidth)[0] ?? width;
  if (tileWidth < 1) throw damaged();
  const packedBytes = Math.ceil((tileWidth * inPlane * bits) / 8);
  const lineBytes = isTiled ? packedBytes * Math.ceil(width / tileWidth) : packedBytes;
  const shape = isDirect
    ? { width, tileWidth, bits, channels: inPlane }
    : { width: lineBytes, tileWidth: packedBytes, bits: 8, channels: 1 };
  const file = withDirectory(bytes, page.isLittle, fieldsFor(page, kind, plane, shape));
  const deep = shape.bits === 16;
  const data = await decode(file, mostPixels * MAX_BYTES_A_PIXEL, deep ? 'ushort' : 'uchar');
  if (data.length < shape.width * height * shape.channels * (shape.bits / 8)) throw damaged();
  if (isDirect)
    return (x, y, sample) => {
      const at = (y * width + x) * inPlane + sample;
      return deep ? data.readUInt16LE(at * 2) : (data[at] ?? 0);
    };
  return (x, y, sample) => {
    const tile = Math.floor(x / tileWidth);
    const from = y * lineBytes + tile * packedBytes;
    return valueAt(data, from, (x - tile * tileWidth) * inPlane + sample, bits, page.isLittle);
  };
}

/**
 * Returns the sample with a number in a packed line. Samples of 16 bits have the byte order of the file. All others have the highest bit
 * first.
 */
function valueAt(data: Buffer, from: number, index: number, bits: number, isLittle: boolean): number {
  if (bits === 8) return data[from + index] ?? 0;
  if (bits === 16) return isLittle ? data.readUInt16LE(from + index * 2) : data.readUInt16BE(from + index * 2);
  const bit = index * bits;
  const at = from + (bit >> 3);
  const word = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
  return (word >> (24 - (bit & 7) - bits)) & (2 ** bits - 1);
}

async function decode(file: Buffer, mostPixels: number, depth: 'uchar' | 'ushort'): Promise<Buffer> {
  try {
    const picture = sharp(file, { limitInputPixels: mostPixels, failOn: 'error', page: 0 });
    const { channels } = await picture.metadata();
    if (depth === 'ushort') picture.toColourspace(channels === 1 ? 'grey16' : 'rgb16');
    else if (channels === 1) picture.toColourspace('b-w');
    return await picture.raw({ depth }).toBuffer();
  } catch {
    throw damaged();
  }
}

interface Shape {
  readonly width: number;
  readonly tileWidth: number;
  readonly bits: number;
  readonly channels: number;
}

/** Makes the directory by which the codec reads the bytes of one plane. */
function fieldsFor(page: TiffPage, kind: TiffKind, plane: number, shape: Shape): Map<number, TiffField> {
  const { isLittle } = page;
  const field = (type: typeof SHORT | typeof LONG, values: readonly number[]): TiffField => {
    const size = type === SHORT ? 2 : 4;
    const data = Buffer.alloc(values.length * size);
    for (const [index, value] of values.entries())
      if (isLittle) data.writeUIntLE(value, index * size, size);
      else data.writeUIntBE(value, index * size, size);
    return { type, count: values.length, data };
  };
  const planes = kind.isSeparate ? kind.samples : 1;
  const ofPlane = (tag: number) => {
    const all = numbersOf(page, tag);
    const each = Math.floor(all.length / planes);
    return field(LONG, all.slice(plane * each, (plane + 1) * each));
  };
  const fields = new Map<number, TiffField>([
    [TAG.width, field(LONG, [shape.width])],
    [TAG.height, field(LONG, [kind.height])],
    [
      TAG.bits,
      field(
        SHORT,
        Array.from({ length: shape.channels }, () => shape.bits),
      ),
    ],
    [TAG.colours, field(SHORT, [shape.channels === 1 ? 1 : 2])],
    [TAG.samples, field(SHORT, [shape.channels])],
    [TAG.planes, field(SHORT, [1])],
  ]);
  if (kind.isTiled) fields.set(TAG.tileWidth, field(LONG, [shape.tileWidth]));
  const places = kind.isTiled ? [TAG.tilesAt, TAG.tileBytes] : [TAG.stripsAt, TAG.stripBytes];
  for (const tag of places) if (page.fields.has(tag)) fields.set(tag, ofPlane(tag));
  for (const tag of [TAG.compression, TAG.fillOrder, TAG.rowsPerStrip, TAG.predictor, TAG.tileHeight, TAG.jpegTables]) {
    const own = page.fields.get(tag);
    if (own !== undefined) fields.set(tag, own);
  }
  return fields;
}
