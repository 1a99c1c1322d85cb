/** Submissions in PostgreSQL. Several processes use them at the same time, so memory keeps nothing of them. */
import { shownName } from '../../filename.ts';
import { folded } from '../case-folding.ts';
import { nearerEnd } from '../nearer-end.ts';
import { blobsOf, bytesOf, levelOf, producedBlobsOf, tagsOf } from '../submission-facts.ts';
import type { ListPage, ListResult, SubmissionFilter, SubmissionStore } from '../submission-store.ts';
import { isFinished, type StoredSubmission } from '../submissions.ts';
import type { Database, Run, SqlValue } from './database.ts';
import { insertJob } from './jobs.ts';
import { pageQuery, type Query, totalQuery } from './query.ts';
import type { Part } from './schema.ts';
import { tallied } from './tallies.ts';

interface Row {
  readonly id: string;
  readonly document: string;
}

/** Returns the store of one of the two services. Closing it does not close the database. */
export function createPostgresStore({ run, transaction }: Database, part: Part): SubmissionStore {
  const one = async (where: string, value: SqlValue) => {
    const [row] = await run<Row>(`SELECT id, document FROM ${part}.submissions WHERE ${where}`, [value]);
    return row ? parsed(row) : null;
  };
  return {
    add: (submission, password, group) => transaction((on) => insert(on, part, submission, { password, group })),
    get: (uuid) => one('uuid = $1', uuid),
    list: (filter, page) => list(run, part, filter, page),
    getByFile: (fileId) => one('file_id = $1', fileId),
    update: (uuid, change) => transaction((on) => update(on, part, uuid, change)),
    pending: async (uuid) => {
      const [row] = await run<Row & { readonly password: string | null }>(
        `SELECT id, document, password FROM ${part}.submissions LEFT JOIN ${part}.passwords USING (id)
         WHERE uuid = $1 AND NOT finished`,
        [uuid],
      );
      return row ? { submission: parsed(row), password: passwordOf(row) } : null;
    },
    unfinished: async () =>
      (await run<Row>(`SELECT id, document FROM ${part}.submissions WHERE NOT finished ORDER BY created_ms, id`)).map(
        parsed,
      ),
    countSince: (keyId, sinceMs) =>
      amount(run, {
        sql: `SELECT count(*)::float8 AS amount FROM ${part}.submissions WHERE key_id = $1 AND created_ms >= $2`,
        values: [keyId, sinceMs],
      }),
    usage: async () => {
      const [usage] = await run<{ submissions: number; bytes: number }>(
        `SELECT coalesce(sum(amount), 0)::float8 AS submissions, coalesce(sum(bytes), 0)::float8 AS bytes FROM ${part}.tallies`,
      );
      return usage ?? { submissions: 0, bytes: 0 };
    },
    forgetOldest: () => transaction((on) => forgetOldest(on, part)),
    needs: (sha256) => isNeeded(run, part, sha256),
    close: async () => undefined,
  };
}

// This file has written the document from the same type, in a database that only the service writes.
const parsed = ({ document }: Row) => JSON.parse(document) as StoredSubmission;

/** Writes a password as JSON. It can have any character, even one that no PostgreSQL text can have. JSON writes all of them. */
const passwordOf = ({ password }: { readonly password: string | null }): string | null =>
  password === null ? null : (JSON.parse(password) as string);

const amount = async (run: Run, { sql, values }: Query) => (await run<{ amount: number }>(sql, values))[0]?.amount ?? 0;

async function list(run: Run, part: Part, filter: SubmissionFilter, page: ListPage): Promise<ListResult> {
  const total = await amount(run, totalQuery(part, filter));
  const { offset, limit, order = 'desc' } = page;
  if (offset >= total || limit === 0) return { items: [], total };
  const nearer = nearerEnd({ offset, limit, order }, total);
  const { sql, values } = pageQuery(part, filter, nearer);
  const items = (await run<Row>(sql, values)).map(parsed);
  return { items: nearer.order === order ? items : items.reverse(), total };
}

interface JobFacts {
  readonly password: string | null;
  readonly group: string | undefined;
}

async function insert(
  run: Run,
  part: Part,
  submission: StoredSubmission,
  { password, group }: JobFacts,
): Promise<void> {
  const { uuid, workspace, keyId, subject, createdAtMs } = submission;
  const { md5 = null, sha1 = null, sha256 = null } = subject.type === 'file' ? subject.hashes : {};
  const name = subject.type === 'file' ? folded(shownName(subject.untrustedName)) : null;
  const fixed = [uuid, workspace, keyId, submission.private, subject.type, md5, sha1, sha256, name, createdAtMs];
  const [row] = await run<{ id: string }>(
    `INSERT INTO ${part}.submissions (uuid, workspace, key_id, private, type, md5, sha1, sha256, filename, created_ms, level,
       finished, bytes, sanitized_sha256, file_id, document)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) RETURNING id`,
    [...fixed, ...changingColumns(submission)],
  );
  if (!row) throw new TypeError('a submission that was stored has a number');
  if (password !== null && !isFinished(submission)) {
    await run(`INSERT INTO ${part}.passwords VALUES ($1, $2)`, [row.id, JSON.stringify(password)]);
  }
  await insertTags(run, part, row.id, submission);
  await insertProduced(run, part, row.id, submission);
  if (!isFinished(submission)) await insertJob(run, part, { id: row.id, uuid, group: group ?? uuid });
  await tallied(run, part, null, submission);
}

/** Returns the columns of a row that change with its submission. */
function changingColumns(submission: StoredSubmission): readonly SqlValue[] {
  const { sha256 = null, fileId = null } = submission.sanitizedFile ?? {};
  const facts = [levelOf(submission), isFinished(submission), bytesOf(submission), sha256, fileId];
  return [...facts, JSON.stringify(submission)];
}

async function insertTags(run: Run, part: Part, id: string, submission: StoredSubmission): Promise<void> {
  const values = tagsOf(submission).map(({ value }) => value.toLowerCase());
  if (values.length === 0) return;
  await run(
    `INSERT INTO ${part}.tags SELECT unnest($1::text[]), created_ms, id, private, workspace FROM ${part}.submissions
     WHERE id = $2 ON CONFLICT DO NOTHING`,
    [values, id],
  );
}

async function insertProduced(run: Run, part: Part, id: string, submission: StoredSubmission): Promise<void> {
  const blobs = producedBlobsOf(submission);
  if (blobs.length === 0) return;
  await run(`INSERT INTO ${part}.produced SELECT unnest($1::text[]), $2 ON CONFLICT DO NOTHING`, [blobs, id]);
}

async function update(
  run: Run,
  part: Part,
  uuid: string,
  change: (submission: StoredSubmission) => StoredSubmission,
): Promise<StoredSubmission | null> {
  const [row] = await run<Row>(`SELECT id, document FROM ${part}.submissions WHERE uuid = $1 FOR UPDATE`, [uuid]);
  if (!row) return null;
  const before = parsed(row);
  const after = change(before);
  if (after === before) return after;
  await run(
    `UPDATE ${part}.submissions SET level = $1, finished = $2, bytes = $3, sanitized_sha256 = $4, file_id = $5, document = $6
     WHERE id = $7`,
    [...changingColumns(after), row.id],
  );
  await insertProduced(run, part, row.id, after);
  if (isFinished(after)) await run(`DELETE FROM ${part}.passwords WHERE id = $1`, [row.id]);
  if (JSON.stringify(tagsOf(before)) !== JSON.stringify(tagsOf(after))) {
    await run(`DELETE FROM ${part}.tags WHERE id = $1`, [row.id]);
    await insertTags(run, part, row.id, after);
  }
  await tallied(run, part, before, after);
  return after;
}

async function forgetOldest(run: Run, part: Part): Promise<readonly string[] | null> {
  // Another process may be about to delete the oldest. This one takes the next.
  const [row] = await run<Row>(
    `SELECT id, document FROM ${part}.submissions WHERE finished ORDER BY created_ms, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  if (!row) return null;
  const oldest = parsed(row);
  await run(`DELETE FROM ${part}.submissions WHERE id = $1`, [row.id]);
  await tallied(run, part, oldest, null);
  const unneeded: string[] = [];
  for (const sha256 of blobsOf(oldest)) if (!(await isNeeded(run, part, sha256))) unneeded.push(sha256);
  return unneeded;
}

/** Returns true when a stored submission needs the blob. */
export async function isNeeded(run: Run, part: Part, sha256: string): Promise<boolean> {
  const rows = await run(
    `SELECT 1 FROM ${part}.submissions WHERE sha256 = $1 UNION ALL SELECT 1 FROM ${part}.submissions WHERE sanitized_sha256 = $1
     UNION ALL SELECT 1 FROM ${part}.produced WHERE sha256 = $1 LIMIT 1`,
    [sha256],
  );
  return rows.length > 0;
}
