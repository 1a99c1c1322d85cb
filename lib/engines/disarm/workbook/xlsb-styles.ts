/** The formats of a binary workbook ([MS-XLSB] 2.1.7.51). */
import { type Biff12Record, wideString } from '../../../formats/office/biff12-records.ts';
import type { Borders, Color, Fill, Font, Format, Line, Styles } from './book.ts';

/** Records by number ([MS-XLSB] 2.3.1). */
const RECORD = {
  font: 43,
  numberFormat: 44,
  fill: 45,
  border: 46,
  format: 47,
  beginCellFormats: 617,
  endCellFormats: 618,
};
const PATTERNS =
  'none solid mediumGray darkGray lightGray darkHorizontal darkVertical darkDown darkUp darkGrid darkTrellis lightHorizontal lightVertical lightDown lightUp lightGrid lightTrellis gray125 gray0625'.split(
    ' ',
  );
const LINES =
  'none thin medium dashed dotted thick double hair mediumDashed dashDot mediumDashDot dashDotDot mediumDashDotDot slantDashDot'.split(
    ' ',
  );
const HORIZONTAL = ['', 'left', 'center', 'right', 'fill', 'justify', 'centerContinuous', 'distributed'];
const VERTICAL = ['top', 'center', 'bottom', 'justify', 'distributed'];
const COLOR_BYTES = 8;
const LINE_BYTES = 2 + COLOR_BYTES;

/** Reads the part with the formats. A part that is cut off keeps zeros, so that the numbers of later formats stay right. */
export function readStyles(records: Iterable<Biff12Record>): Styles {
  const numberFormats = new Map<number, string>();
  const styles = {
    numberFormats,
    fonts: [] as Font[],
    fills: [] as Fill[],
    borders: [] as Borders[],
    formats: [] as Format[],
  };
  let isOfCells = false;
  for (const { type, data } of records) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (type === RECORD.beginCellFormats) isOfCells = true;
    if (type === RECORD.endCellFormats) isOfCells = false;
    if (type === RECORD.numberFormat && data.length >= 2)
      numberFormats.set(view.getUint16(0, true), wideString(data, 2)?.text ?? 'General');
    if (type === RECORD.font) styles.fonts.push(fontOf(padded(data, 21), data));
    if (type === RECORD.fill) styles.fills.push(fillOf(padded(data, 20)));
    if (type === RECORD.border) styles.borders.push(bordersOf(padded(data, 41)));
    if (type === RECORD.format && isOfCells) styles.formats.push(formatOf(padded(data, 16)));
  }
  return styles;
}

/** Returns at least this many bytes of a record. */
function padded(data: Uint8Array, length: number): DataView {
  const bytes = Buffer.alloc(Math.max(length, data.length));
  bytes.set(data);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads a record of [MS-XLSB] 2.5.11. */
function colorAt(view: DataView, at: number): Color | null {
  const kind = view.getUint8(at) >> 1;
  const index = view.getUint8(at + 1);
  const tint = Math.round((view.getInt16(at + 2, true) / 32_767) * 1e4) / 1e4;
  if (kind === 1) return { by: 'indexed', index, tint };
  if (kind === 3) return { by: 'theme', index, tint };
  if (kind !== 2) return null;
  const hex = (offset: number) =>
    view
      .getUint8(at + offset)
      .toString(16)
      .padStart(2, '0')
      .toUpperCase();
  return { by: 'rgb', argb: `${hex(7)}${hex(4)}${hex(5)}${hex(6)}` };
}

/** Reads a record of [MS-XLSB] 2.4.665. */
function fontOf(view: DataView, data: Uint8Array): Font {
  const flags = view.getUint16(2, true);
  const position = view.getUint16(6, true);
  const underline = view.getUint8(8) & 0x0f;
  return {
    name: wideString(data, 21)?.text ?? '',
    size: view.getUint16(0, true) / 20,
    isBold: view.getUint16(4, true) >= 600,
    isItalic: (flags & 0x02) !== 0,
    isStruck: (flags & 0x08) !== 0,
    underline: underline === 0 ? null : underline === 2 ? 'double' : 'single',
    position: position === 1 ? 'superscript' : position === 2 ? 'subscript' : null,
    color: colorAt(view, 12),
  };
}

/** Reads a record of [MS-XLSB] 2.4.663. A gradient shows no pattern. */
function fillOf(view: DataView): Fill {
  return {
    pattern: PATTERNS[view.getUint32(0, true)] ?? 'none',
    foreground: colorAt(view, 4),
    background: colorAt(view, 4 + COLOR_BYTES),
  };
}

/** Reads a record of [MS-XLSB] 2.4.305: top, bottom, left, right after a byte of flags. */
function bordersOf(view: DataView): Borders {
  const line = (place: number): Line | null => {
    const at = 1 + place * LINE_BYTES;
    const style = LINES[view.getUint8(at)];
    return style === undefined || style === 'none' ? null : { style, color: colorAt(view, at + 2) };
  };
  return { top: line(0), bottom: line(1), left: line(2), right: line(3) };
}

/** Reads a record of [MS-XLSB] 2.4.824. */
function formatOf(view: DataView): Format {
  const alignment = view.getUint8(12);
  return {
    numberFormat: view.getUint16(2, true),
    font: view.getUint16(4, true),
    fill: view.getUint16(6, true),
    border: view.getUint16(8, true),
    rotation: view.getUint8(10),
    indent: view.getUint8(11),
    horizontal: HORIZONTAL[alignment & 0x07] || null,
    vertical: VERTICAL[(alignment >> 3) & 0x07] ?? null,
    isWrapped: (alignment & 0x40) !== 0,
  };
}
