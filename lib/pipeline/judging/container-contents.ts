/** The content of a container counts for the container: the worst verdict, every failure, and everything that may not be kept. Pure. */

import { type ArtifactId, fileIdOf } from '../ledger/artifact-id.ts';
import { isAsStrict } from '../ledger/conservation.ts';
import { isMember, type Ledger, MEMBER_MARK } from '../ledger/ledger.ts';
import type { Disposition, Verdict } from '../model.ts';
import { type Judgement, removalCodeOf, worseOf } from './judge.ts';

/** The content of a container, at any depth. */
export interface ContainerContents {
  readonly verdict: Verdict;
  /** The place in the message of the artifact with the worst verdict, if that verdict is worse than benign. */
  readonly worstAt: string | null;
  /** Places whose analysis failed, with the reason in plain words. */
  readonly failures: readonly string[];
  /** The strictest disposition of its contents; `keep` when it is empty. */
  readonly strictest: Disposition;
  /** The strictest disposition of the links in it. */
  readonly strictestLink: Disposition;
}

/** The rule of policy for one container. */
export interface ContainerRule {
  /** Returns the disposition that policy wants for a container of this verdict. */
  readonly wanted: (verdict: Verdict) => Disposition;
  /** True when the container is written anew without the members that must go. Otherwise it is removed with them. */
  readonly isRewritten: boolean;
  /** True when its disarm examined every member, and found nothing to remove. */
  readonly isUnchanged: boolean;
}

/** Returns the contents by the id of each container's artifact. Each artifact must already have been judged by itself. */
export function containerContents(
  ledger: Ledger,
  judgements: readonly Judgement[],
): ReadonlyMap<ArtifactId, ContainerContents> {
  const byId = new Map<ArtifactId, Judgement>(judgements.map((judgement) => [judgement.artifact.id, judgement]));
  const heldBy = contentsById(ledger);
  return new Map(
    [...heldBy.keys()].map((id) => {
      const origins = byId.get(id)?.artifact.origins ?? [];
      return [id, summarise(reachable(id, heldBy), byId, origins)];
    }),
  );
}

/** Returns everything in a container, at any depth: files and links. With `goes`, that member and its contents are left out. */
export function everythingIn(
  ledger: Ledger,
  container: ArtifactId,
  goes: (id: ArtifactId) => boolean = () => false,
): ReadonlySet<ArtifactId> {
  return reachable(container, contentsById(ledger), goes);
}

/**
 * Returns the direct content of each container: its members, and the URLs found in them. It is listed by artifact, because equal content is
 * opened once.
 */
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

/** Returns everything below a container, without `goes` and everything below it. An archive that contains itself is visited once. */
function reachable(
  start: ArtifactId,
  heldBy: ReadonlyMap<ArtifactId, ReadonlySet<ArtifactId>>,
  goes: (id: ArtifactId) => boolean = () => false,
): ReadonlySet<ArtifactId> {
  const found = new Set<ArtifactId>();
  const waiting = [...(heldBy.get(start) ?? [])];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id) || id === start || goes(id)) continue;
    found.add(id);
    waiting.push(...(heldBy.get(id) ?? []));
  }
  return found;
}

function summarise(
  ids: ReadonlySet<ArtifactId>,
  byId: ReadonlyMap<ArtifactId, Judgement>,
  containers: readonly string[],
): ContainerContents {
  const isWithin = (path: string) => containers.some((container) => path.startsWith(`${container}${MEMBER_MARK}`));
  let verdict: Verdict = 'benign';
  let worstAt: string | null = null;
  let strictest: Disposition = 'keep';
  let strictestLink: Disposition = 'keep';
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
    if (artifact.type === 'url' && isAsStrict(own, strictestLink)) strictestLink = own;
    if (judgement.hasFailed) failures.push(`${place}: ${artifact.reasons[0] ?? 'it could not be judged'}`);
  }
  return { verdict, worstAt, failures, strictest, strictestLink };
}

/** Returns the judgement of a container, made as strict as its contents require. */
export function judgeWithContents(judgement: Judgement, contents: ContainerContents, rule: ContainerRule): Judgement {
  const { artifact, hasFailed } = judgement;
  const verdict = worseOf(artifact.verdict, contents.verdict);
  const reasons = [...artifact.reasons];
  if (verdict !== artifact.verdict) reasons.push(`something in it is ${verdict} (${contents.worstAt ?? 'inside'})`);
  reasons.push(...contents.failures.slice(0, MAX_REASONS).map((failure) => `inside it, ${failure}`));
  if (hasFailed || contents.failures.length > 0) {
    const removedFor = hasFailed ? artifact.removedFor : 'contents_not_allowed';
    return {
      ...judgement,
      hasFailed: true,
      artifact: { ...artifact, verdict, disposition: 'remove', removedFor, reasons },
    };
  }
  const own = verdict === artifact.verdict ? (artifact.disposition ?? 'remove') : rule.wanted(verdict);
  const disposition = withMembers(own, contents, rule);
  if (disposition !== own)
    reasons.push(
      disposition === 'remove' ? 'policy does not allow everything that is in it' : 'written anew without what must go',
    );
  const because = verdict === artifact.verdict ? artifact.removedFor : removalCodeOf(artifact, verdict);
  const removedFor = disposition !== 'remove' ? null : own === 'remove' ? because : 'contents_not_allowed';
  return { ...judgement, artifact: { ...artifact, verdict, disposition, removedFor, reasons } };
}

/**
 * Returns the disposition of a container. It is as strict as its contents, with two exceptions. A container may be written anew without the
 * members that must go. It may also be kept because there was nothing to remove from its members.
 */
function withMembers(
  own: Disposition,
  { strictest, strictestLink }: ContainerContents,
  { isRewritten, isUnchanged }: ContainerRule,
): Disposition {
  if (isAsStrict(own, strictest)) return own;
  if (isUnchanged && strictest === 'disarm' && strictestLink === 'keep') return own;
  return strictest === 'remove' && isRewritten ? 'disarm' : 'remove';
}

/** The most reasons. A container may hold a thousand encrypted files, each with its own reason. */
const MAX_REASONS = 5;
