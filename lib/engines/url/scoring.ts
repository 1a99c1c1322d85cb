/**
 * How the findings of a URL become a level.
 *
 * | level      | when                                                                                                     |
 * |------------|----------------------------------------------------------------------------------------------------------|
 * | malicious  | any finding is malicious, or at least two are suspicious and their scores add up to MALICIOUS_SCORE      |
 * | suspicious | any finding is suspicious, or the scores add up to SUSPICIOUS_SCORE                                      |
 * | unknown    | the page was to be visited and was not seen to its end, and none of the above                            |
 * | benign     | everything else                                                                                          |
 *
 * A finding of level `benign` is a fact. Unlike in files, a URL with facts below SUSPICIOUS_SCORE is benign: a tracking link of a
 * newsletter has a URL inside, and a link to a foreign shop has a foreign name. Each rule counts once, however often it matched.
 */
import type { Finding, Level } from '../engine.ts';

/** From this sum of scores on, facts together are suspicious. */
export const SUSPICIOUS_SCORE = 40;
/** From this sum of suspicious scores on, the tricks together have no innocent explanation. */
export const MALICIOUS_SCORE = 120;
const MAX_SCORE = 100;

/** Returns the level and the score (0 to 100) of all findings of a URL. `isWhole`: the check covered everything. */
export function scoreUrl(findings: readonly Finding[], isWhole: boolean): { level: Level; score: number } {
  const once = [...new Map(findings.map((finding) => [finding.id, finding])).values()];
  const sum = (counted: readonly Finding[]) => counted.reduce((total, { score }) => total + score, 0);
  return { level: levelOf(once, sum, isWhole), score: Math.min(MAX_SCORE, sum(once)) };
}

function levelOf(once: readonly Finding[], sum: (counted: readonly Finding[]) => number, isWhole: boolean): Level {
  if (once.some(({ level }) => level === 'malicious')) return 'malicious';
  const tricks = once.filter(({ level }) => level === 'suspicious');
  if (tricks.length > 1 && sum(tricks) >= MALICIOUS_SCORE) return 'malicious';
  if (tricks.length > 0 || sum(once) >= SUSPICIOUS_SCORE) return 'suspicious';
  return isWhole ? 'benign' : 'unknown';
}
