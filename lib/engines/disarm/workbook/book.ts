/**
 * A workbook with the visible content of its sheets: values, formats, sizes and links. Readers of other formats fill it, and write-book.ts
 * writes it as xlsx.
 */
import { EngineError } from '../../engine.ts';

export interface Book {
  readonly sheets: readonly Sheet[];
  readonly styles: Styles;
  /** Whether days are counted from 1904. */
  readonly is1904: boolean;
}

export interface Sheet {
  readonly name: string;
  readonly state: 'visible' | 'hidden' | 'veryHidden';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly merges: readonly Area[];
  readonly links: readonly Link[];
  readonly comments: readonly Comment[];
  /** Rows and columns that stay in view. */
  readonly frozen: { readonly rows: number; readonly columns: number } | null;
}

/** Columns and rows are counted from 0. */
export interface Column {
  readonly first: number;
  readonly last: number;
  /** In characters; null for the usual one. */
  readonly width: number | null;
  readonly isHidden: boolean;
  readonly format: number | null;
}

export interface Row {
  readonly index: number;
  /** In points; null when it fits its content. */
  readonly height: number | null;
  readonly isHidden: boolean;
  readonly cells: readonly Cell[];
}

export interface Cell {
  readonly column: number;
  /** Index into the formats of the book; null for none. */
  readonly format: number | null;
  /** A number, a text, a truth value, an error such as `#REF!`; null for an empty cell. */
  readonly value: number | string | boolean | ErrorValue | null;
  /** The formula with this last value, in the form of xlsx and without its equals sign. @default it is a value */
  readonly formula?: string;
}

export class ErrorValue {
  constructor(readonly code: string) {}
}

/** The errors of cells by their number in the records of Excel, of all versions ([MS-XLS] 2.5.10). */
export const CELL_ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

export interface Area {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

export interface Link extends Area {
  /** An address outside of the workbook; null for a place in it. Untrusted. */
  readonly target: string | null;
  /** A place in the workbook or in the target: `Sheet2!A1`. */
  readonly location: string | null;
}

export interface Comment {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

export interface Styles {
  /** Codes of number formats by number. Numbers below 164 have a fixed meaning. */
  readonly numberFormats: ReadonlyMap<number, string>;
  readonly fonts: readonly Font[];
  readonly fills: readonly Fill[];
  readonly borders: readonly Borders[];
  readonly formats: readonly Format[];
}

export type Color =
  | { readonly by: 'rgb'; readonly argb: string }
  | { readonly by: 'indexed' | 'theme'; readonly index: number; readonly tint: number };

export interface Font {
  readonly name: string;
  /** In points. */
  readonly size: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isStruck: boolean;
  readonly underline: 'single' | 'double' | null;
  readonly position: 'superscript' | 'subscript' | null;
  readonly color: Color | null;
}

/** The font of Excel for a workbook without one. */
export const DEFAULT_FONT: Font = {
  name: 'Calibri',
  size: 11,
  isBold: false,
  isItalic: false,
  isStruck: false,
  underline: null,
  position: null,
  color: null,
};

export interface Fill {
  /** A name of ECMA-376 part 1, 18.18.55. */
  readonly pattern: string;
  readonly foreground: Color | null;
  readonly background: Color | null;
}

export interface Line {
  /** A name of ECMA-376 part 1, 18.18.3. */
  readonly style: string;
  readonly color: Color | null;
}

export interface Borders {
  readonly left: Line | null;
  readonly right: Line | null;
  readonly top: Line | null;
  readonly bottom: Line | null;
}

export interface Format {
  readonly numberFormat: number;
  readonly font: number;
  readonly fill: number;
  readonly border: number;
  readonly horizontal: string | null;
  readonly vertical: string | null;
  readonly isWrapped: boolean;
  readonly indent: number;
  /** In degrees, as the attribute textRotation has it: 0 to 180, and 255 for stacked letters. */
  readonly rotation: number;
}

/** The most cells of one workbook. A few bytes can mean many cells, and each takes a hundred bytes in memory. */
const MAX_CELLS = 5_000_000;

/** Counts the cells of a workbook while it is read. */
export class CellCount {
  private cells = 0;

  constructor(private readonly most = MAX_CELLS) {}

  /** Throws EngineError `oversize`. */
  add(): void {
    this.cells += 1;
    if (this.cells > this.most) throw new EngineError('oversize', `the workbook has more than ${this.most} cells`);
  }
}

/** The most rows and columns of a sheet in Excel. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;

/** Returns the format of the column of a cell; null for none. The columns are in order. */
export function formatOfColumn(columns: readonly Column[], place: number): number | null {
  let [from, to] = [0, columns.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((columns[middle]?.last ?? 0) < place) from = middle + 1;
    else to = middle;
  }
  const column = columns[from];
  return column !== undefined && column.first <= place ? column.format : null;
}

/** Returns the letters of a column: 0 is A. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(0x41 + ((rest - 1) % 26)) + name;
  return name;
}

/** Returns the name of an area: `A1`, `A1:B2`. */
export function areaName({ firstRow, lastRow, firstColumn, lastColumn }: Area): string {
  const first = `${columnName(firstColumn)}${firstRow + 1}`;
  const last = `${columnName(lastColumn)}${lastRow + 1}`;
  return first === last ? first : `${first}:${last}`;
}
