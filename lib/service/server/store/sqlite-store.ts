/** Submissions in a SQLite database (WAL). Statements are synchronous and short, and none waits for the network. */

import { inTransaction, type Sqlite } from '../../../storage/sqlite/sqlite.ts';
import { shownName } from '../filename.ts';
import { folded } from './case-folding.ts';
import { createFilterTotals, type FilterTotals } from './filter-totals.ts';
import { nearerEnd } from './nearer-end.ts';
import {
  countQuery,
  isTallied,
  pageQuery,
  type Query,
  type RowRange,
  type SqlValue,
  tallyQuery,
} from './sqlite-query.ts';
import { openSubmissionDatabase, storageCall } from './sqlite-schema.ts';
import { blobsOf, bytesOf, levelOf, producedBlobsOf, tagsOf } from './submission-facts.ts';
import type { ListPage, ListResult, SubmissionFilter, SubmissionStore } from './submission-store.ts';
import { isFinished, type StoredSubmission } from './submissions.ts';

/** Opens the store in a file, and makes the file when it does not exist. Throws Error for a file of another version. */
export function openSqliteStore(path: string): SubmissionStore {
  const db = openSubmissionDatabase(path);
  const sql = statements(db);
  const totals = createFilterTotals();
  // The usage is kept in memory, because every submission needs it and the sum of all rows would cost more than the submission.
  const usage = sql.usage.get() as { submissions: number; bytes: number };
  const changed = (before: StoredSubmission | null, after: StoredSubmission | null) => {
    totals.changed(before, after);
    usage.submissions += Number(after !== null) - Number(before !== null);
    usage.bytes += (after ? bytesOf(after) : 0) - (before ? bytesOf(before) : 0);
  };
  const byUuid = (uuid: string) => parsed(sql.byUuid.get(uuid));
  return {
    add: (submission, password) =>
      storageCall(() => {
        inTransaction(db, () => insert(sql, submission, password));
        changed(null, submission);
      }),
    get: (uuid) => storageCall(() => byUuid(uuid)?.submission ?? null),
    list: (filter, page) => storageCall(() => list(db, sql, totals, filter, page)),
    getByFile: (fileId) => storageCall(() => parsed(sql.byFile.get(fileId))?.submission ?? null),
    update: (uuid, change) =>
      storageCall(() => {
        const row = byUuid(uuid);
        if (!row) return null;
        const after = change(row.submission);
        if (after === row.submission) return after;
        inTransaction(db, () => replace(sql, row.id, row.submission, after));
        changed(row.submission, after);
        return after;
      }),
    pending: (uuid) =>
      storageCall(() => {
        const row = byUuid(uuid);
        if (!row || isFinished(row.submission)) return null;
        const kept = sql.password.get(row.id) as { password: string } | undefined;
        return { submission: row.submission, password: kept?.password ?? null };
      }),
    unfinished: () => storageCall(() => sql.unfinished.all().flatMap((row) => parsed(row)?.submission ?? [])),
    countSince: (keyId, sinceMs) => storageCall(() => amountOf(sql.countSince.get(keyId, sinceMs))),
    usage: () => storageCall(() => ({ submissions: usage.submissions, bytes: usage.bytes })),
    forgetOldest: () =>
      storageCall(() => {
        const row = parsed(sql.oldestFinished.get());
        if (!row) return null;
        inTransaction(db, () => remove(sql, row.id, row.submission));
        changed(row.submission, null);
        return blobsOf(row.submission).filter((sha256) => !isNeeded(sql, sha256));
      }),
    needs: (sha256) => storageCall(() => isNeeded(sql, sha256)),
    close: () => storageCall(() => void db.close()),
  };
}

type Statements = ReturnType<typeof statements>;

function statements(db: Sqlite) {
  const document = 'SELECT id, document FROM submissions JOIN documents USING (id)';
  const tally = 'workspace = ? AND private = ? AND type = ? AND level = ?';
  return {
    byUuid: db.prepare(`${document} WHERE uuid = ?`),
    byId: db.prepare('SELECT id, document FROM documents WHERE id = ?'),
    byFile: db.prepare(`${document} WHERE file_id = ?`),
    password: db.prepare('SELECT password FROM passwords WHERE id = ?'),
    unfinished: db.prepare(`${document} WHERE finished = 0 ORDER BY id`),
    oldestFinished: db.prepare(`${document} WHERE finished = 1 ORDER BY id LIMIT 1`),
    countSince: db.prepare('SELECT count(*) AS amount FROM submissions WHERE key_id = ? AND created_ms >= ?'),
    lastCreated: db.prepare('SELECT max(created_ms) AS amount FROM submissions'),
    firstSince: db.prepare('SELECT id FROM submissions WHERE created_ms >= ? ORDER BY created_ms, id LIMIT 1'),
    lastUntil: db.prepare('SELECT id FROM submissions WHERE created_ms <= ? ORDER BY created_ms DESC, id DESC LIMIT 1'),
    usage: db.prepare('SELECT count(*) AS submissions, coalesce(sum(bytes), 0) AS bytes FROM submissions'),
    needed: db.prepare(
      `SELECT 1 FROM submissions WHERE sha256 = ? UNION ALL SELECT 1 FROM submissions WHERE sanitized_sha256 = ?
       UNION ALL SELECT 1 FROM produced WHERE sha256 = ? LIMIT 1`,
    ),
    insert: db.prepare(
      `INSERT INTO submissions (uuid, workspace, key_id, private, type, md5, sha1, sha256, filename, created_ms, level,
         finished, bytes, sanitized_sha256, file_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    change: db.prepare(
      'UPDATE submissions SET level = ?, finished = ?, bytes = ?, sanitized_sha256 = ?, file_id = ? WHERE id = ?',
    ),
    insertDocument: db.prepare('INSERT INTO documents (id, document) VALUES (?, ?)'),
    changeDocument: db.prepare('UPDATE documents SET document = ? WHERE id = ?'),
    insertPassword: db.prepare('INSERT INTO passwords (id, password) VALUES (?, ?)'),
    removePassword: db.prepare('DELETE FROM passwords WHERE id = ?'),
    insertTag: db.prepare('INSERT OR IGNORE INTO tags (value, id) VALUES (?, ?)'),
    removeTags: db.prepare('DELETE FROM tags WHERE id = ?'),
    insertName: db.prepare('INSERT INTO names (rowid, name) VALUES (?, ?)'),
    removeName: db.prepare('DELETE FROM names WHERE rowid = ?'),
    removeRow: db.prepare('DELETE FROM submissions WHERE id = ?'),
    removeDocument: db.prepare('DELETE FROM documents WHERE id = ?'),
    insertProduced: db.prepare('INSERT OR IGNORE INTO produced (sha256, id) VALUES (?, ?)'),
    removeProduced: db.prepare('DELETE FROM produced WHERE id = ?'),
    newTally: db.prepare(
      'INSERT OR IGNORE INTO tallies (workspace, private, type, level, amount) VALUES (?, ?, ?, ?, 0)',
    ),
    tally: db.prepare(`UPDATE tallies SET amount = amount + ? WHERE ${tally}`),
  };
}

/** Returns the document of a row, or null without one. */
function parsed(row: unknown): { readonly id: number; readonly submission: StoredSubmission } | null {
  if (!row) return null;
  const { id, document } = row as { id: number; document: string };
  // This file has written the document from the same type, in a database that only the service writes.
  return { id, submission: JSON.parse(document) as StoredSubmission };
}

const amountOf = (row: unknown) => (row as { amount: number | null }).amount ?? 0;

function insert(sql: Statements, submission: StoredSubmission, password: string | null): void {
  const { uuid, workspace, keyId, subject, createdAtMs } = submission;
  const { md5 = null, sha1 = null, sha256 = null } = subject.type === 'file' ? subject.hashes : {};
  const name = subject.type === 'file' ? folded(shownName(subject.untrustedName)) : null;
  // A clock that was set back must not break the order, because lists and ranges of time rely on it.
  const createdMs = Math.max(createdAtMs, amountOf(sql.lastCreated.get()));
  const fixed = [uuid, workspace, keyId, submission.private ? 1 : 0, subject.type, md5, sha1, sha256, name, createdMs];
  const id = Number(sql.insert.run(...fixed, ...changingColumns(submission)).lastInsertRowid);
  sql.insertDocument.run(id, JSON.stringify(submission));
  if (name !== null) sql.insertName.run(id, name);
  if (password !== null && !isFinished(submission)) sql.insertPassword.run(id, password);
  for (const { value } of tagsOf(submission)) sql.insertTag.run(value.toLowerCase(), id);
  count(sql, submission, 1);
}

/** Returns the columns of a row that change with its submission. */
function changingColumns(submission: StoredSubmission): readonly (SqlValue | null)[] {
  const { sanitizedFile } = submission;
  const finished = isFinished(submission) ? 1 : 0;
  const { sha256 = null, fileId = null } = sanitizedFile ?? {};
  return [levelOf(submission), finished, bytesOf(submission), sha256, fileId];
}

function replace(sql: Statements, id: number, before: StoredSubmission, after: StoredSubmission): void {
  sql.change.run(...changingColumns(after), id);
  sql.changeDocument.run(JSON.stringify(after), id);
  for (const sha256 of producedBlobsOf(after)) sql.insertProduced.run(sha256, id);
  if (isFinished(after)) sql.removePassword.run(id);
  if (JSON.stringify(tagsOf(before)) !== JSON.stringify(tagsOf(after))) {
    sql.removeTags.run(id);
    for (const { value } of tagsOf(after)) sql.insertTag.run(value.toLowerCase(), id);
  }
  if (levelOf(before) !== levelOf(after)) {
    count(sql, before, -1);
    count(sql, after, 1);
  }
}

function remove(sql: Statements, id: number, submission: StoredSubmission): void {
  sql.removeRow.run(id);
  sql.removeDocument.run(id);
  sql.removePassword.run(id);
  sql.removeTags.run(id);
  sql.removeName.run(id);
  sql.removeProduced.run(id);
  count(sql, submission, -1);
}

function count(sql: Statements, submission: StoredSubmission, amount: number): void {
  const key = [submission.workspace, submission.private ? 1 : 0, submission.subject.type, levelOf(submission)] as const;
  sql.newTally.run(...key);
  sql.tally.run(amount, ...key);
}

const isNeeded = (sql: Statements, sha256: string) => sql.needed.get(sha256, sha256, sha256) !== undefined;

function list(db: Sqlite, sql: Statements, totals: FilterTotals, filter: SubmissionFilter, page: ListPage): ListResult {
  const { createdFromMs, createdToMs } = filter;
  const isBounded = createdFromMs !== undefined || createdToMs !== undefined;
  const range = isBounded ? rangeOf(sql, createdFromMs ?? 0, createdToMs ?? Number.MAX_SAFE_INTEGER) : null;
  const read = ({ sql: text, values }: Query) => db.prepare(text).all(...values);
  const total = totals.of(filter, () =>
    amountOf(read(isTallied(filter) ? tallyQuery(filter) : countQuery(filter, range))[0]),
  );
  const { offset, limit, order = 'desc' } = page;
  if (offset >= total || limit === 0) return { items: [], total };
  const rows = read(pageQuery(filter, range, nearerEnd({ offset, limit, order }, total))) as { id: number }[];
  if (offset > total / 2) rows.reverse();
  return { items: rows.flatMap(({ id }) => parsed(sql.byId.get(id))?.submission ?? []), total };
}

/** Returns the range of row numbers for a range of times. Rows are numbered in the order of their times. */
function rangeOf(sql: Statements, fromMs: number, toMs: number): RowRange {
  const first = sql.firstSince.get(fromMs) as { id: number } | undefined;
  const last = sql.lastUntil.get(toMs) as { id: number } | undefined;
  return { first: first?.id ?? Number.MAX_SAFE_INTEGER, last: last?.id ?? 0 };
}
