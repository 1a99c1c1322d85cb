/** Which analyses an artifact must have before it can be decided on. Asked by `submit`, and again by `decide`. */
import { type Artifact, isOnlyInside } from './ledger.ts';
import type { Kind } from './model.ts';
import type { Policy } from './policy.ts';

/**
 * What policy asks for. What stands only inside containers is judged but not disarmed: its disarmed form could take nothing's
 * place, because a container is delivered or removed as a whole.
 */
export function kindsWanted(policy: Policy, artifact: Artifact): readonly Kind[] {
  const kinds: readonly Kind[] = policy.types[artifact.typeGroup].analyses;
  if (artifact.type === 'url' || !isOnlyInside(artifact)) return kinds;
  const judging = kinds.filter((kind) => kind !== 'cdr');
  // A policy that only disarms a group has no judgement of it: the disarm is then asked for after all.
  return judging.length > 0 ? judging : kinds;
}
