/** What must hold of every ledger: nothing that came in is lost, and everything has one disposition. Pure. */
import { type FilesById, fileOf, filesById } from './artifacts-of.ts';
import { isLeaf, isMember, type Ledger, type Part } from './ledger.ts';
import type { Disposition } from './model.ts';

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
  const ids = new Set<string>();
  const problems: string[] = [];
  for (const { id, origins, disposition } of ledger.artifacts) {
    if (ids.has(id)) problems.push(`artifact ${id} stands twice`);
    ids.add(id);
    if (origins.length === 0) problems.push(`artifact ${id} has no origin`);
    if (decided && disposition === null) problems.push(`artifact ${id} has no disposition`);
  }
  const files = filesById(ledger);
  for (const part of ledger.parts.filter(isLeaf)) {
    if (fileOf(files, part) === undefined) problems.push(`part ${part.path} has no artifact`);
    if (decided && part.disposition === null) problems.push(`part ${part.path} has no disposition`);
  }
  problems.push(...memberProblems(ledger, files), ...(decided ? mildParts(ledger) : []));
  for (const url of ledger.urls)
    if (!ids.has(url.artifactId)) problems.push(`a URL in part ${url.path} has no artifact`);
  return problems;
}

function memberProblems(ledger: Ledger, files: FilesById): string[] {
  const byPath = new Map(ledger.parts.map((part) => [part.path, part]));
  return ledger.parts.filter(isMember).flatMap((member) => {
    const container = byPath.get(member.container ?? '');
    if (container === undefined) return [`member ${member.path} has no container`];
    if (fileOf(files, member) === undefined) return [`member ${member.path} has no artifact`];
    return member.disposition === container.disposition ? [] : [`member ${member.path} is not where its container is`];
  });
}

/** From what changes nothing to what leaves nothing. */
const STRICTNESS: readonly Disposition[] = ['keep', 'disarm', 'remove'];

/** True when one disposition lets through no more than another does. */
export function isAsStrict(one: Disposition, other: Disposition): boolean {
  return STRICTNESS.indexOf(one) >= STRICTNESS.indexOf(other);
}

/** Leaves that are let through more mildly than the file that their own bytes are, in words. */
export function mildParts(ledger: Ledger): string[] {
  const files = filesById(ledger);
  return ledger.parts.filter(isLeaf).flatMap((part) => {
    const own = fileOf(files, part)?.disposition ?? 'remove';
    return isAsStrict(part.disposition ?? 'keep', own)
      ? []
      : [`part ${part.path} is let through more mildly than its file`];
  });
}
