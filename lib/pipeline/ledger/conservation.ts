/** The invariants of every ledger: nothing that came in is lost, and everything has exactly one disposition. Pure. */

import type { Disposition } from '../model.ts';
import { type FilesById, fileOf, filesById } from './artifacts-of.ts';
import { isLeaf, isMember, type Ledger, type Part } from './ledger.ts';

/** Returns how many leaf parts came in, and their dispositions. After the decision, in = kept + disarmed + removed. */
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

/** Returns the invariants that do not hold, in words; empty when all hold. With `decided`, everything must also have a disposition. */
export function checkConservation(ledger: Ledger, decided: boolean): string[] {
  const ids = new Set<string>();
  const problems: string[] = [];
  for (const { id, origins, disposition } of ledger.artifacts) {
    if (ids.has(id)) problems.push(`artifact ${id} is listed twice`);
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
    const file = fileOf(files, member);
    if (file === undefined) return [`member ${member.path} has no artifact`];
    // A member that must be removed from a container that is written anew is removed alone.
    const isLeftOut = container.disposition === 'disarm' && member.disposition === 'remove';
    if (member.disposition !== container.disposition && !isLeftOut)
      return [`member ${member.path} has another disposition than its container`];
    const isMild = container.disposition === 'disarm' && file.disposition === 'remove' && !isLeftOut;
    return isMild ? [`member ${member.path} is treated more mildly than its file`] : [];
  });
}

/** In order of strictness: the first changes nothing, the last leaves nothing. */
const STRICTNESS: readonly Disposition[] = ['keep', 'disarm', 'remove'];

/** Returns true when the first disposition lets no more through than the second. */
export function isAsStrict(one: Disposition, other: Disposition): boolean {
  return STRICTNESS.indexOf(one) >= STRICTNESS.indexOf(other);
}

/** Returns leaves that are treated more mildly than the file of their own bytes, in words. */
export function mildParts(ledger: Ledger): string[] {
  const files = filesById(ledger);
  return ledger.parts.filter(isLeaf).flatMap((part) => {
    const own = fileOf(files, part)?.disposition ?? 'remove';
    return isAsStrict(part.disposition ?? 'keep', own)
      ? []
      : [`part ${part.path} is treated more mildly than its file`];
  });
}
