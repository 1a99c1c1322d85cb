/** Decides which analyses an artifact needs before a decision. `submit` and `decide` both use it. */
import type { Artifact } from '../ledger/artifact.ts';
import { isOnlyInContainers, type Ledger } from '../ledger/ledger.ts';
import type { Kind } from '../model.ts';
import type { Policy } from '../policy/policy.ts';

/**
 * Returns the analyses that policy asks for. An artifact that is only inside containers is judged but not disarmed. A container is
 * delivered or removed as a whole, so a disarmed member would replace nothing.
 */
export function kindsWanted(policy: Policy, artifact: Artifact): readonly Kind[] {
  const kinds: readonly Kind[] = policy.types[artifact.typeGroup].analyses;
  if (artifact.type === 'url' || !isOnlyInContainers(artifact)) return kinds;
  const judging = kinds.filter((kind) => kind !== 'cdr');
  // When a policy only disarms a group, no other analysis judges it, so the disarm is requested anyway.
  return judging.length > 0 ? judging : kinds;
}

/** Returns true for a message that is held for its size. Only its first artifacts are analysed. */
export function isOverLimit({ warnings }: Pick<Ledger, 'warnings'>): boolean {
  return warnings.some(({ code }) => code === 'limit_exceeded');
}
