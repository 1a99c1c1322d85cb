/**
 * A page of the runs that have some facts, newest first, from the index in a SQLite file. It reads a bounded amount for any number of runs.
 */
import type { RunPage, RunQuery } from '../../pipeline/ports.ts';
import { placeIn, placeText, type RunPlace } from '../../pipeline/runs/place.ts';
import type { Fact, RunRow } from '../../pipeline/runs/row.ts';
import { prepared, type Sqlite } from './sqlite.ts';

/**
 * Facts that are frequent, and never occur together. This many runs of the rarest are searched among the runs of the others; then a page
 * ends.
 */
const LOOKED_UP = 2_500;
/** The same. This many runs of each are read side by side, each a fortieth of a look-up; then a page ends. */
const MERGED = 15_000;

/** Reads it. */
export function pageOf(db: Sqlite, query: RunQuery): RunPage {
  const { facts, most } = query;
  const [end, found] = facts.length < 2 ? [null, alongOne(db, facts[0], query)] : alongSeveral(db, facts, query);
  const shown = found.slice(0, most);
  const row = prepared(db, 'SELECT row FROM runs WHERE run = ?');
  const rows = shown.flatMap(({ run }) => rowOf(row.get(run)) ?? []);
  const next = found.length > most ? (shown.at(-1) ?? null) : end;
  return { rows, next: next === null ? null : placeText(next) };
}

/** Returns the row of a run as it is stored; null when there is none. */
export function rowOf(found: unknown): RunRow | null {
  return found ? (JSON.parse((found as { row: string }).row) as RunRow) : null;
}

/** Returns how many runs have a fact, counted up to `most`. */
export function countOf(db: Sqlite, { kind, value }: Fact, most: number, since: number | null = null): number {
  const found = 'SELECT 1 FROM facts WHERE kind = ? AND value = ? AND born >= ? LIMIT ?';
  const count = prepared(db, `SELECT count(*) AS runs FROM (${found})`);
  return (count.get(kind, value, since ?? 0, most) as { runs: number }).runs;
}

const NEWEST_FIRST = 'ORDER BY born DESC, run DESC';

interface Select {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** Returns the runs of one fact, or all of them, down to a place. Not sorted. */
function runsOf(fact: Fact | undefined, { since, until, after }: RunQuery, end: RunPlace | null = null): Select {
  const conditions: readonly Select[] = [
    ...(fact ? [{ sql: 'kind = ? AND value = ?', values: [fact.kind, fact.value] }] : []),
    ...(since === null ? [] : [{ sql: 'born >= ?', values: [since] }]),
    ...(until === null ? [] : [{ sql: 'born < ?', values: [until] }]),
    ...(after === null ? [] : [{ sql: '(born, run) < (?, ?)', values: [placeIn(after).born, placeIn(after).run] }]),
    ...(end === null ? [] : [{ sql: '(born, run) >= (?, ?)', values: [end.born, end.run] }]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  const sql = `SELECT born, run FROM ${fact ? 'facts' : 'runs'} ${where}`;
  return { sql, values: conditions.flatMap(({ values }) => values) };
}

function alongOne(db: Sqlite, fact: Fact | undefined, query: RunQuery): RunPlace[] {
  const { sql, values } = runsOf(fact, query);
  return prepared(db, `${sql} ${NEWEST_FIRST} LIMIT ?`).all(...values, query.most + 1) as RunPlace[];
}

/**
 * Returns the runs that have all of several facts, in the way that comes furthest, from the rarest fact on; and where it ended, null when
 * there are no more.
 */
function alongSeveral(db: Sqlite, facts: readonly Fact[], query: RunQuery): [RunPlace | null, RunPlace[]] {
  const { counted, fewest } = countedOf(db, facts);
  if (fewest === 0) return [null, []];
  if (fewest < LOOKED_UP) return [null, lookUp(db, counted, query)];
  const measured = facts.map((fact) => ({ fact, end: placeOf(db, fact, query, LOOKED_UP) }));
  measured.sort((one, other) => (isNewer(one.end, other.end) ? 1 : -1));
  const sorted = measured.map(({ fact }) => fact);
  const lookedUp = measured[0]?.end ?? null;
  if (lookedUp === null) return [null, lookUp(db, sorted, query)];
  // The page ends where the most frequent of them has been read that far. Null when all of them can be read to their end.
  const ends = sorted.map((fact) => placeOf(db, fact, query, MERGED));
  const merged = ends.reduce((one, other) => (isNewer(other, one) ? other : one), null);
  if (merged !== null && isNewer(merged, lookedUp)) return [lookedUp, lookUp(db, sorted, query)];
  const found = merge(db, sorted, query, merged);
  return [merged !== null && sorted.every((fact) => hasOlder(db, fact, query, merged)) ? merged : null, found];
}

/**
 * Returns the facts, the rarest first, and how many runs it has. No fact is counted further than the rarest before it, and none behind one
 * that no run has.
 */
function countedOf(db: Sqlite, facts: readonly Fact[]): { counted: readonly Fact[]; fewest: number } {
  let fewest = LOOKED_UP;
  const counted = facts.map((fact) => {
    if (fewest > 0) fewest = countOf(db, fact, fewest);
    return { fact, runs: fewest };
  });
  return { counted: counted.sort((one, other) => one.runs - other.runs).map(({ fact }) => fact), fewest };
}

function hasOlder(db: Sqlite, fact: Fact, query: RunQuery, place: RunPlace): boolean {
  const { sql, values } = runsOf(fact, { ...query, after: placeText(place) });
  return prepared(db, `${sql} LIMIT 1`).get(...values) !== undefined;
}

/** Returns true when the first place comes before the second on a page. Null is behind all of them. */
const isNewer = (one: RunPlace | null, other: RunPlace | null): boolean =>
  one !== null && (other === null || one.born > other.born || (one.born === other.born && one.run > other.run));

/** Looks the newest runs of the first fact up among those of the others. */
function lookUp(db: Sqlite, [first, ...others]: readonly Fact[], query: RunQuery): RunPlace[] {
  const { sql, values } = runsOf(first, query);
  const isOther =
    'EXISTS (SELECT 1 FROM facts AS o WHERE o.kind = ? AND o.value = ? AND o.born = f.born AND o.run = f.run)';
  const found = prepared(
    db,
    `SELECT f.born, f.run FROM (${sql} ${NEWEST_FIRST} LIMIT ?) AS f WHERE ${others.map(() => isOther).join(' AND ')}
     ORDER BY f.born DESC, f.run DESC LIMIT ?`,
  );
  const otherValues = others.flatMap(({ kind, value }) => [kind, value]);
  return found.all(...values, LOOKED_UP, ...otherValues, query.most + 1) as RunPlace[];
}

/** Reads the runs of all facts side by side, down to a place: they are sorted alike, so SQLite holds none of them in memory. */
function merge(db: Sqlite, facts: readonly Fact[], query: RunQuery, end: RunPlace | null): RunPlace[] {
  const each = facts.map((fact) => runsOf(fact, query, end));
  const all = each.map(({ sql }) => sql).join(' INTERSECT ');
  const values = each.flatMap((one) => one.values);
  return prepared(db, `${all} ${NEWEST_FIRST} LIMIT ?`).all(...values, query.most + 1) as RunPlace[];
}

/** Returns the place of the run of this number on a page of one fact; null when it is the last one, or there are fewer. */
function placeOf(db: Sqlite, fact: Fact | undefined, query: RunQuery, number: number): RunPlace | null {
  const { sql, values } = runsOf(fact, query);
  const found = prepared(db, `${sql} ${NEWEST_FIRST} LIMIT 2 OFFSET ?`).all(...values, number - 1) as RunPlace[];
  return found.length < 2 ? null : (found[0] ?? null);
}
