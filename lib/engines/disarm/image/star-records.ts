/**
 * The records of a StarView metafile (VCLMTF), as OpenOffice and LibreOffice store the picture of a chart or a formula beside it. No
 * specification of it is published. Each record and each structure states its length, so unknown ones can be skipped.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Points of lines and Bézier curves. `flags` says which points are controls; null when none is. */
export interface Polygon {
  readonly points: readonly Point[];
  readonly flags: Uint8Array | null;
}

/** A flag of a point that directs a curve. */
export const CONTROL = 2;

/** Reads numbers, low byte first. Throws RangeError after the end. */
export class StarReader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    return this.view.getUint8(this.step(1));
  }

  short(): number {
    return this.view.getUint16(this.step(2), true);
  }

  signedShort(): number {
    return this.view.getInt16(this.step(2), true);
  }

  int(): number {
    return this.view.getInt32(this.step(4), true);
  }

  word(): number {
    return this.view.getUint32(this.step(4), true);
  }

  /** Returns the next bytes. */
  take(length: number): Uint8Array {
    const from = this.step(length);
    return this.bytes.subarray(from, from + length);
  }

  /** Returns a structure that states its version and its length. */
  part(): { readonly version: number; readonly body: StarReader } {
    const version = this.short();
    return { version, body: new StarReader(this.take(this.word())) };
  }

  point(): Point {
    return { x: this.int(), y: this.int() };
  }

  /** Reads a text of one byte per character. ASCII is enough, because newer records repeat the text. */
  narrowText(): string {
    return Buffer.from(this.take(this.short())).toString('latin1');
  }

  /** Reads a text after its length in four bytes, as in files whose fonts are for Unicode. */
  longText(): string {
    return Buffer.from(this.take(this.word() * 2)).toString('utf16le');
  }

  wideText(): string {
    return Buffer.from(this.take(this.short() * 2)).toString('utf16le');
  }

  polygon(): Polygon {
    return { points: this.points(), flags: null };
  }

  /** Reads a polygon. Its points may have flags. */
  flaggedPolygon(): Polygon {
    const { body } = this.part();
    const points = body.points();
    return { points, flags: body.byte() === 0 ? null : body.take(points.length) };
  }

  polygons(): Polygon[] {
    return Array.from({ length: this.short() }, () => this.polygon());
  }

  private points(): Point[] {
    const count = this.short();
    if (count * 8 > this.left) throw new RangeError('points behind the end');
    return Array.from({ length: count }, () => this.point());
  }

  private step(length: number): number {
    const from = this.at;
    if (from + length > this.bytes.length) throw new RangeError('a record behind the end');
    this.at += length;
    return from;
  }
}

/** The unit of coordinates, the point at their origin, and their scale. */
export interface MapMode {
  readonly unit: number;
  readonly origin: Point;
  readonly scale: Point;
}

const NO_SCALE: Point = { x: 1, y: 1 };

export function readMapMode(reader: StarReader): MapMode {
  const { body } = reader.part();
  const unit = body.short();
  const origin = body.point();
  const fraction = () => body.int() / body.int();
  const scale = { x: fraction(), y: fraction() };
  const isSimple = body.byte() !== 0;
  const isUseless = !(scale.x > 0 && scale.y > 0 && Number.isFinite(scale.x * scale.y));
  return isSimple || isUseless ? { unit, origin: { x: 0, y: 0 }, scale: NO_SCALE } : { unit, origin, scale };
}

/** The look of a line. */
export interface Line {
  /** False for a line that is not drawn. */
  readonly isDrawn: boolean;
  readonly width: number;
  /** Lengths of strokes and gaps in turn; empty for a line without gaps. */
  readonly dashes: readonly number[];
}

const DASHED = 2;
const MAX_DASHES = 10;

export function readLine(reader: StarReader): Line {
  const { version, body } = reader.part();
  const style = body.short();
  const width = body.int();
  const dashes: number[] = [];
  if (version >= 2 && style === DASHED) {
    const counts = [
      [body.short(), body.int()],
      [body.short(), body.int()],
    ] as const;
    const gap = body.int();
    for (const [count, length] of counts)
      for (let index = 0; index < Math.min(count, MAX_DASHES); index++)
        dashes.push(Math.max(length, 1), Math.max(gap, 1));
  }
  return { isDrawn: style !== 0, width: Math.max(width, 0), dashes };
}

export interface StarFont {
  readonly family: string;
  readonly height: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  /** Tenths of a degree, against the clock. */
  readonly angle: number;
  /** Whether texts in this font are stored in UTF-16. */
  readonly isWide: boolean;
}

/** The charset of such fonts. */
const UNICODE = 0xffff;

/** The weight that programs call bold, on their scale of 0 to 10. */
const BOLD = 8;

export function readFont(reader: StarReader): StarFont {
  const { body } = reader.part();
  const family = body.narrowText();
  body.narrowText();
  const { y: height } = body.point();
  const isWide = body.short() === UNICODE;
  body.take(4);
  const weight = body.short();
  body.take(4);
  const slant = body.short();
  body.take(4);
  const angle = body.signedShort();
  return { family, height: Math.abs(height), isBold: weight >= BOLD, isItalic: slant !== 0, angle, isWide };
}
