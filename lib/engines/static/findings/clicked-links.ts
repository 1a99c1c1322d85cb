/** The findings for links that wait for a click, the same in every format. */
import type { Finding } from '../../engine.ts';
import { finding } from './findings.ts';
import { judgeClicked } from './link-target.ts';

/** One finding of each kind, with one of its targets; none for ordinary targets. */
export function judgeClickedLinks(untrustedTargets: readonly string[], where: string): Finding[] {
  const ids = new Map(untrustedTargets.map((target) => [judgeClicked(target), target]));
  return [...ids].flatMap(([id, target]) => (id === null ? [] : [finding(id, where, target)]));
}
