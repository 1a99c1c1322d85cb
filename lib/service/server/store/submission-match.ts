/** Decides without a database whether a submission passes a filter. The memory store uses it, and the totals of filters. */
import { shownName } from '../filename.ts';
import { folded } from './case-folding.ts';
import { isVisibleTo, levelOf, tagsOf } from './submission-facts.ts';
import type { SubmissionFilter } from './submission-store.ts';
import type { StoredSubmission } from './submissions.ts';

/** Returns true when every given field of the filter fits the submission. */
export function isMatch(submission: StoredSubmission, filter: SubmissionFilter): boolean {
  const { subject, createdAtMs } = submission;
  return (
    (filter.visibleTo === undefined || isVisibleTo(submission, filter.visibleTo)) &&
    (filter.workspace === undefined || submission.workspace === filter.workspace) &&
    (filter.type === undefined || subject.type === filter.type) &&
    (filter.private === undefined || submission.private === filter.private) &&
    (filter.createdFromMs === undefined || createdAtMs >= filter.createdFromMs) &&
    (filter.createdToMs === undefined || createdAtMs <= filter.createdToMs) &&
    (filter.levels === undefined || filter.levels.includes(levelOf(submission))) &&
    isNamed(submission, filter) &&
    isTagged(submission, filter)
  );
}

function isNamed({ subject }: StoredSubmission, { hash, filename }: SubmissionFilter): boolean {
  if (hash === undefined && filename === undefined) return true;
  if (subject.type !== 'file') return false;
  if (hash !== undefined && !subject.hashes[hash.algorithm].startsWith(hash.value)) return false;
  return filename === undefined || folded(shownName(subject.untrustedName)).includes(folded(filename));
}

function isTagged(submission: StoredSubmission, { tags }: SubmissionFilter): boolean {
  if (tags === undefined) return true;
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()));
  return tagsOf(submission).some(({ value }) => wanted.has(value.toLowerCase()));
}
