/**
 * Records of a Windows metafile ([MS-WMF] 2.3) that may be kept. Each is written in one form: fixed fields, then the list that they count,
 * cut to that count. A record that counts more than it contains is not kept. Records of device bitmaps, regions and palettes are not kept,
 * either.
 */
import { packedBitmap } from './packed-bitmap.ts';

/** The record in its one form; null when it is not sound. Throws RangeError when it is cut short. */
type Rewrite = (record: Buffer) => Buffer | null;

const FRAME_BYTES = 6;

/** The number of parameter words of each record without a list. */
const FIXED_WORDS: readonly (readonly [number, string])[] = [
  [0, '001e'],
  [1, '0102 0103 0104 0106 0107 0108 0127 012d 012e 01f0'],
  [2, '0149 0201 0209 020a 020b 020c 020d 020e 020f 0211 0213 0214 0220 0231'],
  [4, '0410 0412 0415 0416 0418 0419 041b 041f 02fc'],
  [5, '0548 02fa'],
  [6, '061c 061d'],
  [8, '0817 081a 0830'],
];

const CREATE_BRUSH = 0x02fc;
/** Brushes are solid, empty or hatched up to this number. Those above it use a bitmap that stands elsewhere. */
const LAST_PLAIN_BRUSH = 2;

function written(record: Buffer, bytes: number, ...rest: readonly Buffer[]): Buffer | null {
  if (bytes > record.length) return null;
  const parts = [record.subarray(0, bytes), ...rest];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const out = Buffer.concat(length % 2 === 0 ? parts : [...parts, Buffer.alloc(1)]);
  out.writeUInt32LE(out.length / 2, 0);
  return out;
}

const fixed =
  (words: number): Rewrite =>
  (record) => {
    const isPattern = record.readUInt16LE(4) === CREATE_BRUSH && record.readUInt16LE(6) > LAST_PLAIN_BRUSH;
    return isPattern ? null : written(record, FRAME_BYTES + words * 2);
  };

/** Slot 0 means no clip. Any other slot names a region, and regions are not kept. */
const noClip: Rewrite = (record) => (record.readUInt16LE(FRAME_BYTES) === 0 ? written(record, FRAME_BYTES + 2) : null);

const points: Rewrite = (record) => written(record, FRAME_BYTES + 2 + record.readUInt16LE(6) * 4);

const polygons: Rewrite = (record) => {
  const pointsAt = FRAME_BYTES + 2 + record.readUInt16LE(6) * 2;
  let sum = 0;
  if (pointsAt > record.length) return null;
  for (let at = FRAME_BYTES + 2; at < pointsAt; at += 2) sum += record.readUInt16LE(at);
  return written(record, pointsAt + sum * 4);
};

/** A text: its length, its characters and its place. */
const text: Rewrite = (record) => {
  const length = record.readUInt16LE(6);
  const end = FRAME_BYTES + 2 + length + (length % 2) + 4;
  return written(record, end);
};

const CLIPPED_OR_FILLED = 6;

/** A text: place, length, options, a rectangle when the options ask for one, characters, and the distance of each from the next. */
const extendedText: Rewrite = (record) => {
  const length = record.readUInt16LE(10);
  const stringAt = FRAME_BYTES + 8 + ((record.readUInt16LE(12) & CLIPPED_OR_FILLED) === 0 ? 0 : 8);
  const distancesAt = stringAt + length + (length % 2);
  const end = distancesAt + length * 2;
  return written(record, end <= record.length ? end : distancesAt);
};

const FONT_FIELDS_BYTES = 18;
const FACE_BYTES = 32;

/** Sizes, weights and the name of a typeface, up to its end. */
const font: Rewrite = (record) => {
  const faceAt = FRAME_BYTES + FONT_FIELDS_BYTES;
  const untrusted = record.subarray(faceAt, faceAt + FACE_BYTES - 1);
  const end = untrusted.indexOf(0);
  const face = Buffer.alloc(FACE_BYTES);
  untrusted.subarray(0, end === -1 ? untrusted.length : end).copy(face);
  return written(record, faceAt, face);
};

/** A bitmap after fixed fields. Some records may lack it: they have one word more, and their length shows it. */
const bitmap =
  (words: number, usageWord: number | null, bareWords = 0): Rewrite =>
  (record) => {
    const bitmapAt = FRAME_BYTES + words * 2;
    const isBare = bareWords > 0 && record.length === FRAME_BYTES + bareWords * 2;
    if (isBare) return record;
    const usage = usageWord === null ? 0 : record.readUInt16LE(FRAME_BYTES + usageWord * 2);
    const plain = packedBitmap(record.subarray(bitmapAt), usage);
    return plain === null ? null : written(record, bitmapAt, plain.header, plain.pixels);
  };

/** A record that draws all lines of its bitmap. */
const wholeBitmap: Rewrite = (record) => {
  const out = bitmap(9, 0)(record);
  const lines = out === null ? 0 : Math.abs(out.readInt32LE(FRAME_BYTES + 18 + 8));
  return out !== null && out.readUInt16LE(8) === lines && out.readUInt16LE(10) === 0 ? out : null;
};

/** The records that may be kept, by function. */
export const WMF_RECORDS: ReadonlyMap<number, Rewrite> = new Map<number, Rewrite>([
  ...FIXED_WORDS.flatMap(([words, types]) =>
    types.split(' ').map((type) => [Number.parseInt(type, 16), fixed(words)] as const),
  ),
  [0x012c, noClip],
  [0x0324, points],
  [0x0325, points],
  [0x0538, polygons],
  [0x0521, text],
  [0x0a32, extendedText],
  [0x02fb, font],
  [0x0142, bitmap(2, 1)],
  [0x0940, bitmap(8, null, 9)],
  [0x0b41, bitmap(10, null, 11)],
  [0x0d33, wholeBitmap],
  [0x0f43, bitmap(11, 2)],
]);
