/** The state with which records of a StarView metafile draw: colours, the font, and the meaning of coordinates. */
import type { MapMode, Point, StarFont, StarReader } from './star-records.ts';

/** Hundredths of a millimetre in each unit of a map mode: millimetres, inches, points, twips, pixels. */
const UNITS = [1, 10, 100, 1000, 2.54, 25.4, 254, 2540, 2540 / 72, 2540 / 1440, 2540 / 96];
const RELATIVE = 13;

/** Records by number. */
export const RECORD = {
  line: 102,
  rectangle: 103,
  roundRectangle: 104,
  ellipse: 105,
  polyline: 109,
  polygon: 110,
  polygons: 111,
  text: 112,
  textArray: 113,
  stretchedText: 114,
  gradientOfPolygons: 148,
  lineColor: 132,
  fillColor: 133,
  textColor: 134,
  textAlign: 136,
  mapMode: 137,
  font: 138,
  push: 139,
  pop: 140,
  transparent: 142,
} as const;

/** The bits of a record that saves the state. They say which parts of it are restored. */
export const KEPT = { lineColor: 1, fillColor: 2, font: 4, textColor: 8, map: 16, align: 256 } as const;

export interface Mapping {
  readonly scale: Point;
  readonly shift: Point;
}

export interface State {
  lineColor: Colour | null;
  fillColor: Colour | null;
  textColor: Colour;
  font: StarFont;
  align: number;
  map: Mapping;
}

export interface Colour {
  readonly hex: string;
  readonly opacity: number;
}

export const BLACK: Colour = { hex: '#000000', opacity: 1 };
export const FONT: StarFont = { family: '', height: 353, isBold: false, isItalic: false, angle: 0, isWide: false };
/** A line without a width is drawn as wide as a dot of a screen. */
const HAIRLINE = 20;

/** Writes a number of the drawing, in hundredths. */
export const number = (value: number) => String(Math.round(value * 100) / 100);

/** Converts coordinates of a map mode to hundredths of a millimetre. A relative mode builds on the one before it. */
export function mapOf({ unit, origin, scale }: MapMode, before: Mapping | null): Mapping {
  const base = unit === RELATIVE && before !== null ? before : null;
  const one = UNITS[unit] ?? 1;
  const by = { x: (base?.scale.x ?? one) * scale.x, y: (base?.scale.y ?? one) * scale.y };
  return { scale: by, shift: { x: origin.x * by.x + (base?.shift.x ?? 0), y: origin.y * by.y + (base?.shift.y ?? 0) } };
}

/** Returns the colour of a record that can also switch it off. */
export function optionalColour(body: StarReader): Colour | null {
  const colour = colourOf(body.word());
  return body.byte() === 0 ? null : colour;
}

/** Transparency, red, green and blue. */
export function colourOf(value: number): Colour {
  const hex = `#${(value & 0xff_ffff).toString(16).padStart(6, '0')}`;
  return { hex, opacity: 1 - (value >>> 24) / 255 };
}

/** Returns the attributes of SVG for a line of this colour and width. */
export function strokeOf({ hex, opacity }: Colour, width: number): string {
  const alpha = opacity < 1 ? ` stroke-opacity="${number(opacity)}"` : '';
  return ` stroke="${hex}"${alpha} stroke-width="${number(width > 0 ? width : HAIRLINE)}"`;
}
