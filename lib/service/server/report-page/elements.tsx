/** @jsxRuntime automatic @jsxImportSource #markup */
/** The elements of a report page: headings, tables, badges, and the line that says how much is not shown. */

import type { ThreatLevel } from '../../contract/common.ts';
import { type Markup, NOTHING } from '../markup/jsx-runtime.ts';
import { ownText } from '../markup/values.ts';

type Cell = string | number | Markup;

/** Returns a section with its heading; nothing when it would be empty. */
export const section = (title: string, ...parts: readonly Markup[]): Markup =>
  parts.every(({ isEmpty }) => isEmpty) ? (
    NOTHING
  ) : (
    <section>
      <h2>{title}</h2>
      {parts}
    </section>
  );

/** Returns a part of a section with its own heading; nothing when it would be empty. */
export const part = (title: string, ...parts: readonly Markup[]): Markup =>
  parts.every(({ isEmpty }) => isEmpty) ? (
    NOTHING
  ) : (
    <>
      <h3>{title}</h3>
      {parts}
    </>
  );

/** Returns names and values. A value that is null is left out. */
export function facts(rows: readonly (readonly [string, Cell | null])[]): Markup {
  const known = rows.filter((row): row is readonly [string, Cell] => row[1] !== null && row[1] !== '');
  if (known.length === 0) return NOTHING;
  return (
    <table class="facts">
      <tbody>
        {known.map(([name, value]) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Columns whose short words are not broken. Long cells are broken: a script can write a method of a thousand letters. */
const SHORT_CHARS = 24;
const SHORT = new Set(['Status', 'Level', 'Score', 'Time', 'At', 'What', 'Type', 'Size', 'Method', 'Was', 'Technique']);

/** Returns a table of at most `max` rows; nothing when there are none. `total` counts all rows, also those that were not stored. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  max: number,
  total = rows.length,
): Markup {
  if (rows.length === 0) return NOTHING;
  const body = rows
    .slice(0, max)
    .map((cells) => (
      <tr>
        {cells.map((cell, at) => (isShort(columns[at] ?? '', cell) ? <td class="short">{cell}</td> : <td>{cell}</td>))}
      </tr>
    ));
  return (
    <>
      {tableOf(columns, body)}
      {more(Math.min(rows.length, max), total)}
    </>
  );
}

/** Returns a table of rows that are made on demand. */
export const tableOf = (columns: readonly string[], rows: readonly Markup[]): Markup => (
  <table>
    <thead>
      <tr>
        {columns.map((name) => (
          <th scope="col">{name}</th>
        ))}
      </tr>
    </thead>
    <tbody>{rows}</tbody>
  </table>
);

const isShort = (column: string, cell: Cell) =>
  SHORT.has(column) && (typeof cell !== 'string' || cell.length <= SHORT_CHARS);

/** Says how much of a list is not on the page. */
export const more = (shownCount: number, total: number): Markup =>
  total > shownCount ? (
    <p class="more">
      {shownCount} of {total} are shown. The API of the service returns all of them.
    </p>
  ) : (
    NOTHING
  );

/** Returns a level as a coloured word. An unknown level never looks like a harmless one. */
export const badge = (level: ThreatLevel): Markup => levelBadge(level, level);

/** Does the same in the words of a page that is not in English. */
export const levelBadge = (level: ThreatLevel, word: string): Markup => (
  <b class={`badge ${LEVEL_CLASSES[level]}`}>{word}</b>
);

/** The label of a finding that alone is no sign of harm, such as a macro that starts with its document. Nobody may read it as a verdict. */
export const NOTED: Markup = <b class="badge unknown">noted</b>;

/** Every class is listed here, so that no value from the storage becomes a class. */
const LEVEL_CLASSES: Readonly<Record<ThreatLevel, ThreatLevel>> = {
  malicious: 'malicious',
  suspicious: 'suspicious',
  benign: 'benign',
  unknown: 'unknown',
};

/** Returns a score of 100 as a bar with its number. */
export function scoreBar(score: number): Markup {
  const percent = Math.max(0, Math.min(100, Math.round(score)));
  return (
    <span class="score">
      <svg class="bar" aria-hidden="true" viewBox={ownText('0 0 100 1')} preserveAspectRatio="none">
        <rect x={0} y={0} width={percent} height={1} />
      </svg>{' '}
      {percent}/100
    </span>
  );
}

export const code = (untrustedText: string | Markup): Markup => <code>{untrustedText}</code>;

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

/** Returns a size for a person. */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1_024)));
  const value = bytes / 1_024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

/** Returns a time for a person, to the second, in UTC. */
export const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
