/** Finds the cells to which expressions refer: by place, by name, by a text, and by the functions that make references. */
import { type CellRef, type Expression, parseCell } from './expression.ts';
import { MAX_TEXT } from './functions-of-values.ts';
import type { MacroBook, Sheet, Value } from './macro-book.ts';

/** The most cells of a rectangle that are read or written. */
const MAX_RANGE = 4_000;

/** A cell of a sheet. */
export interface Place {
  readonly sheet: Sheet;
  readonly row: number;
  readonly column: number;
}

export abstract class References {
  protected readonly sheets: Map<string, Sheet>;
  protected readonly names: Map<string, Expression>;

  constructor(protected readonly book: MacroBook) {
    this.sheets = new Map(book.sheets.map((sheet) => [sheet.name.toLowerCase(), sheet]));
    this.names = new Map(book.names);
  }

  /** The value of an expression in a formula of the cell `at`. */
  protected abstract value(expression: Expression, at: Place, depth: number): Value;

  protected placesOf(expression: Expression | undefined, at: Place): Place[] {
    if (expression === undefined) return [];
    if (expression.kind !== 'range') {
      const place =
        this.placeOfExpression(expression, at.sheet, at) ?? this.placeOfText(this.value(expression, at, 0), at);
      return place === null ? [] : [place];
    }
    const [from, to] = [
      this.placeOf(expression.from, at.sheet, at),
      this.placeOf({ ...expression.to, sheet: expression.from.sheet }, at.sheet, at),
    ];
    const places: Place[] = [];
    if (from === null || to === null) return places;
    for (let row = from.row; row <= to.row; row++)
      for (let column = from.column; column <= to.column; column++) {
        if (places.length >= MAX_RANGE) return places;
        places.push({ sheet: from.sheet, row, column });
      }
    return places;
  }

  /** Returns the place of a reference, or null for a missing sheet, and outside of a sheet. */
  protected placeOf(cell: CellRef, otherwise: Sheet, from?: Place): Place | null {
    const sheet = cell.sheet === null ? otherwise : this.sheets.get(cell.sheet.toLowerCase());
    if (sheet === undefined) return null;
    const row = cell.isRowRelative ? (from?.row ?? 0) + cell.row : cell.row;
    const column = cell.isColumnRelative ? (from?.column ?? 0) + cell.column : cell.column;
    return row < 0 || column < 0 || !Number.isInteger(row + column) ? null : { sheet, row, column };
  }

  /** Returns the place to which an expression refers, or null for one that is no reference. */
  protected placeOfExpression(expression: Expression, otherwise: Sheet, from?: Place): Place | null {
    const at = from ?? { sheet: otherwise, row: 0, column: 0 };
    if (expression.kind === 'cell') return this.placeOf(expression.cell, otherwise, from);
    if (expression.kind === 'range') return this.placeOf(expression.from, otherwise, from);
    if (expression.kind === 'name') {
      const target = this.names.get(expression.name);
      return target === undefined || target.kind === 'name' ? null : this.placeOfExpression(target, otherwise, from);
    }
    if (expression.kind !== 'call') return null;
    const [first, second, third] = expression.args;
    if (first === undefined) return null;
    if (expression.name === 'INDIRECT' || expression.name === 'TEXTREF')
      return this.placeOfText(this.value(first, at, 0), at);
    if (expression.name !== 'OFFSET' && expression.name !== 'INDEX') return null;
    const base = this.placeOfExpression(first, otherwise, from);
    const by = (arg: Expression | undefined) => (arg === undefined ? 0 : Number(this.value(arg, at, 0) ?? Number.NaN));
    const less = expression.name === 'INDEX' ? 1 : 0;
    if (base === null) return null;
    const [row, column] = [base.row + by(second) - less, base.column + by(third) - (third === undefined ? 0 : less)];
    return row >= 0 && column >= 0 ? { sheet: base.sheet, row, column } : null;
  }

  protected placeOfText(value: Value, at: Place): Place | null {
    if (typeof value !== 'string' || value.length > MAX_TEXT) return null;
    const name = this.names.get(value.toLowerCase());
    if (name !== undefined && name.kind !== 'name') return this.placeOfExpression(name, at.sheet, at);
    const cell = parseCell(value);
    return cell === null ? null : this.placeOf(cell, at.sheet, at);
  }
}
