/** Which analyses an artifact must have before it can be decided on. `submit` and `decide` both ask. */
import type { Artifact } from '../ledger/artifact.ts';
import { isOnlyInContainers } from '../ledger/ledger.ts';
import type { Kind } from '../model.ts';
import type { Policy } from '../policy/policy.ts';

/**
 * The analyses that policy asks for. An artifact that is only inside containers is judged but not disarmed: a container is delivered
 * or removed as a whole, so a disarmed member would replace nothing.
 */
export function kindsWanted(policy: Policy, artifact: Artifact): readonly Kind[] {
  const kinds: readonly Kind[] = policy.types[artifact.typeGroup].analyses;
  if (artifact.type === 'url' || !isOnlyInContainers(artifact)) return kinds;
  const judging = kinds.filter((kind) => kind !== 'cdr');
  // When a policy only disarms a group, nothing else judges it, so the disarm is asked for all the same.
  return judging.length > 0 ? judging : kinds;
}
