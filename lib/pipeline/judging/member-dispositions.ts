/** Decides about the members of containers. A member is treated like its container, or is left out of it. Pure. */
import { fileOf, filesById } from '../ledger/artifacts-of.ts';
import { isMember, type Ledger, type Part } from '../ledger/ledger.ts';
import type { Disposition } from '../model.ts';

/**
 * Returns the parts with their dispositions. `leaves` has the dispositions of the leaves, by path. A container comes before its members.
 */
export function withMemberDispositions(ledger: Ledger, leaves: ReadonlyMap<string, Disposition | null>): Part[] {
  const files = filesById(ledger);
  const byPath = new Map<string, Disposition | null>(leaves);
  return ledger.parts.map((part): Part => {
    if (!isMember(part)) return { ...part, disposition: leaves.get(part.path) ?? null };
    const around = byPath.get(part.container ?? '') ?? null;
    const isLeftOut = around === 'disarm' && fileOf(files, part)?.disposition === 'remove';
    const disposition = isLeftOut ? 'remove' : around;
    byPath.set(part.path, disposition);
    return { ...part, disposition };
  });
}
