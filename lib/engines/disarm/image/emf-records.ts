/**
 * Records of an enhanced metafile ([MS-EMF] 2.3) that may be kept. Each is written in one form: fixed fields, then the list that they
 * count, and nothing else. A list is cut to its count. A record that counts more than it contains is not kept.
 */
import { type PackedBitmap, packedBitmap } from './packed-bitmap.ts';

/** Returns the record in its one form; null when it is not sound. Throws RangeError when it is cut short. */
type Rewrite = (record: Buffer) => Buffer | null;

const FIXED_BYTES: readonly (readonly [number, string])[] = [
  [8, '28 59 60 61 65 66 68'],
  [8, '33'],
  [12, '16 17 18 19 20 21 22 24 25 34 37 40 57 58 67 115'],
  [16, '9 10 11 12 13 26 27 54 120'],
  [20, '15'],
  [24, '29 30 31 32 39 42 43 53 62 63 64'],
  [28, '38 41'],
  [32, '23 35 44'],
  [36, '36'],
  [40, '45 46 47 55'],
];

const SET_TRANSFORM = 35;
const MODIFY_TRANSFORM = 36;
const CREATE_BRUSH = 39;
/** Brushes are solid, empty or hatched up to this number. Higher ones use a bitmap in another place. */
const LAST_PLAIN_BRUSH = 2;

/** Returns a record of its first bytes and the bytes after them, with its new size; null when the record is too short. */
function written(record: Buffer, fixedBytes: number, ...rest: readonly Buffer[]): Buffer | null {
  if (record.length < fixedBytes) return null;
  const out = Buffer.concat([record.subarray(0, fixedBytes), ...rest]);
  out.writeUInt32LE(out.length, 4);
  return out;
}

function take(record: Buffer, from: number, length: number): Buffer | null {
  return from + length <= record.length ? record.subarray(from, from + length) : null;
}

const fixed =
  (size: number): Rewrite =>
  (record) => {
    const type = record.readUInt32LE(0);
    if (type === CREATE_BRUSH && record.readUInt32LE(12) > LAST_PLAIN_BRUSH) return null;
    if ((type === SET_TRANSFORM || type === MODIFY_TRANSFORM) && !isFinite24(record)) return null;
    return written(record, size);
  };

const isFinite24 = (record: Buffer) => [8, 12, 16, 20, 24, 28].every((at) => Number.isFinite(record.readFloatLE(at)));

const points =
  (pointBytes: number): Rewrite =>
  (record) =>
    written(record, 28 + record.readUInt32LE(24) * pointBytes);

/** The counts of the polygons must add up to the count of the points. */
const polygons =
  (pointBytes: number): Rewrite =>
  (record) => {
    const pointsAt = 32 + record.readUInt32LE(24) * 4;
    let sum = 0;
    if (pointsAt > record.length) return null;
    for (let at = 32; at < pointsAt; at += 4) sum += record.readUInt32LE(at);
    return sum === record.readUInt32LE(28) ? written(record, pointsAt + sum * pointBytes) : null;
  };

const REGION_HEADER_BYTES = 32;
const REGION_RECTANGLES = 1;

/** Rectangles after a header that counts them. A record that resets the clip has none. */
const region =
  (fixedBytes: number, sizeAt: number, mayBeEmpty = false): Rewrite =>
  (record) => {
    const size = record.readUInt32LE(sizeAt);
    if (size === 0) return mayBeEmpty ? written(record, fixedBytes) : null;
    const untrusted = take(record, fixedBytes, size);
    if (untrusted === null) return null;
    const data = take(untrusted, 0, REGION_HEADER_BYTES + untrusted.readUInt32LE(8) * 16);
    if (data === null || data.readUInt32LE(0) !== REGION_HEADER_BYTES) return null;
    if (data.readUInt32LE(4) !== REGION_RECTANGLES || !areOrdered(data)) return null;
    const out = written(record, fixedBytes, data);
    out?.writeUInt32LE(data.length, sizeAt);
    out?.writeUInt32LE(data.length - REGION_HEADER_BYTES, fixedBytes + 12);
    return out;
  };

/** Returns true when the bounds of a region and all its rectangles run from left to right and from top to bottom. */
function areOrdered(data: Buffer): boolean {
  for (let at = 16; at < data.length; at += 16)
    if (data.readInt32LE(at) > data.readInt32LE(at + 8) || data.readInt32LE(at + 4) > data.readInt32LE(at + 12))
      return false;
  return true;
}

interface BitmapPlace {
  readonly fixedBytes: number;
  /** The places of offset and size of the header, and of offset and size of the pixels. */
  readonly placesAt: number;
  readonly usageAt: number;
  /** The places of left, top, width and height of the drawn part. */
  readonly partAt?: number;
  readonly mayBeMissing?: boolean;
}

const bitmap =
  ({ fixedBytes, placesAt, usageAt, partAt, mayBeMissing = false }: BitmapPlace): Rewrite =>
  (record) => {
    const place = (index: number) => record.readUInt32LE(placesAt + index * 4);
    if (place(1) === 0 && place(3) === 0) {
      const bare = mayBeMissing ? written(record, fixedBytes) : null;
      bare?.fill(0, placesAt, placesAt + 16);
      return bare;
    }
    const [header, pixels] = [take(record, place(0), place(1)), take(record, place(2), place(3))];
    if (header === null || pixels === null || place(0) < fixedBytes || place(2) < fixedBytes) return null;
    const plain = packedBitmap(header, record.readUInt32LE(usageAt), pixels);
    if (plain === null || (partAt !== undefined && !isWithin(record, partAt, plain))) return null;
    const out = written(record, fixedBytes, plain.header, plain.pixels);
    const headerBytes = plain.header.length;
    [fixedBytes, headerBytes, fixedBytes + headerBytes, plain.pixels.length].forEach(
      (value, index) => void out?.writeUInt32LE(value, placesAt + index * 4),
    );
    return out;
  };

/** Returns true when the drawn part is inside the bitmap. Negative sizes mirror it. */
function isWithin(record: Buffer, at: number, { width, height }: PackedBitmap): boolean {
  const isInside = (from: number, size: number, whole: number) =>
    Math.min(from, from + size) >= 0 && Math.max(from, from + size) <= whole;
  const [left, top] = [record.readInt32LE(at), record.readInt32LE(at + 4)];
  return isInside(left, record.readInt32LE(at + 8), width) && isInside(top, record.readInt32LE(at + 12), height);
}

/** Keeps a record only when it draws all lines of its bitmap. */
const whole =
  (rewrite: Rewrite): Rewrite =>
  (record) => {
    const out = rewrite(record);
    const lines = out === null ? 0 : Math.abs(out.readInt32LE(76 + 8));
    return out !== null && out.readUInt32LE(68) === 0 && out.readUInt32LE(72) === lines ? out : null;
  };

const FONT_BYTES = 332;
const FONT_FIELDS_BYTES = 104;

/** Sizes, weights and the name of a typeface, up to its end. The longer names behind it do not change what is drawn. */
const font: Rewrite = (record) => {
  if (record.length < FONT_FIELDS_BYTES) return null;
  const out = Buffer.alloc(FONT_BYTES);
  record.copy(out, 0, 0, 40);
  for (let at = 40; at < FONT_FIELDS_BYTES - 2 && record.readUInt16LE(at) !== 0; at += 2)
    record.copy(out, at, at, at + 2);
  out.writeUInt32LE(FONT_BYTES, 4);
  return out;
};

const PEN_BYTES = 52;
/** The most dashes that GDI takes. */
const MAX_DASHES = 16;
const USER_DASHES = 7;

/** A pen with a colour and a pattern of dashes. A pen made of a bitmap is not kept. */
const pen: Rewrite = (record) => {
  const dashes = record.readUInt32LE(48);
  if (dashes > MAX_DASHES || record.readUInt32LE(36) > LAST_PLAIN_BRUSH) return null;
  if (dashes > 0 && (record.readUInt32LE(28) & 15) !== USER_DASHES) return null;
  const list = take(record, PEN_BYTES, dashes * 4);
  if (list === null) return null;
  const out = written(record, PEN_BYTES, dashes === 0 ? Buffer.alloc(4) : list);
  out?.fill(0, 12, 28);
  return out;
};

const GRADIENT_BYTES = 36;
const TRIANGLES = 2;

/** Rectangles name two corners and triangles three. After a rectangle's two there is room for a third. */
const gradient: Rewrite = (record) => {
  const [corners, shapes, mode] = [record.readUInt32LE(24), record.readUInt32LE(28), record.readUInt32LE(32)];
  const named = shapes * (mode === TRIANGLES ? 3 : 2);
  const indexesAt = GRADIENT_BYTES + corners * 16;
  const indexes = take(record, indexesAt, named * 4);
  if (mode > TRIANGLES || indexes === null) return null;
  for (let at = 0; at < indexes.length; at += 4) if (indexes.readUInt32LE(at) >= corners) return null;
  return written(record, indexesAt, indexes, Buffer.alloc((shapes * 3 - named) * 4));
};

const TEXT_BYTES = 76;
const PAIRS_OF_DISTANCES = 0x2000;

/** A text: its characters, and the distance of each from the next. */
const text =
  (characterBytes: number): Rewrite =>
  (record) => {
    const characters = record.readUInt32LE(44);
    const distancesAt = record.readUInt32LE(72);
    const isSpaced = characters > 0 && distancesAt > 0;
    const perCharacter = (record.readUInt32LE(52) & PAIRS_OF_DISTANCES) === 0 ? 4 : 8;
    const string = take(record, characters === 0 ? TEXT_BYTES : record.readUInt32LE(48), characters * characterBytes);
    const distances = isSpaced ? take(record, distancesAt, characters * perCharacter) : Buffer.alloc(0);
    if (string === null || distances === null) return null;
    if (characters > 0 && (record.readUInt32LE(48) < TEXT_BYTES || (isSpaced && distancesAt < TEXT_BYTES))) return null;
    const padding = Buffer.alloc(-string.length & 3);
    const out = written(record, TEXT_BYTES, string, padding, distances);
    out?.writeUInt32LE(TEXT_BYTES, 48);
    out?.writeUInt32LE(isSpaced ? TEXT_BYTES + string.length + padding.length : 0, 72);
    return out;
  };

const NO_RECTANGLE = 0x100;
const SHORT_CHARACTERS = 0x200;

const smallText: Rewrite = (record) => {
  const options = record.readUInt32LE(20);
  const fixedBytes = 36 + ((options & NO_RECTANGLE) === 0 ? 16 : 0);
  const string = take(record, fixedBytes, record.readUInt32LE(16) * ((options & SHORT_CHARACTERS) === 0 ? 2 : 1));
  return string === null ? null : written(record, fixedBytes, string, Buffer.alloc(-string.length & 3));
};

const STRETCHED = { fixedBytes: 108, placesAt: 84, usageAt: 80 };

/**
 * The records that may be kept, by type. Bitmaps with masks and points with kinds are not kept, because no program of today writes them.
 */
export const EMF_RECORDS: ReadonlyMap<number, Rewrite> = new Map<number, Rewrite>([
  ...FIXED_BYTES.flatMap(([size, types]) => types.split(' ').map((type) => [Number(type), fixed(size)] as const)),
  ...[2, 3, 4, 5, 6].map((type) => [type, points(8)] as const),
  ...[85, 86, 87, 88, 89].map((type) => [type, points(4)] as const),
  [7, polygons(8)],
  [8, polygons(8)],
  [90, polygons(4)],
  [91, polygons(4)],
  [71, region(32, 24)],
  [72, region(40, 24)],
  [73, region(28, 24)],
  [74, region(28, 24)],
  [75, region(16, 8, true)],
  [76, bitmap({ fixedBytes: 100, placesAt: 84, usageAt: 80, mayBeMissing: true })],
  [77, bitmap({ ...STRETCHED, mayBeMissing: true })],
  [80, whole(bitmap({ fixedBytes: 76, placesAt: 48, usageAt: 64, partAt: 32 }))],
  [81, bitmap({ fixedBytes: 80, placesAt: 48, usageAt: 64, partAt: 32 })],
  [82, font],
  [83, text(1)],
  [84, text(2)],
  [93, bitmap({ fixedBytes: 32, placesAt: 16, usageAt: 12 })],
  [94, bitmap({ fixedBytes: 32, placesAt: 16, usageAt: 12 })],
  [95, pen],
  [108, smallText],
  [114, bitmap(STRETCHED)],
  [116, bitmap(STRETCHED)],
  [118, gradient],
]);
