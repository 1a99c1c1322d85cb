/**
 * Looks at the files that a disarm service returned, where the service is not part of this installation. A file that does not pass counts
 * as never returned: its artifact has failed, and the policy judges the message again.
 */
import { fileIdOf, hashOf } from './artifact-id.ts';
import { leavesOf } from './artifacts-of.ts';
import type { RebuildContext } from './context.ts';
import { decideLedger } from './decide.ts';
import { ConfigError, HeldError, RebuildMismatchError } from './errors.ts';
import { disarmedFileOf } from './judge.ts';
import { keys, sha256Hex } from './keys.ts';
import { type Artifact, type FileArtifact, type Ledger, submittedIdOf } from './ledger.ts';
import type { Failure } from './model.ts';
import { mapSubmissions } from './outstanding.ts';
import type { SecondLook } from './ports.ts';
import { readDisarmed } from './replacement.ts';
import { inertText } from './safe-text.ts';

/**
 * The ledger as policy decides it without the files that did not pass. Throws HeldError when policy then holds the message,
 * ConfigError when no file can be looked at here, and RebuildMismatchError when a file is not the one that the ledger names.
 */
export async function withoutUnsafeReturns(ctx: RebuildContext, ledger: Ledger): Promise<Ledger> {
  const { secondLook } = ctx;
  if (secondLook === null) return ledger;
  const failures = await failuresOf(ctx, secondLook, ledger);
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

/** What the service said stays on record as it was said. Only what is done about it is another. */
function judgedAs({ artifacts }: Ledger): (artifact: Artifact) => Artifact {
  const byId = new Map(artifacts.map((artifact) => [artifact.id, artifact] as const));
  return (artifact) => {
    const { disposition, reasons, removedFor } = byId.get(artifact.id) ?? artifact;
    return { ...artifact, disposition, reasons, removedFor };
  };
}

async function failuresOf(
  ctx: RebuildContext,
  secondLook: SecondLook,
  ledger: Ledger,
): Promise<ReadonlyMap<Artifact['id'], Failure>> {
  const failures = new Map<Artifact['id'], Failure>();
  let leftMs = ctx.limits.returnedWorkSeconds * 1_000;
  for (const artifact of returnedOf(ledger)) {
    const failure = await failureOf(ctx, secondLook, artifact, leftMs, (workMs) => {
      leftMs -= workMs;
    });
    if (failure !== null) failures.set(artifact.id, failure);
  }
  return failures;
}

/** What is kept counts too: a file that came back unchanged is kept because the service found nothing to take out. */
function returnedOf(ledger: Ledger): FileArtifact[] {
  const files = new Map(leavesOf(ledger).map(({ artifact }) => [artifact.id, artifact] as const));
  return [...files.values()].filter((file) => file.disposition !== 'remove' && disarmedFileOf(file) !== null);
}

async function failureOf(
  ctx: RebuildContext,
  secondLook: SecondLook,
  artifact: FileArtifact,
  workMs: number,
  onWork: (workMs: number) => void,
): Promise<Failure | null> {
  const [bytes, returned] = [await readSent(ctx, artifact), await readDisarmed(ctx, artifact)];
  const hasRemovals = artifact.submissions.some(
    ({ kind, untrustedRemoved, untrustedSanitized }) =>
      kind === 'cdr' && untrustedRemoved.length + untrustedSanitized.length > 0,
  );
  const { extension } = artifact;
  const looked = await secondLook.look({ bytes, returned, extension, hasRemovals, workMs }, onWork);
  switch (looked.outcome) {
    case 'passed':
      return null;
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

/** What the service was sent. The work bucket is not trusted. */
async function readSent(ctx: RebuildContext, artifact: FileArtifact): Promise<Uint8Array> {
  const id = submittedIdOf(artifact, 'cdr');
  const maxBytes = Math.max(ctx.limits.emailBytes, ctx.limits.memberBytes);
  const bytes = await ctx.blobs.get('work', keys.artifact(hashOf(id)), { maxBytes });
  if (fileIdOf(sha256Hex(bytes)) !== id)
    throw new RebuildMismatchError(`what the service was sent of artifact ${id} has changed`);
  return bytes;
}
