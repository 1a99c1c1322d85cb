/**
 * Makes SQL of a filter for PostgreSQL. Each walk reads one index in the order of the list and stops at its page. Values are always bound
 * and never written into the text.
 */
import { folded } from '../case-folding.ts';
import type { ListPage, SubmissionFilter } from '../submission-store.ts';
import type { SqlValue } from './database.ts';
import type { Part } from './schema.ts';

export interface Query {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** One walk through an index, with its conditions. Several walks together make one list, which may contain a row twice. */
interface Walk {
  readonly from: string;
  /** The table whose index has the order of the list. */
  readonly table: 's' | 't';
  readonly where: readonly string[];
  /** True for few rows in another order. They are found first, and then sorted. */
  readonly isSorted?: boolean;
}

/** Shorter texts have no trigram, so all names are read for them. */
const TRIGRAM = 3;
const HASH_LENGTHS = { md5: 32, sha1: 40, sha256: 64 } as const;

/** The values of one query. `of` returns the place of a value in its text. */
class Bound {
  readonly values: SqlValue[] = [];

  of(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Returns true when the total of the filter is a sum of the tallies. */
const isTallied = ({ hash, filename, createdFromMs, createdToMs, tags }: SubmissionFilter): boolean =>
  [hash, filename, createdFromMs, createdToMs, tags].every((field) => field === undefined);

/** Returns the query for the number of submissions that pass a filter. */
export function totalQuery(part: Part, filter: SubmissionFilter): Query {
  const bound = new Bound();
  if (isTallied(filter)) {
    const where = allOf(sharedTerms(filter, 's', bound));
    const sql = `SELECT coalesce(sum(amount), 0)::float8 AS amount FROM ${part}.tallies s WHERE ${where}`;
    return { sql, values: bound.values };
  }
  const walks = walksOf(part, filter, bound).map(({ from, table, where }) => idsOf(from, table, where));
  const sql = `SELECT count(*)::float8 AS amount FROM (${walks.join(' UNION ')}) found`;
  return { sql, values: bound.values };
}

const idsOf = (from: string, table: string, where: readonly string[]) =>
  `SELECT ${table}.id, ${table}.created_ms FROM ${from} WHERE ${allOf(where)}`;

/** Returns the query for the documents of one page. */
export function pageQuery(part: Part, filter: SubmissionFilter, page: Required<ListPage>): Query {
  const bound = new Bound();
  const order = page.order === 'asc' ? 'ASC' : 'DESC';
  const ordered = (table: string) => `ORDER BY ${table}.created_ms ${order}, ${table}.id ${order}`;
  // Each walk is cut alone. Together they hold at least the page.
  const reach = bound.of(page.offset + page.limit);
  const walks = walksOf(part, filter, bound).map(({ from, table, where, isSorted }) => {
    const ids = idsOf(from, table, where);
    if (!isSorted) return `(${ids} ${ordered(table)} LIMIT ${reach})`;
    return `(WITH found AS MATERIALIZED (${ids}) SELECT id, created_ms FROM found ${ordered('found')} LIMIT ${reach})`;
  });
  const rows = `SELECT id, created_ms FROM (${walks.join(' UNION ')}) s ${ordered('s')}`;
  const sql = `SELECT document FROM (${rows} LIMIT ${bound.of(page.limit)} OFFSET ${bound.of(page.offset)}) page
    JOIN ${part}.submissions s USING (id) ORDER BY page.created_ms ${order}, page.id ${order}`;
  return { sql, values: bound.values };
}

/** Returns the walks for a filter. The narrowest condition chooses the index, and the others are checked for each row. */
function walksOf(part: Part, filter: SubmissionFilter, bound: Bound): Walk[] {
  const { hash, filename, tags, levels } = filter;
  const from = `${part}.submissions s`;
  if (hash) {
    const where = [hashTerm(hash, bound), ...residual(part, { ...filter, hash: undefined }, 's', bound)];
    return [{ from, table: 's', where, isSorted: true }];
  }
  if (filename !== undefined && [...filename].length >= TRIGRAM) {
    return [{ from, table: 's', where: residual(part, filter, 's', bound), isSorted: true }];
  }
  if (tags) {
    const values = [...new Set(tags.map((tag) => tag.toLowerCase()))];
    const others = residual(part, { ...filter, tags: undefined }, 't', bound);
    // A common tag has very many rows, and counting them must not look up each submission.
    const isEnough = [levels, filter.type, filename].every((field) => field === undefined);
    const walked = isEnough ? `${part}.tags t` : `${part}.tags t JOIN ${part}.submissions s ON s.id = t.id`;
    return values.map((value) => ({ from: walked, table: 't', where: [`t.value = ${bound.of(value)}`, ...others] }));
  }
  if (levels) {
    const others = residual(part, { ...filter, levels: undefined }, 's', bound);
    return [...new Set(levels)].map((level) => ({
      from,
      table: 's',
      where: [`s.level = ${bound.of(level)}`, ...others],
    }));
  }
  return [{ from, table: 's', where: residual(part, filter, 's', bound) }];
}

function hashTerm({ algorithm, value }: NonNullable<SubmissionFilter['hash']>, bound: Bound): string {
  // The column is one of three fixed words and never comes from a caller.
  const column = `s.${algorithm}`;
  const start = bound.of(value);
  if (value.length === HASH_LENGTHS[algorithm]) return `${column} = ${start}`;
  return `${column} >= ${start} AND ${column} < ${bound.of(`${value}g`)}`;
}

/**
 * Returns the conditions that are checked for each row. The conditions that a tag has, too, are asked of the table whose index has the
 * order of the list.
 */
function residual(part: Part, filter: SubmissionFilter, ordered: 's' | 't', bound: Bound): string[] {
  const { filename, tags, hash, createdFromMs, createdToMs } = filter;
  const terms = sharedTerms(filter, ordered, bound);
  if (createdFromMs !== undefined) terms.push(`${ordered}.created_ms >= ${bound.of(createdFromMs)}`);
  if (createdToMs !== undefined) terms.push(`${ordered}.created_ms <= ${bound.of(createdToMs)}`);
  if (hash) terms.push(hashTerm(hash, bound));
  if (filename !== undefined) terms.push(`s.filename LIKE ${bound.of(containing(folded(filename)))}`);
  if (tags) {
    const values = bound.of(tags.map((tag) => tag.toLowerCase()));
    terms.push(`EXISTS (SELECT 1 FROM ${part}.tags x WHERE x.id = s.id AND x.value = ANY (${values}))`);
  }
  return terms;
}

/** Returns the pattern of LIKE for a text that contains this one, in which nothing else has a meaning. */
const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Returns the conditions that rows and tallies share: who may see it, the workspace, level, type and privacy. */
function sharedTerms(filter: SubmissionFilter, table: string, bound: Bound): string[] {
  const { visibleTo, workspace, levels, type } = filter;
  const terms: string[] = [];
  if (visibleTo !== undefined) terms.push(`(NOT ${table}.private OR ${table}.workspace = ${bound.of(visibleTo)})`);
  if (workspace !== undefined) terms.push(`${table}.workspace = ${bound.of(workspace)}`);
  if (levels !== undefined) terms.push(`s.level = ANY (${bound.of(levels)})`);
  if (type !== undefined) terms.push(`s.type = ${bound.of(type)}`);
  if (filter.private !== undefined) terms.push(`${table}.private = ${bound.of(filter.private)}`);
  return terms;
}

/** Returns all terms joined by AND; true when there is none. */
const allOf = (terms: readonly string[]): string => (terms.length === 0 ? 'true' : terms.join(' AND '));
