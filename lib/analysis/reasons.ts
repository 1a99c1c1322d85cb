/** Why a report says what it says, in sentences of bounded length. */
import type { SubmissionReport } from './contract/v3-submission.ts';

/** A service that explains itself in megabytes. */
const MAX_REASONS = 50;
export const MAX_REASON_LENGTH = 300;

/** The findings of a report, or what else it rests on. */
export function reasonsOf({ type, level, score, findings }: SubmissionReport): string[] {
  if (findings.length > 0) return findings.map(({ name, description }) => `${name}: ${description}`);
  // A disarm does not judge: what it did is in removed and sanitized. And of benign there is nothing more to say.
  if (type === 'cdr' || level === 'benign') return [];
  const scored = score === null ? '' : ` with score ${score}`;
  return [`${type} analysis: ${level === null ? 'no level given' : `level ${level}`}${scored}`];
}

/** At most so many, and each cut. */
export const bounded = (texts: readonly string[]) =>
  texts.slice(0, MAX_REASONS).map((text) => text.slice(0, MAX_REASON_LENGTH));
