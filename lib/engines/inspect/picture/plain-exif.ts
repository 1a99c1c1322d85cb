/**
 * Decides whether the data of a camera or an editor about a picture (Exif 2.32, in the structure of TIFF 6.0) are plain. They have known
 * tags of the right type and length, each value at a place of its own, and nothing but zeros between. A small picture must be plain, too.
 */
import { EXCHANGE_TAGS, LEADS, MAIN_TAGS, PICTURE_TAGS, PLACE_TAGS, type Tags } from './plain-exif-tags.ts';

/** Nothing longer fits into a JPEG. */
const MAX_BYTES = 64 * 1024;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/** Numbers of the types (TIFF 6.0, 2; Exif 4.6.2) by their letter, and the bytes of one value. */
const TYPES: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  a: { 2: 1 },
  b: { 1: 1 },
  s: { 3: 2 },
  n: { 3: 2, 4: 4 },
  r: { 5: 8 },
  i: { 10: 8 },
  u: { 7: 1 },
};

interface Reading {
  readonly bytes: Buffer;
  readonly short: (at: number) => number;
  readonly long: (at: number) => number;
  /** The ranges that were read: begin and end. */
  readonly places: [number, number][];
  readonly isPlainJpeg: (bytes: Buffer) => boolean;
}

/** Returns true when nothing else is in it. Never throws. `isPlainJpeg` checks the small picture. */
export function isPlainExif(bytes: Buffer, isPlainJpeg: (bytes: Buffer) => boolean): boolean {
  if (bytes.length < HEADER_BYTES || bytes.length > MAX_BYTES) return false;
  const mark = bytes.toString('latin1', 0, 4);
  if (mark !== 'II*\0' && mark !== 'MM\0*') return false;
  const isLittle = mark.startsWith('II');
  const short = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const reading: Reading = { bytes, short, long, places: [[0, HEADER_BYTES]], isPlainJpeg };
  const next = readTable(reading, long(4), PICTURE_TAGS, false);
  if (next === null) return false;
  if (next !== 0 && readTable(reading, next, PICTURE_TAGS, true) !== 0) return false;
  return arePlaced(reading);
}

/** Returns where the next table is, or 0 for nowhere. Returns null when something in this table is not plain. */
function readTable(reading: Reading, at: number, tags: Tags, isOfSmall: boolean): number | null {
  const { bytes, short, long } = reading;
  if (at < HEADER_BYTES || at + 2 > bytes.length) return null;
  const count = short(at);
  const end = at + 2 + count * ENTRY_BYTES;
  if (count === 0 || count > tags.size || end + 4 > bytes.length) return null;
  reading.places.push([at, end + 4]);
  const values = new Map<number, number>();
  for (let entry = at + 2; entry < end; entry += ENTRY_BYTES) {
    const tag = short(entry);
    if (values.has(tag) || !isValue(reading, entry, tags)) return null;
    values.set(tag, short(entry + 2) === 3 ? short(entry + 8) : long(entry + 8));
  }
  return areLeadsPlain(reading, values, isOfSmall) ? long(end) : null;
}

/** Checks a value. A value of four bytes is in its entry, a longer one elsewhere. */
function isValue({ bytes, short, long, places }: Reading, entry: number, tags: Tags): boolean {
  const [tag, type, count] = [tags.get(short(entry)), short(entry + 2), long(entry + 4)];
  const size = tag === undefined ? undefined : TYPES[tag.kind]?.[type];
  if (tag === undefined || size === undefined || count === 0 || count > MAX_BYTES || (tag.count ?? count) !== count)
    return false;
  const length = size * count;
  if (length <= 4) return true;
  const from = long(entry + 8);
  if (from + length > bytes.length) return false;
  places.push([from, from + length]);
  return tag.kind !== 'a' || isText(bytes.subarray(from, from + length));
}

/** Checks a text. Programs write characters of their own charset, and none that controls a terminal. */
const isText = (text: Buffer) =>
  text.every((byte) => byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte >= 0x20);

function areLeadsPlain(reading: Reading, values: ReadonlyMap<number, number>, isOfSmall: boolean): boolean {
  const [main, place, exchange] = [LEADS.main, LEADS.place, LEADS.exchange].map((tag) => values.get(tag));
  const tables = [
    [main, MAIN_TAGS],
    [place, PLACE_TAGS],
    [exchange, EXCHANGE_TAGS],
  ] as const;
  if (isOfSmall && (main ?? place) !== undefined) return false;
  if (!tables.every(([at, tags]) => at === undefined || readTable(reading, at, tags, isOfSmall) === 0)) return false;
  const [from, length] = [values.get(LEADS.small), values.get(LEADS.smallLength)];
  if (from === undefined && length === undefined) return true;
  if (!isOfSmall || from === undefined || length === undefined || from + length > reading.bytes.length) return false;
  reading.places.push([from, from + length]);
  return reading.isPlainJpeg(reading.bytes.subarray(from, from + length));
}

/** Checks that no two ranges overlap, and that only zeros are between them. */
function arePlaced({ bytes, places }: Reading): boolean {
  let at = 0;
  for (const [from, end] of places.sort(([one], [other]) => one - other)) {
    if (from < at || bytes.subarray(at, from).some((byte) => byte !== 0)) return false;
    at = end;
  }
  return bytes.subarray(at).every((byte) => byte === 0);
}
