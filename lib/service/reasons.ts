/** The reasons for the verdict of a report, in sentences of bounded length. */
import type { SubmissionReport } from './contract/v3-submission.ts';

/** A service that explains itself in megabytes. */
const MAX_REASONS = 50;
export const MAX_REASON_LENGTH = 300;

/** The findings of a report; when there are none, its level and score. */
export function reasonsOf({ type, level, score, findings }: SubmissionReport): string[] {
  if (findings.length > 0) return findings.map(({ name, description }) => `${name}: ${description}`);
  // A disarm gives no level: what it did is in `removed` and `sanitized`. A benign report needs no reason.
  if (type === 'cdr' || level === 'benign') return [];
  const scored = score === null ? '' : ` with score ${score}`;
  return [`${type} analysis: ${level === null ? 'no level given' : `level ${level}`}${scored}`];
}

/** Limits the number of reasons and the length of each. */
export const bounded = (texts: readonly string[]) =>
  texts.slice(0, MAX_REASONS).map((text) => text.slice(0, MAX_REASON_LENGTH));
