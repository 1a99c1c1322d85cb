/** What must hold of every ledger: nothing that came in is lost, and everything has one disposition. Pure. */
import { isLeaf, isMember, type Ledger, type Part } from './ledger.ts';

/** How many leaf parts came in, and what was decided for them. in = kept + disarmed + removed once decided. */
export function tally(ledger: Ledger): {
  in: number;
  kept: number;
  disarmed: number;
  removed: number;
  undecided: number;
} {
  const leaves = ledger.parts.filter(isLeaf);
  const count = (disposition: Part['disposition']) => leaves.filter((part) => part.disposition === disposition).length;
  return {
    in: leaves.length,
    kept: count('keep'),
    disarmed: count('disarm'),
    removed: count('remove'),
    undecided: count(null),
  };
}

/** What of the invariants does not hold, in words; empty when all do. `decided` also asks for a disposition everywhere. */
export function checkConservation(ledger: Ledger, decided: boolean): string[] {
  const ids = new Set(ledger.artifacts.map((artifact) => artifact.id));
  const problems: string[] = [];
  for (const part of ledger.parts.filter(isLeaf)) {
    if (part.sha256 === null || !ids.has(part.sha256)) problems.push(`part ${part.path} has no artifact`);
    if (decided && part.disposition === null) problems.push(`part ${part.path} has no disposition`);
  }
  problems.push(...memberProblems(ledger, ids));
  for (const url of ledger.urls)
    if (!ids.has(url.artifactId)) problems.push(`a URL in part ${url.path} has no artifact`);
  for (const artifact of ledger.artifacts) {
    if (artifact.origins.length === 0) problems.push(`artifact ${artifact.id} has no origin`);
    if (decided && artifact.disposition === null) problems.push(`artifact ${artifact.id} has no disposition`);
  }
  return problems;
}

function memberProblems(ledger: Ledger, ids: ReadonlySet<string>): string[] {
  const byPath = new Map(ledger.parts.map((part) => [part.path, part]));
  return ledger.parts.filter(isMember).flatMap((member) => {
    const container = byPath.get(member.container ?? '');
    if (container === undefined) return [`member ${member.path} has no container`];
    if (member.sha256 === null || !ids.has(member.sha256)) return [`member ${member.path} has no artifact`];
    return member.disposition === container.disposition ? [] : [`member ${member.path} is not where its container is`];
  });
}
