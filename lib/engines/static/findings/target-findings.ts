/** The findings for the targets of links and of loaded content, the same in every format. */
import type { Finding } from '../../engine.ts';
import { asFact, type FindingId, finding } from './findings.ts';
import { judgeClicked } from './link-target.ts';

/** A target and its finding; null for an ordinary one. `fact`: it is there, and no sign of anything. */
export type JudgedTarget = readonly [id: FindingId | null, untrustedTarget: string, weight?: 'fact'];

/** Returns one finding of each kind and weight, with one of its targets. */
export function findingsOfTargets(judged: readonly JudgedTarget[], where: string): Finding[] {
  const found = new Map<string, Finding>();
  for (const [id, target, weight] of judged) {
    if (id === null) continue;
    const one = finding(id, where, target);
    found.set(`${id} ${weight}`, weight === 'fact' ? asFact(one) : one);
  }
  return [...found.values()];
}

/** Does the same for links that wait for a click. */
export function judgeClickedLinks(untrustedTargets: readonly string[], where: string): Finding[] {
  return findingsOfTargets(
    untrustedTargets.map((target): JudgedTarget => [judgeClicked(target), target]),
    where,
  );
}
