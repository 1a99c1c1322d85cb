/** One row of the tables of findings of the URL engine. */
import type { Finding } from '../engine.ts';

/**
 * Scores are from 0 to 100. 90 and more: the URL is an attack. 50 to 80: a trick that ordinary mail has no use for. 40: attacks often
 * do it, but some ordinary mail does it too. Below 40: a fact, which counts together with others (scoring.ts).
 */
export type Rule = Pick<Finding, 'name' | 'description' | 'level' | 'score'> & {
  readonly techniques: readonly string[];
};

/** Makes a row. The default technique is phishing by a link. */
export const rule = (
  level: Rule['level'],
  score: number,
  name: string,
  description: string,
  techniques: readonly string[] = ['T1566.002'],
): Rule => ({ level, score, name, description, techniques });
