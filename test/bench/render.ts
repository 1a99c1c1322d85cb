/** Figures and tables as text for a terminal. Plain text columns, so that the output can be pasted anywhere. */
import { type Cell, type Figure, isMissed, type Measured, type Quantity, type Table } from './figure.ts';

const FIGURE_COLUMNS = ['figure', 'measured', 'target', '', 'against, in the same run'];
const NOTE_WIDTH = 110;

/** One part of the bench, ready to print. */
export function renderPart(title: string, measured: Measured): string {
  const figures: Table = { title: '', columns: FIGURE_COLUMNS, rows: measured.figures.map(figureRow) };
  const tables = measured.tables.map((table) => `${table.title}\n${renderTable(table)}`);
  const notes = measured.notes.map((note) => wrapped(note));
  const blocks = [`${title}\n${'='.repeat(title.length)}`, renderTable(figures), ...tables, notes.join('\n')];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function figureRow(figure: Figure): Cell[] {
  const { measured, atMost, baselines } = figure;
  const target = atMost === null ? '' : `<= ${formatted({ value: atMost, unit: measured.unit })}`;
  const mark = atMost === null ? '' : isMissed(figure) ? 'MISSED' : 'ok';
  const ratios = baselines.map(({ name, value }) => {
    const ratio = formatted({ value: measured.value / value, unit: 'x' });
    return `${ratio} ${name} (${formatted({ value, unit: measured.unit })})`;
  });
  return [figure.name, measured, target, mark, ratios.join(', ')];
}

function renderTable({ columns, rows }: Table): string {
  const texts = [columns, ...rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : formatted(cell))))];
  const widths = columns.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const isNumeric = columns.map((_, column) => rows.some((row) => typeof row[column] === 'object'));
  const lines = texts.map((row) =>
    row
      .map((text, column) => {
        const width = widths[column] ?? 0;
        return isNumeric[column] ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [lines[0], rule, ...lines.slice(1)].map((line) => `  ${line}`).join('\n');
}

/** A quantity with its unit, in as many digits as mean something. */
export function formatted({ value, unit }: Quantity): string {
  switch (unit) {
    case '$':
      return `$${value < 100 ? value.toFixed(value < 10 ? 2 : 1) : digits(value)}`;
    case 'x':
      return `${digits(value)}x`;
    case '/s':
      return `${digits(value)}/s`;
    case 'count':
      return Number.isInteger(value) ? String(value) : value.toFixed(1);
    case 'bytes':
      return `${value.toLocaleString('en-US')} B`;
    default:
      return `${digits(value)} ${unit}`;
  }
}

/** Three significant digits; whole numbers stay whole and have their thousands marked. */
function digits(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US');
  if (value >= 10) return value.toFixed(1);
  return value < 0.1 ? value.toFixed(3) : value.toFixed(2);
}

function wrapped(note: string): string {
  const lines: string[] = [];
  let line = '  -';
  for (const word of note.split(' ')) {
    if (line.length + word.length + 1 > NOTE_WIDTH) {
      lines.push(line);
      line = '   ';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}
