/**
 * How findings become a level.
 *
 * | level      | when                                                                                          |
 * |------------|-----------------------------------------------------------------------------------------------|
 * | malicious  | any finding is malicious                                                                      |
 * | suspicious | any finding is suspicious, or the scores add up to SUSPICIOUS_SCORE                           |
 * | benign     | no finding at all, and a module that understands the type read the whole file                 |
 * | unknown    | everything else: no module, a module that could not read all of it, only facts and no findings |
 *
 * A finding of level `benign` is a fact worth showing (a program's kind, a member that was not looked at). It never makes a file
 * suspicious by itself, but a file with one is not called benign either.
 */
import type { Finding, Level } from '../engine.ts';

/** Sum of scores from which on facts together are suspicious. */
export const SUSPICIOUS_SCORE = 40;
const MAX_SCORE = 100;

/** The level and the score (0 to 100) of all findings of a file. */
export function scoreFindings(findings: readonly Finding[], understood: boolean): { level: Level; score: number } {
  const score = Math.min(
    MAX_SCORE,
    findings.reduce((sum, finding) => sum + finding.score, 0),
  );
  return { level: levelOf(findings, score, understood), score };
}

function levelOf(findings: readonly Finding[], score: number, understood: boolean): Level {
  if (findings.some((finding) => finding.level === 'malicious')) return 'malicious';
  if (findings.some((finding) => finding.level === 'suspicious') || score >= SUSPICIOUS_SCORE) return 'suspicious';
  return understood && findings.length === 0 ? 'benign' : 'unknown';
}
