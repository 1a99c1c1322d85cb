/** @jsxRuntime automatic @jsxImportSource #markup */
/** A table with a limited number of rows, which gives the number of the others. */

import { type Markup, NOTHING } from '../../service/server/markup/jsx-runtime.ts';
import { table } from '../../service/server/report-page/elements.tsx';
import type { DeskWords } from '../desk-words.ts';
import { fitting } from './weight.ts';

/** Rows of a table. */
export const [ROWS, FEW_ROWS] = [80, 30];

/** Returns lines, one below the other in a cell of a table. */
export const stacked = (lines: readonly Markup[]): Markup => (
  <>
    {lines.map((line, at) => (
      <>
        {at === 0 ? NOTHING : <br />}
        {line}
      </>
    ))}
  </>
);

type Rows = Parameters<typeof table>[1];

/** Returns the weight of a row in a table. */
const rowOf = (cells: Rows[number]): Markup => (
  <>
    {cells.map((cell) => (
      <td class="short">{cell}</td>
    ))}
    <tr></tr>
  </>
);

/** Returns the table, with at most this many rows and about this many bytes. Returns nothing when there are no rows. */
export function limited(
  words: DeskWords,
  columns: readonly string[],
  rows: Rows,
  most: number,
  bytes = Number.POSITIVE_INFINITY,
): Markup {
  const count = fitting(rows.slice(0, most), rowOf, bytes);
  const rest = rows.length - count;
  const shownRows = table(columns, rows.slice(0, count), count);
  return rest > 0 ? (
    <>
      {shownRows}
      <p class="more">
        {rest} {words.moreRows}
      </p>
    </>
  ) : (
    shownRows
  );
}
