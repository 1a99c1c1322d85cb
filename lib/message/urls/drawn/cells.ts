/** Puts the coloured cells of a page together to drawings. */
import { LEAST_MODULES, MAX_SQUARES, type Squares } from './drawing.ts';

/** An empty element. */
export interface Cell {
  readonly isDark: boolean;
  /** How many columns it takes, or how wide it is in pixels. */
  readonly span: number;
}

const widthOf = (row: readonly Cell[]) => row.reduce((sum, { span }) => sum + span, 0);

/** Returns the drawings. Rows of one width that follow each other are one. */
export function* cellDrawings(rows: readonly Cell[][]): Generator<Squares> {
  let block: Cell[][] = [];
  let blockWidth = 0;
  for (const row of [...rows.flatMap(broken), []]) {
    const width = widthOf(row);
    if (width === blockWidth && block.length < MAX_SQUARES) {
      block.push(row);
      continue;
    }
    if (block.length >= LEAST_MODULES) yield* squaresOf(block, blockWidth);
    [block, blockWidth] = [[row], width];
  }
}

/** A row with a square number of cells is one that style breaks into rows. */
function broken(row: Cell[]): Cell[][] {
  const side = Math.sqrt(row.length);
  if (!Number.isInteger(side) || side < LEAST_MODULES) return [row];
  return Array.from({ length: side }, (_, y) => row.slice(y * side, (y + 1) * side));
}

function* squaresOf(rows: readonly Cell[][], total: number): Generator<Squares> {
  const cells = rows.flat();
  const unit = cells.reduce((least, { span }) => Math.min(least, span), MAX_SQUARES);
  const width = Math.round(total / unit);
  if (width < LEAST_MODULES || width > MAX_SQUARES) return;
  yield rows.map((row) => {
    const squares = new Uint8Array(width);
    let x = 0;
    for (const { isDark, span } of row) {
      const end = x + span / unit;
      if (isDark) squares.fill(1, Math.round(x), Math.round(end));
      x = end;
    }
    return squares;
  });
}
