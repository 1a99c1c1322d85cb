/**
 * The number of submissions of each kind, and their bytes. Counting rows would make every list and every upload slower with each
 * submission.
 */
import { bytesOf, levelOf } from '../submission-facts.ts';
import type { StoredSubmission } from '../submissions.ts';
import type { Run } from './database.ts';
import type { Part } from './schema.ts';

interface Change {
  readonly submission: StoredSubmission;
  readonly sign: 1 | -1;
}

/**
 * Notes a change of a submission. Null means a submission that does not exist. Call it last, because it locks rows that others wait for.
 */
export async function tallied(
  run: Run,
  part: Part,
  before: StoredSubmission | null,
  after: StoredSubmission | null,
): Promise<void> {
  if (before && after && levelOf(before) === levelOf(after) && bytesOf(before) === bytesOf(after)) return;
  const changes: Change[] = [];
  if (before) changes.push({ submission: before, sign: -1 });
  if (after) changes.push({ submission: after, sign: 1 });
  // All transactions take the rows in one order, so that no two wait for each other.
  changes.sort((one, other) => (levelOf(one.submission) < levelOf(other.submission) ? -1 : 1));
  for (const { submission, sign } of changes) {
    const { workspace, subject } = submission;
    const kind = [workspace, submission.private, subject.type, levelOf(submission)];
    await run(
      `INSERT INTO ${part}.tallies AS t VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (workspace, private, type, level)
       DO UPDATE SET amount = t.amount + excluded.amount, bytes = t.bytes + excluded.bytes`,
      [...kind, sign, sign * bytesOf(submission)],
    );
  }
}
