/**
 * Decides whether every byte of a PNG belongs to its picture (ISO/IEC 15948). It has known chunks with right checksums and lengths, and
 * compressed data that ends with the last row. An attack on a decoder needs a file in which one of these is wrong.
 */
import { crc32 } from 'node:zlib';
import { isPlainJpeg } from './plain-jpeg.ts';
import { plainChunk } from './plain-notes.ts';
import { type Image, INDEXED, isWhole } from './plain-png-rows.ts';

const SIGNATURE = '89504e470d0a1a0a';

/** Samples of a pixel by colour type, and the depths that each may have (11.2.2). */
const COLOURS: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

type IsValue = (data: Buffer, image: Image, colours: number) => boolean;

/** The chunks about colours that may precede the pixels (11.3). Each has the values that its picture can have. */
const VALUES: Readonly<Record<string, IsValue>> = {
  PLTE: ({ length }, { bitsOfPixel, colour }) =>
    length % 3 === 0 && length >= 3 && length <= 3 * (colour === INDEXED ? 2 ** bitsOfPixel : 256),
  tRNS: ({ length }, { colour }, colours) =>
    colour === INDEXED ? length >= 1 && length <= colours : length === ({ 0: 2, 2: 6 } as Lengths)[colour],
  gAMA: (data) => data.length === 4 && data.readUInt32BE(0) > 0,
  cHRM: (data) => data.length === 32 && data.readUInt32BE(4) > 0,
  sRGB: (data) => data.length === 1 && (data[0] as number) <= 3,
  sBIT: (data, { colour, depth }) =>
    data.length === ({ 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 } as Lengths)[colour] &&
    data.every((bits) => bits >= 1 && bits <= (colour === INDEXED ? 8 : depth)),
  bKGD: (data, { colour }, colours) =>
    colour === INDEXED
      ? data.length === 1 && (data[0] as number) < colours
      : data.length === ({ 0: 2, 2: 6, 4: 2, 6: 6 } as Lengths)[colour],
  pHYs: (data) => data.length === 9 && data.readUInt32BE(0) > 0 && data.readUInt32BE(4) > 0 && (data[8] as number) <= 1,
};
type Lengths = Readonly<Record<number, number>>;

/** Returns true when nothing else is in the file. Never throws. */
export function isPlainPng(bytes: Buffer): boolean {
  const chunks = chunksOf(bytes);
  const [first, ...rest] = chunks ?? [];
  if (first?.kind !== 'IHDR' || rest.pop()?.kind !== 'IEND') return false;
  const image = imageOf(first.data);
  if (image === null) return false;
  const isData = ({ kind }: Chunk) => kind === 'IDAT';
  const [firstData, lastData] = [rest.findIndex(isData), rest.findLastIndex(isData)];
  const data = rest.slice(firstData, lastData + 1);
  if (firstData < 0 || !data.every(isData)) return false;
  const colours = (rest.find(({ kind }) => kind === 'PLTE')?.data.length ?? 0) / 3;
  if (!areInOrder(rest.slice(0, firstData), rest.slice(lastData + 1), image, colours)) return false;
  return isWhole(Buffer.concat(data.map((chunk) => chunk.data)), image, colours);
}

interface Chunk {
  readonly kind: string;
  readonly data: Buffer;
}

/** Returns all bytes as chunks, or null when they are not. */
function chunksOf(bytes: Buffer): Chunk[] | null {
  if (bytes.toString('hex', 0, 8) !== SIGNATURE) return null;
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length; ) {
    if (at + 12 > bytes.length) return null;
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null;
    chunks.push({ kind: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  const end = chunks.at(-1);
  return end?.kind === 'IEND' && end.data.length === 0 ? chunks : null;
}

/** Returns the description of the pixels in the header, or null for impossible values. */
export function imageOf(header: Buffer): Image | null {
  if (header.length !== 13) return null;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colour = 0, compression, filter, interlace] = header.subarray(8);
  const kind = COLOURS[colour];
  if (kind === undefined || !kind.depths.includes(depth) || width === 0 || height === 0) return null;
  if (compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1)) return null;
  return { width, height, colour, depth, bitsOfPixel: kind.samples * depth, isInterlaced: interlace === 1 };
}

/**
 * Checks the order: each chunk at most once, and the colour table in front of the chunks that refer to it. Only words may follow the
 * pixels.
 */
function areInOrder(before: readonly Chunk[], behind: readonly Chunk[], image: Image, colours: number): boolean {
  const kinds = before.map(({ kind }) => kind);
  const table = kinds.indexOf('PLTE');
  if ((image.colour === INDEXED) !== table >= 0) return false;
  const refersTo = ['tRNS', 'bKGD'].map((kind) => kinds.indexOf(kind));
  if (refersTo.some((at) => at >= 0 && at < table)) return false;
  if (kinds.some((kind, at) => OF_COLOURS.has(kind) && at > table && table >= 0)) return false;
  const isOwn = (chunk: Chunk) => VALUES[chunk.kind]?.(chunk.data, image, colours) ?? false;
  const notes = before
    .map((chunk) => (isOwn(chunk) ? chunk.kind : noteOf(chunk)))
    .concat(behind.map((chunk) => (OF_COLOURS.has(chunk.kind) ? null : noteOf(chunk))));
  return !notes.includes(null) && new Set(notes).size === notes.length;
}

/** These come before the colour table. */
const OF_COLOURS: ReadonlySet<string> = new Set(['iCCP', 'gAMA', 'cHRM', 'sRGB', 'sBIT']);
const noteOf = ({ kind, data }: Chunk) => plainChunk(kind, data, (small) => isPlainJpeg(small, false));
