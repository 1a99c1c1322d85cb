/** A workbook as its macros see it: sheets with cells, and defined names. The readers of both formats make one. */
import type { CellRef, Expression } from './expression.ts';

export type Value = string | number | boolean | null;

export interface Cell {
  /** Null for a cell with a value only. */
  readonly formula: Expression | null;
  /** The known value, which is the last calculated one; null for none. */
  readonly value: Value;
}

export interface Sheet {
  readonly name: string;
  /** True for a sheet of macros. Its formulas run one below the other. */
  isMacro: boolean;
  readonly cells: Map<number, Cell>;
}

export interface MacroBook {
  readonly sheets: readonly Sheet[];
  /** Defined names in lower case. */
  readonly names: ReadonlyMap<string, Expression>;
}

/** The most cells of one workbook. Stops tables of millions of rows, which are no macros. */
export const MAX_CELLS = 300_000;

const COLUMNS = 16_384;
export const keyOf = ({ row, column }: Pick<CellRef, 'row' | 'column'>): number => row * COLUMNS + column;
export const placeOf = (key: number) => ({ row: Math.floor(key / COLUMNS), column: key % COLUMNS });
