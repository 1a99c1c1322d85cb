/** The findings for the targets of links and of what is loaded, the same in every format. */
import type { Finding } from '../../engine.ts';
import { type FindingId, finding } from './findings.ts';
import { judgeClicked } from './link-target.ts';

/** A target, and what is said of it; null for an ordinary one. */
export type JudgedTarget = readonly [id: FindingId | null, untrustedTarget: string];

/** One finding of each kind, with one of its targets. */
export function findingsOfTargets(judged: readonly JudgedTarget[], where: string): Finding[] {
  return [...new Map(judged)].flatMap(([id, target]) => (id === null ? [] : [finding(id, where, target)]));
}

/** The same for links that wait for a click. */
export function judgeClickedLinks(untrustedTargets: readonly string[], where: string): Finding[] {
  return findingsOfTargets(
    untrustedTargets.map((target): JudgedTarget => [judgeClicked(target), target]),
    where,
  );
}
