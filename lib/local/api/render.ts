/** Shows the answer of a service as a table for people or as JSON for programs. Every word of it is untrusted. */
import { safeText } from '../../pipeline/safe-text.ts';
import type { Console } from '../console.ts';
import { writeLine } from '../console.ts';
import { type Paint, painterFor } from '../paint.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Longer values are cut in tables; `--json` has them whole. */
const MAX_CELL_LENGTH = 64;
const MAX_COLUMNS = 8;

/** Aligned rows under their column names, or a sentence when there are no rows. */
export function tableLines(rows: readonly Row[], columns: readonly string[], paint: Paint, empty: string): string[] {
  if (rows.length === 0) return [empty];
  const cells = rows.map((row) => columns.map((column) => cellText(row[column])));
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const padded = (line: readonly string[]) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0));
  const colored = (line: readonly string[]) => padded(line).map((cell) => levelColor(paint, cell));
  const heading = paint('dim', padded(columns).join('  ').trimEnd());
  return [heading, ...cells.map((line) => colored(line).join('  ').trimEnd())];
}

/** Returns the columns of a table without chosen columns: those with short values, in the order of the answer. */
export function columnsOf(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.filter((name) => rows.some((row) => cellText(row[name]) !== '')).slice(0, MAX_COLUMNS);
}

/** Returns an object as `name value` lines, nested objects indented below their name. */
export function factLines(value: Row, indent = '  '): string[] {
  const width = Math.max(0, ...Object.keys(value).map((name) => name.length));
  return Object.entries(value).flatMap(([name, inner]) => {
    const label = `${indent}${safeText(name, 40).padEnd(Math.min(width, 28))}`;
    if (isRow(inner)) return [label.trimEnd(), ...factLines(inner, `${indent}  `)];
    if (Array.isArray(inner) && inner.some(isRow)) {
      return [
        label.trimEnd(),
        ...inner.flatMap((item) => [`${indent}  -`, ...factLines(asRow(item), `${indent}    `)]),
      ];
    }
    const text = cellText(inner, 400);
    return text === '' ? [] : [`${label}  ${text}`];
  });
}

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const asRow = (value: unknown): Row => (isRow(value) ? value : { value });

/** Returns a value in one line. Null is empty, and an object is JSON. */
function cellText(value: unknown, maxLength = MAX_CELL_LENGTH): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return safeText(value.map((item) => (isRow(item) ? itemText(item) : String(item))).join(', '), maxLength);
  if (typeof value === 'object') return safeText(JSON.stringify(value), maxLength);
  return safeText(String(value), maxLength);
}

/** Tags and reports: the objects that occur in the lists of a table. */
function itemText(item: Row): string {
  if (typeof item.type === 'string' && typeof item.status === 'string') return `${item.type} ${item.status}`;
  if (typeof item.type === 'string' && typeof item.value === 'string') return `${item.type}:${item.value}`;
  return JSON.stringify(item);
}

function levelColor(paint: Paint, cell: string): string {
  const word = cell.trim();
  if (word === 'malicious') return paint('red', cell);
  if (word === 'suspicious') return paint('yellow', cell);
  return word === 'benign' ? paint('green', cell) : cell;
}

/** Prints lines for people. */
export async function printLines(console: Console, lines: (paint: Paint) => readonly string[]): Promise<void> {
  for (const line of lines(painterFor(console))) await writeLine(console.stdout, line);
}
