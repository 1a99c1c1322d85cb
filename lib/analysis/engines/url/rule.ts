/** A row of the tables of what the URL engine can find. */
import type { Finding } from '../engine.ts';

/**
 * Scores run from 0 to 100. 90 and more: the URL is the attack. 50 to 80: a trick that ordinary mail has no use for. 40: a habit of
 * attacks that some ordinary mail has too. Below: a fact, which together with others can be a reason (scoring.ts).
 */
export type Rule = Pick<Finding, 'name' | 'description' | 'level' | 'score'> & {
  readonly techniques: readonly string[];
};

/** A row; phishing by a link is the technique where nothing else is said. */
export const rule = (
  level: Rule['level'],
  score: number,
  name: string,
  description: string,
  techniques: readonly string[] = ['T1566.002'],
): Rule => ({ level, score, name, description, techniques });
