/**
 * Makes SQL of a filter. Each query reads one index in the order of the list and stops at its page. The index is named here, because the
 * planner of the database has no statistics. Values are always bound and never written into the text.
 */
import { folded } from './case-folding.ts';
import type { SubmissionFilter } from './submission-store.ts';

export type SqlValue = string | number;

export interface Query {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The numbers of the rows that were made between two times, with both ends. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** One walk through an index, with its conditions. Several walks together make one list. */
interface Walk {
  /** The table and its index. */
  readonly from: string;
  /** The column with the number of the row, in the order of the walk. */
  readonly id: string;
  readonly where: readonly Query[];
}

/** Shorter texts have no trigram, so all names are read for them. */
const TRIGRAM = 3;
const HASH_LENGTHS = { md5: 32, sha1: 40, sha256: 64 } as const;

const term = (sql: string, ...values: SqlValue[]): Query => ({ sql, values });
const oneOf = (column: string, values: readonly SqlValue[]) =>
  term(`${column} IN (${values.map(() => '?').join(', ')})`, ...values);

/** Returns true when the total of the filter is a sum of the tallies. */
export function isTallied({ hash, filename, createdFromMs, createdToMs, tags }: SubmissionFilter): boolean {
  return [hash, filename, createdFromMs, createdToMs, tags].every((field) => field === undefined);
}

/** Returns the query for the total of a filter with tallies. */
export function tallyQuery(filter: SubmissionFilter): Query {
  const { sql, values } = allOf(sharedTerms(filter));
  return { sql: `SELECT sum(amount) AS amount FROM tallies WHERE ${sql}`, values };
}

/** Returns the query for the total of any filter. */
export function countQuery(filter: SubmissionFilter, range: RowRange | null): Query {
  const walks = walksOf(filter, range).map((walk) => walkQuery(walk, null));
  const sql = walks.map((walk) => walk.sql).join(' UNION ');
  return { sql: `SELECT count(*) AS amount FROM (${sql})`, values: walks.flatMap(({ values }) => values) };
}

/** Returns the query for the numbers of the rows of one page. */
export function pageQuery(
  filter: SubmissionFilter,
  range: RowRange | null,
  page: { readonly offset: number; readonly limit: number; readonly order: 'asc' | 'desc' },
): Query {
  const order = page.order === 'asc' ? 'ASC' : 'DESC';
  const walks = walksOf(filter, range).map((walk) => walkQuery(walk, { order, limit: page.offset + page.limit }));
  // Each walk is cut alone. Together they hold at least the page.
  const sql = walks.map((walk) => `SELECT id FROM (${walk.sql})`).join(' UNION ');
  return {
    sql: `SELECT id FROM (${sql}) ORDER BY id ${order} LIMIT ? OFFSET ?`,
    values: [...walks.flatMap(({ values }) => values), page.limit, page.offset],
  };
}

function walkQuery({ from, id, where }: Walk, cut: { order: string; limit: number } | null): Query {
  const { sql, values } = allOf(where);
  const select = `SELECT ${id} AS id FROM ${from} WHERE ${sql}`;
  return cut
    ? { sql: `${select} ORDER BY ${id} ${cut.order} LIMIT ?`, values: [...values, cut.limit] }
    : { sql: select, values };
}

/** Returns the walks for a filter. The narrowest condition chooses the index, and the others are checked for each row. */
function walksOf(filter: SubmissionFilter, range: RowRange | null): Walk[] {
  const { hash, filename, tags, levels } = filter;
  const rest = (without: Partial<Record<keyof SubmissionFilter, undefined>>) => residual({ ...filter, ...without });
  if (hash) return [hashWalk(hash, [...rest({ hash: undefined }), ...within('submissions.id', range)])];
  if (filename !== undefined && [...filename].length >= TRIGRAM) {
    const where = [nameTerm(filename), ...rest({ filename: undefined }), ...within('names.rowid', range)];
    return [{ from: 'names CROSS JOIN submissions ON submissions.id = names.rowid', id: 'names.rowid', where }];
  }
  if (tags) {
    const from = 'tags CROSS JOIN submissions ON submissions.id = tags.id';
    const where = [...rest({ tags: undefined }), ...within('tags.id', range)];
    const values = [...new Set(tags.map((tag) => tag.toLowerCase()))];
    return values.map((value) => ({ from, id: 'tags.id', where: [term('tags.value = ?', value), ...where] }));
  }
  if (levels) {
    const where = [...rest({ levels: undefined }), ...within('submissions.id', range)];
    const walk = { from: 'submissions INDEXED BY by_level', id: 'submissions.id' };
    return [...new Set(levels)].map((level) => ({ ...walk, where: [term('submissions.level = ?', level), ...where] }));
  }
  return [columnWalk(filter, range)];
}

/** Returns a walk along one column, or along all rows. */
function columnWalk(filter: SubmissionFilter, range: RowRange | null): Walk {
  const { type, workspace } = filter;
  const id = 'submissions.id';
  const where = [...residual(filter), ...within(id, range)];
  const along = (index: string, lead: Query) => ({
    from: `submissions INDEXED BY ${index}`,
    id,
    where: [lead, ...where],
  });
  if (workspace !== undefined) return along('by_workspace', term('submissions.workspace = ?', workspace));
  if (type !== undefined) return along('by_type', term('submissions.type = ?', type));
  if (filter.private !== undefined) return along('by_private', term('submissions.private = ?', filter.private ? 1 : 0));
  // Only a search of names needs the whole row.
  const isNarrow = filter.filename === undefined;
  return { from: isNarrow ? 'submissions INDEXED BY by_order' : 'submissions NOT INDEXED', id, where };
}

function hashWalk({ algorithm, value }: NonNullable<SubmissionFilter['hash']>, where: readonly Query[]): Walk {
  // The column is one of three fixed words and never comes from a caller. A range is used, because LIKE would not use the index.
  const column = `submissions.${algorithm}`;
  const isWhole = value.length === HASH_LENGTHS[algorithm];
  const lead = isWhole ? term(`${column} = ?`, value) : term(`${column} >= ? AND ${column} < ?`, value, `${value}g`);
  return { from: `submissions INDEXED BY by_${algorithm}`, id: 'submissions.id', where: [lead, ...where] };
}

/** Returns the term for a name. In quotes it is a phrase, in which only the quote has a meaning. */
const nameTerm = (name: string) => term('names MATCH ?', `"${folded(name).replaceAll('"', '""')}"`);

const within = (id: string, range: RowRange | null) =>
  range ? [term(`${id} >= ? AND ${id} <= ?`, range.first, range.last)] : [];

/** Returns the conditions that are checked for each row. The plus keeps the planner from using the index of a column. */
function residual(filter: SubmissionFilter): Query[] {
  const { filename, tags } = filter;
  const terms = sharedTerms(filter, '+submissions.');
  if (filename !== undefined) terms.push(term('instr(submissions.filename, ?) > 0', folded(filename)));
  if (tags) {
    const values = tags.map((tag) => tag.toLowerCase());
    const marks = oneOf('tags.value', values);
    terms.push({ ...marks, sql: `EXISTS (SELECT 1 FROM tags WHERE tags.id = submissions.id AND ${marks.sql})` });
  }
  return terms;
}

/** Returns the conditions that rows and tallies share: who may see it, the workspace, level, type and privacy. */
function sharedTerms(filter: SubmissionFilter, prefix = ''): Query[] {
  const { visibleTo, workspace, levels, type } = filter;
  const terms: Query[] = [];
  if (visibleTo !== undefined) terms.push(term(`(${prefix}private = 0 OR ${prefix}workspace = ?)`, visibleTo));
  if (workspace !== undefined) terms.push(term(`${prefix}workspace = ?`, workspace));
  if (levels !== undefined) terms.push(oneOf(`${prefix}level`, levels));
  if (type !== undefined) terms.push(term(`${prefix}type = ?`, type));
  if (filter.private !== undefined) terms.push(term(`${prefix}private = ?`, filter.private ? 1 : 0));
  return terms;
}

/** Returns all terms joined by AND; true when there is none. */
function allOf(terms: readonly Query[]): Query {
  if (terms.length === 0) return { sql: '1', values: [] };
  return { sql: terms.map(({ sql }) => sql).join(' AND '), values: terms.flatMap(({ values }) => values) };
}
