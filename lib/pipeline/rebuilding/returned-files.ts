/**
 * Checks the files of a disarm service that is not part of this installation. A file that does not pass counts as never returned. Its
 * artifact has failed, and the policy judges the message again. If a file only passes when it is written anew, the new file is delivered.
 */
import type { Looked } from '../../formats/returned-file.ts';
import { mapSubmissions } from '../analysis/outstanding.ts';
import type { CheckedContext, RebuildContext } from '../context.ts';
import { decideLedger } from '../decide.ts';
import { ConfigError, HeldError, RebuildMismatchError } from '../errors.ts';
import { disarmedFileOf } from '../judging/judge.ts';
import { keys, sha256Hex } from '../keys.ts';
import { type Artifact, type FileArtifact, submittedExtensionOf, submittedIdOf } from '../ledger/artifact.ts';
import { fileIdOf, hashOf } from '../ledger/artifact-id.ts';
import { leavesOf } from '../ledger/artifacts-of.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Failure } from '../model.ts';
import type { SecondLook } from '../ports.ts';
import { inertText } from '../safe-text.ts';
import { readReturned } from './replacement.ts';

/** The files that may be delivered. */
interface Checked {
  readonly ledger: Ledger;
  readonly rewritten: CheckedContext['rewritten'];
}

/**
 * Returns the ledger as policy decides it without the files that did not pass, and the files that were written anew. Throws HeldError when
 * policy then holds the message, ConfigError when no file can be checked here, and RebuildMismatchError when a file differs from the
 * ledger.
 */
export async function withoutUnsafeReturns(ctx: RebuildContext, ledger: Ledger): Promise<Checked> {
  const { secondLook } = ctx;
  if (secondLook === null) return { ledger, rewritten: new Map() };
  const { failures, rewritten } = await lookAtAll(ctx, secondLook, ledger);
  const decided = decidedWithout(ctx, ledger, failures);
  return { ledger: { ...decided, artifacts: decided.artifacts.map(toldOf(rewritten)) }, rewritten };
}

/** Explains to readers of the ledger why the delivered file differs from the returned one. */
function toldOf(rewritten: Checked['rewritten']): (artifact: Artifact) => Artifact {
  return (artifact) =>
    rewritten.has(artifact.id) && artifact.disposition === 'disarm'
      ? { ...artifact, reasons: [...artifact.reasons, 'what the service returned was written anew before delivery'] }
      : artifact;
}

type Failures = ReadonlyMap<Artifact['id'], Failure>;

function decidedWithout(ctx: RebuildContext, ledger: Ledger, failures: Failures): Ledger {
  if (failures.size === 0) return ledger;
  const failed = mapSubmissions(ledger, (submission, artifact) => {
    const failure = submission.kind === 'cdr' ? failures.get(artifact.id) : undefined;
    return failure === undefined ? submission : { ...submission, status: 'error', failure, disarmed: null };
  });
  const decided = decideLedger(ctx.policy, { ...ledger, ...failed });
  if (decided.disposition === 'deliver') return { ...decided, artifacts: ledger.artifacts.map(judgedAs(decided)) };
  const [first] = decided.reasons;
  throw new HeldError({
    code: first?.code ?? 'unsafe_output',
    text: decided.reasons.map(({ text }) => text).join('; '),
  });
}

/** Keeps the answer of the service on record. Only the action differs. */
function judgedAs({ artifacts }: Ledger): (artifact: Artifact) => Artifact {
  const byId = new Map(artifacts.map((artifact) => [artifact.id, artifact] as const));
  return (artifact) => {
    const { disposition, reasons, removedFor } = byId.get(artifact.id) ?? artifact;
    return { ...artifact, disposition, reasons, removedFor };
  };
}

interface LookedAt {
  readonly failures: Failures;
  readonly rewritten: Checked['rewritten'];
}

async function lookAtAll(ctx: RebuildContext, secondLook: SecondLook, ledger: Ledger): Promise<LookedAt> {
  const failures = new Map<Artifact['id'], Failure>();
  const rewritten = new Map<Artifact['id'], Uint8Array>();
  let leftMs = ctx.limits.returnedWorkSeconds * 1_000;
  for (const artifact of returnedOf(ledger)) {
    const looked = await lookAtOne(ctx, secondLook, artifact, leftMs, (workMs) => {
      leftMs -= workMs;
    });
    const failure = failureOf(ctx, looked);
    if (failure !== null) failures.set(artifact.id, failure);
    else if (looked.outcome === 'passed' && looked.rewritten !== undefined)
      rewritten.set(artifact.id, looked.rewritten);
  }
  return { failures, rewritten };
}

/**
 * Returns the files that must be checked. A kept file counts, too: it was returned unchanged and is kept because the service found nothing
 * to remove.
 */
function returnedOf(ledger: Ledger): FileArtifact[] {
  const files = new Map(leavesOf(ledger).map(({ artifact }) => [artifact.id, artifact] as const));
  return [...files.values()].filter((file) => file.disposition !== 'remove' && disarmedFileOf(file) !== null);
}

async function lookAtOne(
  ctx: RebuildContext,
  secondLook: SecondLook,
  artifact: FileArtifact,
  workMs: number,
  onWork: (workMs: number) => void,
): Promise<Looked> {
  const [bytes, returned] = [await readSent(ctx, artifact), await readReturned(ctx, artifact)];
  const hasRemovals = artifact.submissions.some(
    ({ kind, untrustedRemoved, untrustedSanitized }) =>
      kind === 'cdr' && untrustedRemoved.length + untrustedSanitized.length > 0,
  );
  const extension = submittedExtensionOf(artifact);
  const mayRewrite = artifact.disposition === 'disarm';
  return secondLook.look({ bytes, returned, extension, hasRemovals, mayRewrite, workMs }, onWork);
}

function failureOf({ limits }: RebuildContext, looked: Looked): Failure | null {
  switch (looked.outcome) {
    case 'passed':
      if ((looked.rewritten?.length ?? 0) <= limits.disarmedBytes) return null;
      return { class: 'oversize', detail: 'what the service returned is too large when it is written anew' };
    case 'refused': {
      const where = inertText(looked.untrustedWhere, 100);
      return { class: 'unsafe_output', detail: `${looked.fault} in what the service returned (${where})` };
    }
    case 'out of time':
      return { class: 'timeout', detail: 'looking at what the service returned took longer than is allowed' };
    case 'not started':
      throw new ConfigError('this installation', [
        'files of the disarm service cannot be looked at: the code is missing',
      ]);
  }
}

/** Returns the bytes that the service was sent. The work bucket is not trusted. */
async function readSent(ctx: RebuildContext, artifact: FileArtifact): Promise<Uint8Array> {
  const id = submittedIdOf(artifact, 'cdr');
  const maxBytes = Math.max(ctx.limits.emailBytes, ctx.limits.memberBytes);
  const bytes = await ctx.blobs.get('work', keys.artifact(hashOf(id)), { maxBytes });
  if (fileIdOf(sha256Hex(bytes)) !== id)
    throw new RebuildMismatchError(`what the service was sent of artifact ${id} has changed`);
  return bytes;
}
