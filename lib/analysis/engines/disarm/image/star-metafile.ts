/**
 * Metafiles of StarView, which LibreOffice puts beside the charts and formulas of a document: written anew, record by record, of
 * those that it writes for them. Comments are left out; bitmaps, PostScript, nested metafiles and what is not known, or holds anything but
 * what it counts, make the whole unusable.
 */

const MAGIC = 'VCLMTF';
/** Version and length in front of the header, and behind the type of every record. */
const FRAME_BYTES = 6;
/** Packing, a map mode of 27 bytes with its frame, the size, and the count of the records. */
const HEADER_BYTES = 49;
const MAP_MODE_BYTES = 27;
const COMMENT = 512;
const FONT = 138;
const PUSH = 139;
const POP = 140;
const DRAWING = new Set([103, 109, 111, 113, 114]);
/** Longer drawings take readers minutes. */
const MAX_RECORDS = 500_000;
/** States pushed and never popped are memory that the reader keeps. */
const MAX_PUSHED = 1_000;
const UNICODE = 0xffff;
/** Four bytes to a character: of no file that LibreOffice writes. */
const WIDE = 0xfffe;

/** Walks the content of one record; every read behind its end throws RangeError. */
class Content {
  private at = 0;
  constructor(private readonly bytes: Buffer) {}
  u8 = () => this.bytes.readUInt8(this.move(1));
  u16 = () => this.bytes.readUInt16LE(this.move(2));
  u32 = () => this.bytes.readUInt32LE(this.move(4));
  skip = (length: number) => void this.move(length);
  /** A frame around what is left, or around the next part of it. */
  isFrame = (version: number, length: number) => this.u16() === version && this.u32() === length;
  left = () => this.bytes.length - this.at;
  private move(length: number): number {
    const from = this.at;
    this.at += length;
    if (this.at > this.bytes.length) throw new RangeError('the record is cut short');
    return from;
  }
}

interface State {
  /** Of the last font: it says how the text behind it is stored. */
  charset: number | null;
  pushed: number;
}

/** Whether the content of a record is exactly what its type says. */
type Check = (content: Content, state: State) => boolean;

const fixed =
  (length: number): Check =>
  (content) => {
    content.skip(length);
    return true;
  };

function skipPoints(content: Content): void {
  content.skip(content.u16() * 8);
}

/** The same points once more, with what kind each is. */
function isCurve(content: Content): boolean {
  const [version, length] = [content.u16(), content.u32()];
  const before = content.left();
  const points = content.u16();
  content.skip(points * 8);
  if (content.u8() === 1) content.skip(points);
  return version === 1 && before - content.left() === length;
}

const LINE_BYTES = 58;
const polyline: Check = (content) => {
  skipPoints(content);
  if (!content.isFrame(5, LINE_BYTES)) return false;
  content.skip(LINE_BYTES);
  return content.u8() === 0 || isCurve(content);
};

const polygons: Check = (content) => {
  const count = content.u16();
  for (let index = 0; index < count; index++) skipPoints(content);
  for (let curves = content.u16(); curves > 0; curves--) if (content.u16() >= count || !isCurve(content)) return false;
  return true;
};

/** Bands of rectangles, and no polygon. */
const region: Check = (content) => {
  if (!content.isFrame(2, content.left() - FRAME_BYTES) || content.u16() !== 2 || content.u16() !== 2) return false;
  for (let isFirst = true, kind = content.u16(); kind !== 2; kind = content.u16(), isFirst = false) {
    if (kind > 1 || (isFirst && kind !== 0)) return false;
    content.skip(8);
  }
  return content.u8() === 0;
};

const FONT_BYTES = 44;
const font: Check = (content, state) => {
  if (!content.isFrame(4, content.left() - FRAME_BYTES)) return false;
  content.skip(content.u16());
  content.skip(content.u16());
  content.skip(8);
  state.charset = content.u16();
  content.skip(FONT_BYTES - 10);
  return state.charset !== WIDE;
};

/** How many characters a text has, in the charset of the font. */
function characters(content: Content, { charset }: State): number {
  const length = charset === UNICODE ? content.u32() : content.u16();
  content.skip(charset === UNICODE ? length * 2 : length);
  return length;
}

/** The part of the text that is drawn, and the text again in Unicode. */
const isPart = (content: Content, isSpaced: boolean): boolean => {
  const [from, length] = [content.u16(), content.u16()];
  const distances = isSpaced ? content.u32() : 0;
  if (isSpaced && distances !== 0 && distances !== length) return false;
  content.skip(distances * 4);
  const whole = content.u16();
  content.skip(whole * 2);
  return from + length <= whole;
};

const text =
  (isSpaced: boolean): Check =>
  (content, state) => {
    content.skip(8);
    if (state.charset === null) return false;
    characters(content, state);
    if (!isSpaced) content.skip(4);
    return isPart(content, isSpaced);
  };

/** What LibreOffice writes for charts and formulas: version and content by type. */
const RECORDS: ReadonlyMap<number, { readonly version: number; readonly check: Check }> = new Map(
  (
    [
      [103, 1, fixed(16)],
      [109, 3, polyline],
      [111, 2, polygons],
      [113, 2, text(true)],
      [114, 2, text(false)],
      [129, 1, fixed(16)],
      [130, 1, region],
      [132, 1, fixed(5)],
      [133, 1, fixed(5)],
      [134, 1, fixed(4)],
      [135, 1, fixed(5)],
      [136, 1, fixed(2)],
      [FONT, 1, font],
      [PUSH, 1, fixed(2)],
      [POP, 1, fixed(0)],
      [145, 1, fixed(5)],
      [149, 1, fixed(4)],
      [150, 1, fixed(2)],
      [151, 1, fixed(5)],
    ] as const
  ).map(([type, version, check]) => [type, { version, check }]),
);

/** Whether a file starts as one. */
export function isStarMetafile(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(6, bytes.length)).toString('latin1') === MAGIC;
}

/** The drawing written anew; null when it is none that is understood. */
export function rebuildStarMetafile(untrustedBytes: Uint8Array): Uint8Array | null {
  const drawing = Buffer.from(untrustedBytes.buffer, untrustedBytes.byteOffset, untrustedBytes.byteLength);
  try {
    return isStarMetafile(drawing) ? rebuild(drawing) : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function rebuild(drawing: Buffer): Buffer | null {
  const start = MAGIC.length + FRAME_BYTES + HEADER_BYTES;
  if (!isSoundHeader(drawing)) return null;
  const count = drawing.readUInt32LE(start - 4);
  const state: State = { charset: null, pushed: 0 };
  const kept: Buffer[] = [];
  if (count > MAX_RECORDS) return null;
  for (let index = 0, at = start; index < count; index++) {
    const end = at + 2 + FRAME_BYTES + drawing.readUInt32LE(at + 4);
    if (end > drawing.length) return null;
    const record = drawing.subarray(at, end);
    if (record.readUInt16LE(0) !== COMMENT) {
      if (!isSound(record, state)) return null;
      kept.push(record);
    }
    at = end;
  }
  if (state.pushed !== 0 || !kept.some((record) => DRAWING.has(record.readUInt16LE(0)))) return null;
  const header = Buffer.from(drawing.subarray(0, start));
  header.writeUInt32LE(kept.length, start - 4);
  return Buffer.concat([header, ...kept]);
}

/** Not packed, a scale that can be divided by, and a size. */
function isSoundHeader(drawing: Buffer): boolean {
  const isFramed = drawing.readUInt16LE(6) === 1 && drawing.readUInt32LE(8) === HEADER_BYTES;
  const hasMapMode = drawing.readUInt16LE(16) === 1 && drawing.readUInt32LE(18) === MAP_MODE_BYTES;
  const isPositive = [32, 36, 40, 44, 49, 53].every((at) => drawing.readInt32LE(at) > 0);
  return isFramed && drawing.readUInt32LE(12) === 0 && hasMapMode && isPositive;
}

function isSound(record: Buffer, state: State): boolean {
  const type = record.readUInt16LE(0);
  const known = RECORDS.get(type);
  if (known === undefined || record.readUInt16LE(2) !== known.version) return false;
  const content = new Content(record.subarray(2 + FRAME_BYTES));
  if (type === PUSH || type === POP) state.pushed += type === PUSH ? 1 : -1;
  if (state.pushed < 0 || state.pushed > MAX_PUSHED) return false;
  return known.check(content, state) && content.left() === 0;
}
