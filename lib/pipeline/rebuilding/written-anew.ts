/**
 * Opens a container again that the disarm wrote anew without the members that must go. The writer is not trusted. The result may contain no
 * member that must be removed, and no member of a kind that may never stay.
 */
import { singleStream } from '../../formats/archives/gzip-layout.ts';
import { openWrittenZip } from '../../formats/archives/plain-zip.ts';
import { mostBytes } from '../../formats/archives/unpacking.ts';
import { identifyFile } from '../../formats/detection/file-type.ts';
import { createBudget } from '../../message/containers/budget.ts';
import type { Budget } from '../../message/containers/container.ts';
import { decodePart } from '../../message/encodings/decode-part.ts';
import { readMessage } from '../../message/reading/read.ts';
import type { CheckedContext } from '../context.ts';
import { everythingIn } from '../judging/container-contents.ts';
import { withMemberDispositions } from '../judging/member-dispositions.ts';
import { sha256Hex } from '../keys.ts';
import type { Artifact, FileArtifact } from '../ledger/artifact.ts';
import { type FileId, fileIdOf } from '../ledger/artifact-id.ts';
import { leavesOf } from '../ledger/artifacts-of.ts';
import { isLeaf, type Ledger } from '../ledger/ledger.ts';
import type { Limits } from '../limits.ts';
import type { TypeGroup } from '../model.ts';
import { readDisarmed } from './replacement.ts';

/** The members of a container that must be removed, and those that may stay. */
interface LeftOut {
  readonly ids: ReadonlySet<FileId>;
  readonly groups: ReadonlySet<TypeGroup>;
  readonly stayingIds: ReadonlySet<FileId>;
  readonly stayingGroups: ReadonlySet<TypeGroup>;
}

/** Returns the members that must be removed from this container; null when there are none, or when it is removed as a whole. */
function leftOutOf(ledger: Ledger, { id, disposition }: FileArtifact): LeftOut | null {
  if (disposition !== 'disarm') return null;
  const removed = new Set<string>(
    ledger.artifacts.filter((each) => each.disposition === 'remove').map((each) => each.id),
  );
  const all = everythingIn(ledger, id);
  // The content of a removed container is removed with it.
  const stays = everythingIn(ledger, id, (each) => removed.has(each));
  const files = ledger.artifacts.filter((artifact) => artifact.type === 'file').filter((file) => all.has(file.id));
  const staying = files.filter((file) => stays.has(file.id));
  const going = files.filter((file) => !stays.has(file.id));
  if (going.length === 0) return null;
  const idsOf = (list: typeof files) => new Set(list.map((file) => file.id));
  const groupsOf = (list: typeof files) => new Set(list.map(({ typeGroup }) => typeGroup));
  return {
    ids: idsOf(going),
    groups: groupsOf(going),
    stayingIds: idsOf(staying),
    // The note about the omissions is a text.
    stayingGroups: new Set([...groupsOf(staying), 'text']),
  };
}

/** Returns the reason why a container that was written anew may not be delivered, in plain words; null when it may. */
async function problemOf(limits: Limits, leftOut: LeftOut, bytes: Uint8Array): Promise<string | null> {
  // Members and bytes bound the work, so no opening here needs the time.
  const budget = createBudget(limits, () => 0);
  const waiting = [{ bytes, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const members = next.depth < limits.containerDepth ? await membersOf(limits, budget, next.bytes) : null;
    if (members === null) return 'it cannot be opened again';
    for (const member of members) {
      const problem = problemOfMember(leftOut, member);
      if (problem !== null) return problem;
      if (member.isContainer) waiting.push({ bytes: member.bytes, depth: next.depth + 1 });
    }
  }
  return null;
}

interface WrittenMember {
  readonly bytes: Uint8Array;
  readonly typeGroup: TypeGroup;
  readonly isContainer: boolean;
}

function problemOfMember(leftOut: LeftOut, { bytes, typeGroup }: WrittenMember): string | null {
  const id = fileIdOf(sha256Hex(bytes));
  if (leftOut.ids.has(id)) return 'a file that must go is still in it';
  if (leftOut.stayingIds.has(id)) return null;
  // Nobody knows which file of this kind was written anew: the one that may stay, or the one that must be removed.
  if (leftOut.groups.has(typeGroup)) return `a file in it (${typeGroup}) could be one that must go`;
  return leftOut.stayingGroups.has(typeGroup) ? null : `a file in it (${typeGroup}) is of no kind that may stay`;
}

/**
 * Returns the files in a zip, a gzip or a message. Returns null for anything else, for content that programs may read differently, and over
 * the budget.
 */
async function membersOf(limits: Limits, budget: Budget, bytes: Uint8Array): Promise<WrittenMember[] | null> {
  const { detectedType } = identifyFile(bytes, { untrustedNames: [], declaredType: '', role: 'file' });
  if (detectedType === 'application/zip') return membersOfZip(budget, bytes);
  if (detectedType === 'application/gzip') return memberOfGzip(budget, bytes);
  if (detectedType === 'text/html') return membersOfPage(bytes);
  return detectedType === 'message/rfc822' && budget.takeReading(bytes.length) ? membersOfMessage(limits, bytes) : null;
}

const DECLARED = { declaredType: 'application/octet-stream', charset: null, role: 'file' } as const;

function membersOfZip(budget: Budget, bytes: Uint8Array): WrittenMember[] | null {
  const unpacked = openWrittenZip({ bytes, allowance: budget.allowance() });
  if (unpacked?.outcome !== 'opened') return null;
  const members = unpacked.members.map((member) => ({ ...member, ...DECLARED }));
  budget.spend(members);
  return members.map((member) => writtenMember(member.bytes, member));
}

function memberOfGzip(budget: Budget, bytes: Uint8Array): WrittenMember[] | null {
  const allowance = budget.allowance();
  const most = Math.min(mostBytes(allowance, bytes.length), allowance.memberBytes);
  const content = allowance.members === 0 ? null : streamWithin(bytes, most);
  if (content === null) return null;
  budget.spend([{ path: '1', untrustedNames: [], bytes: content, ...DECLARED }]);
  return [writtenMember(content, { untrustedNames: [], ...DECLARED })];
}

function streamWithin(bytes: Uint8Array, most: number): Uint8Array | null {
  try {
    return singleStream(bytes, most);
  } catch {
    // Its content exceeds the budget.
    return null;
  }
}

/** Reads a web archive that became one page, with its pictures in it. */
function membersOfPage(bytes: Uint8Array): WrittenMember[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const pictures = [...text.matchAll(PICTURE_IN_PAGE)].map(([, type = '', content = '']) =>
    writtenMember(Buffer.from(content, 'base64'), { untrustedNames: [], declaredType: type, role: 'attachment' }),
  );
  return [{ bytes, typeGroup: 'html', isContainer: false }, ...pictures];
}

const PICTURE_IN_PAGE = /data:([a-z]+\/[a-z0-9.+-]+);base64,([A-Za-z0-9+/=]*)/g;

async function membersOfMessage(limits: Limits, bytes: Uint8Array): Promise<WrittenMember[] | null> {
  const { parts, warnings } = await readMessage(bytes, limits);
  if (warnings.some(({ code }) => code === 'readings_disagree' || code === 'reading_skipped')) return null;
  return parts
    .filter(({ sha256 }) => sha256 !== null)
    .map((part) => {
      const role = part.role === 'body' ? 'body' : 'attachment';
      return writtenMember(decodePart(bytes, part), { ...part, role });
    });
}

function writtenMember(bytes: Uint8Array, hints: Parameters<typeof identifyFile>[1]): WrittenMember {
  const { typeGroup } = identifyFile(bytes, hints);
  return { bytes, typeGroup, isContainer: typeGroup === 'archive' || (typeGroup === 'email' && hints.role !== 'body') };
}

/**
 * Returns the ledger in which each rewritten container that may not be delivered is removed as a whole. Reads only containers from which
 * something must be removed. Throws RebuildMismatchError when a disarmed file differs from the ledger.
 */
export async function withoutFaultyContainers(ctx: CheckedContext, ledger: Ledger): Promise<Ledger> {
  const faults = new Map<FileId, string>();
  for (const { artifact } of leavesOf(ledger)) {
    const leftOut = faults.has(artifact.id) ? null : leftOutOf(ledger, artifact);
    const problem = leftOut && (await problemOf(ctx.limits, leftOut, await readDisarmed(ctx, artifact)));
    if (problem !== null) faults.set(artifact.id, problem);
  }
  if (faults.size === 0) return ledger;
  const artifacts = ledger.artifacts.map((artifact): Artifact => {
    const fault = artifact.type === 'file' ? faults.get(artifact.id) : undefined;
    if (fault === undefined) return artifact;
    const reasons = [...artifact.reasons, `it goes as a whole: ${fault}`];
    return { ...artifact, disposition: 'remove', removedFor: 'contents_not_allowed', reasons };
  });
  const decided = { ...ledger, artifacts };
  const going = leavesOf(decided).filter(({ artifact }) => faults.has(artifact.id));
  const leaves = new Map(ledger.parts.filter(isLeaf).map(({ path, disposition }) => [path, disposition] as const));
  for (const { part } of going) leaves.set(part.path, 'remove');
  return { ...decided, parts: withMemberDispositions(decided, leaves) };
}
