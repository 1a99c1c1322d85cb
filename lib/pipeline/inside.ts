/** What is inside a container counts for the container: the worst verdict, every failure, and what may not be kept. Pure. */

import { type ArtifactId, fileIdOf } from './artifact-id.ts';
import { isAsStrict } from './conservation.ts';
import { type Judgement, worseOf } from './judge.ts';
import { isMember, type Ledger, MEMBER_MARK } from './ledger.ts';
import type { Disposition, Verdict } from './model.ts';

/** What a container holds, at any depth. */
export interface Inside {
  readonly verdict: Verdict;
  /** The artifact with the worst verdict, when that is worse than benign; as a place in the message. */
  readonly worstAt: string | null;
  /** Places whose analysis failed, and why, in plain words. */
  readonly failures: readonly string[];
  /** The strictest disposition of what it holds; `keep` when there is nothing. */
  readonly strictest: Disposition;
}

/** By the id of each container's artifact. Artifacts must have been judged each by itself. */
export function insideOf(ledger: Ledger, judgements: readonly Judgement[]): ReadonlyMap<ArtifactId, Inside> {
  const byId = new Map<ArtifactId, Judgement>(judgements.map((judgement) => [judgement.artifact.id, judgement]));
  const heldBy = contentsById(ledger);
  return new Map(
    [...heldBy.keys()].map((id) => {
      const origins = byId.get(id)?.artifact.origins ?? [];
      return [id, summarise(reachable(id, heldBy), byId, origins)];
    }),
  );
}

/** What each container holds directly: its members, and the URLs found in them. By artifact, as equal content is opened once. */
function contentsById(ledger: Ledger): ReadonlyMap<ArtifactId, ReadonlySet<ArtifactId>> {
  const idOf = new Map(ledger.parts.map(({ path, sha256 }) => [path, sha256 === null ? null : fileIdOf(sha256)]));
  const heldBy = new Map<ArtifactId, Set<ArtifactId>>();
  const put = (container: ArtifactId | null | undefined, id: ArtifactId | null | undefined) => {
    if (container && id) heldBy.set(container, (heldBy.get(container) ?? new Set()).add(id));
  };
  for (const part of ledger.parts.filter(isMember)) put(idOf.get(part.container ?? ''), idOf.get(part.path));
  for (const { path, artifactId } of ledger.urls)
    if (path.includes(MEMBER_MARK)) put(idOf.get(path.slice(0, path.lastIndexOf(MEMBER_MARK))), artifactId);
  return heldBy;
}

/** Everything below a container. An archive that holds itself goes round once. */
function reachable(
  start: ArtifactId,
  heldBy: ReadonlyMap<ArtifactId, ReadonlySet<ArtifactId>>,
): ReadonlySet<ArtifactId> {
  const found = new Set<ArtifactId>();
  const waiting = [...(heldBy.get(start) ?? [])];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id) || id === start) continue;
    found.add(id);
    waiting.push(...(heldBy.get(id) ?? []));
  }
  return found;
}

function summarise(
  ids: ReadonlySet<ArtifactId>,
  byId: ReadonlyMap<ArtifactId, Judgement>,
  containers: readonly string[],
): Inside {
  const isWithin = (path: string) => containers.some((container) => path.startsWith(`${container}${MEMBER_MARK}`));
  let verdict: Verdict = 'benign';
  let worstAt: string | null = null;
  let strictest: Disposition = 'keep';
  const failures: string[] = [];
  for (const id of ids) {
    const judgement = byId.get(id);
    if (judgement === undefined) continue;
    const { artifact } = judgement;
    const place = artifact.origins.find(isWithin) ?? artifact.origins.join(', ');
    if (worseOf(verdict, artifact.verdict) !== verdict) {
      verdict = artifact.verdict;
      worstAt = place;
    }
    const own = artifact.disposition ?? 'remove';
    if (isAsStrict(own, strictest)) strictest = own;
    if (judgement.hasFailed) failures.push(`${place}: ${artifact.reasons[0] ?? 'it could not be judged'}`);
  }
  return { verdict, worstAt, failures, strictest };
}

/** A judgement of a container with what is inside it. */
export function withInside(judgement: Judgement, inside: Inside, wanted: (verdict: Verdict) => Disposition): Judgement {
  const { artifact, hasFailed } = judgement;
  const verdict = worseOf(artifact.verdict, inside.verdict);
  const reasons = [...artifact.reasons];
  if (verdict !== artifact.verdict) reasons.push(`holds something ${verdict} (${inside.worstAt ?? 'inside'})`);
  reasons.push(...inside.failures.slice(0, MOST_REASONS).map((failure) => `inside it, ${failure}`));
  if (hasFailed || inside.failures.length > 0)
    return { ...judgement, hasFailed: true, artifact: { ...artifact, verdict, disposition: 'remove', reasons } };
  const own = verdict === artifact.verdict ? (artifact.disposition ?? 'remove') : wanted(verdict);
  // A container is delivered as a whole: it may be no more than what is in it.
  const allowed = own === 'remove' || isAsStrict(own, inside.strictest);
  if (!allowed) reasons.push('policy does not let through all that is in it');
  return { ...judgement, artifact: { ...artifact, verdict, disposition: allowed ? own : 'remove', reasons } };
}

/** A container of a thousand closed files. */
const MOST_REASONS = 5;
