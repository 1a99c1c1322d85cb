/** YARA rules for a submitted file: one that matches exactly this file, and one of its distinctive strings if it has any. */
import { levelOf } from '../store/submission-facts.ts';
import type { StoredSubmission } from '../store/submissions.ts';

/** Returns the text of the rule. The submission must be of a file. */
export function yaraRuleOf(submission: StoredSubmission): string {
  const { subject } = submission;
  if (subject.type !== 'file') throw new TypeError('a rule is made for files only');
  const { sha256 } = subject.hashes;
  // This rule contains nothing of the sender: hashes, numbers and words of ours. The other rule quotes strings, escaped.
  return [
    'import "hash"',
    '',
    `rule mail_airlock_${sha256.slice(0, 16)}`,
    '{',
    '    meta:',
    `        description = "The file with the SHA-256 ${sha256}"`,
    `        submission = "${submission.uuid}"`,
    `        level = "${levelOf(submission)}"`,
    `        date = "${new Date(submission.createdAtMs).toISOString().slice(0, 10)}"`,
    '    condition:',
    `        filesize == ${subject.size} and hash.sha256(0, filesize) == "${sha256}"`,
    '}',
    '',
    ...(submission.yaraRule === undefined ? [] : [submission.yaraRule]),
  ].join('\n');
}
