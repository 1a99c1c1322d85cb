/**
 * Reads the formulas of Equation 3.0 (MTEF version 3). The editor copied data of a formula into buffers without checking their size: the
 * name of a font (CVE-2017-11882, CVE-2018-0802), the rows and columns of a matrix (CVE-2018-0798). A formula is ordinary when it follows
 * the grammar to its end, and every length in it fits. MathType has a class and later versions of its own.
 */
import { ByteReader, OutOfBytes } from '../../../formats/byte-reader.ts';

/** In front of the formula stand 28 bytes: how long they are, a version, a clipboard format, and how long the formula is. */
const HEAD_BYTES = 28;
const FILE_VERSION = 0x00020000;
const EQUATION_3 = 3;
const LAST_MATHTYPE = 7;
/** Version, platform, program, and its version. */
const MTEF_HEAD_BYTES = 5;

/** The longest name of a font that fits with its end, and the most rows and columns whose lines fit. */
const MAX_FONT = 31;
const MAX_LINES = 31;
/** Templates have numbers up to here. */
const MAX_TEMPLATE = 48;
const MAX_DEPTH = 64;
/** The editor leaves a few bytes of its memory behind the end. They are fewer than any record of that kind needs. */
const MAX_LEFT = 4;

const END = 0;
/** Flags of a record, in the upper half of its first byte. */
const [IS_EMPTY, HAS_RULER, HAS_SPACING, IS_MOVED] = [0x10, 0x20, 0x40, 0x80];
const HAS_EMBELLISHMENTS = 0x20;
/** A move by more than a byte holds is written out behind two of these. */
const FAR = 0x80;
/** Sizes that are written out. */
const [POINTS, DIFFERENCE] = [101, 100];

/** Returns whether a stream is a formula of Equation 3.0 and nothing else. */
export function isOrdinaryEquation(bytes: Uint8Array): boolean {
  const formula = formulaIn(bytes);
  if (formula === null || formula[0] !== EQUATION_3) return false;
  try {
    const reader = new ByteReader(formula, MTEF_HEAD_BYTES);
    return list(reader, 0) && reader.left <= MAX_LEFT;
  } catch (error) {
    if (error instanceof OutOfBytes) return false;
    throw error;
  }
}

/** Returns whether a stream is a formula of MathType. The old editor does not read its versions. */
export function isMathType(bytes: Uint8Array): boolean {
  const version = formulaIn(bytes)?.[0] ?? 0;
  return version > EQUATION_3 && version <= LAST_MATHTYPE;
}

function formulaIn(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < HEAD_BYTES + MTEF_HEAD_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isHead = view.getUint16(0, true) === HEAD_BYTES && view.getUint32(2, true) === FILE_VERSION;
  const end = HEAD_BYTES + view.getUint32(8, true);
  return isHead && end <= bytes.length ? bytes.subarray(HEAD_BYTES, end) : null;
}

/** Reads records up to an end. Throws OutOfBytes, like all functions below, when the formula ends within a record. */
function list(reader: ByteReader, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  for (let tag = reader.byte(); tag !== END; tag = reader.byte()) if (!record(reader, tag, depth)) return false;
  return true;
}

function record(reader: ByteReader, tag: number, depth: number): boolean {
  const read = RECORDS[tag & 0x0f];
  if (read === undefined) return false;
  if (MOVABLE.has(tag & 0x0f) && (tag & IS_MOVED) !== 0) nudge(reader);
  return read(reader, tag, depth + 1);
}

function nudge(reader: ByteReader): void {
  const [across, down] = [reader.byte(), reader.byte()];
  if (across === FAR && down === FAR) reader.skip(4);
}

const RULER = 7;

function ruler(reader: ByteReader): true {
  reader.skip(reader.byte() * 3);
  return true;
}

const MOVABLE = new Set([1, 2, 3, 4, 5, 6]);

/** Returns false for content that is not of the grammar. */
type Read = (reader: ByteReader, tag: number, depth: number) => boolean;

function hasRuler(reader: ByteReader, tag: number): boolean {
  if ((tag & HAS_RULER) === 0) return true;
  return (reader.byte() & 0x0f) === RULER && ruler(reader);
}

const nothing: Read = () => true;

/** The content behind the first byte of each kind of record. */
const RECORDS: Readonly<Record<number, Read>> = {
  // A line.
  1: (reader, tag, depth) => {
    if ((tag & HAS_SPACING) !== 0) reader.skip(2);
    return hasRuler(reader, tag) && ((tag & IS_EMPTY) !== 0 || list(reader, depth));
  },
  // A character: its typeface, its code, and the marks above it.
  2: (reader, tag, depth) => {
    reader.skip(3);
    return (tag & HAS_EMBELLISHMENTS) === 0 || list(reader, depth);
  },
  // A template: its number, its variant and its options.
  3: (reader, _, depth) => {
    const template = reader.byte();
    reader.skip(2);
    return template <= MAX_TEMPLATE && list(reader, depth);
  },
  // A pile of lines.
  4: (reader, tag, depth) => {
    reader.skip(2);
    return hasRuler(reader, tag) && list(reader, depth);
  },
  5: (reader, _, depth) => matrix(reader) && list(reader, depth),
  6: (reader) => {
    reader.skip(1);
    return true;
  },
  [RULER]: ruler,
  // A font: its number, its style and its name.
  8: (reader) => {
    reader.skip(2);
    return font(reader);
  },
  9: (reader) => size(reader),
  10: nothing,
  11: nothing,
  12: nothing,
  13: nothing,
  14: nothing,
};

function font(reader: ByteReader): boolean {
  let length = 0;
  while (reader.byte() !== 0) length++;
  return length <= MAX_FONT;
}

/** Reads three alignments, rows and columns, and two bits for each line between them and around them. */
function matrix(reader: ByteReader): boolean {
  reader.skip(3);
  const [rows, columns] = [reader.byte(), reader.byte()];
  const lines = (count: number) => Math.ceil(((count + 1) * 2) / 8);
  reader.skip(lines(rows) + lines(columns));
  return rows <= MAX_LINES && columns <= MAX_LINES;
}

function size(reader: ByteReader): true {
  const kind = reader.byte();
  reader.skip(kind === POINTS ? 2 : kind === DIFFERENCE ? 3 : 1);
  return true;
}
