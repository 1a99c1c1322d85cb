/**
 * Pictures in signed mail. Every other picture is made anew; one under a signature may stay as it came, when nothing but the picture was
 * found in it, byte for byte, and the whole of what is signed is delivered with its signature. Pure.
 */
import { extensionReadings } from '../formats/names/name-readings.ts';
import { fileIdOf } from './artifact-id.ts';
import { leavesOf } from './artifacts-of.ts';
import { type Artifact, type FileArtifact, isLeaf, type Ledger, type Part, type Signature } from './ledger.ts';
import type { Policy } from './policy.ts';
import { keptSignatures } from './signed-mail.ts';

const WHY = 'nothing but the picture was found in it, and its signature is kept';
/** What its signer says of a picture. The engine has found it plain. */
const METADATA = 'metadata';
/** Programs open a file by its name, and a reader of documents looks for one anywhere in the bytes. */
const PICTURE_NAME = /^(?:png|jpe?g|jpe|jfif|gif)?$/;
const PICTURE_TYPE = /^(?:image\/(?:(?:x-)?png|p?jpe?g|gif)|application\/octet-stream)$/;

/** The ledger in which such pictures stay. Policy says by whose signatures. */
export function withSignedPictures(policy: Policy, ledger: Ledger): Ledger {
  const signatures = keptSignatures(ledger).filter(({ result }) => isEnough(policy, result));
  if (signatures.length === 0) return ledger;
  const kept = coveredPictures(ledger, signatures);
  const artifacts = ledger.artifacts.map((artifact) => (kept.has(artifact.id) ? stays(artifact) : artifact));
  const parts = ledger.parts.map((part) => (isOf(kept, part) ? { ...part, disposition: 'keep' as const } : part));
  return kept.size === 0 ? ledger : { ...ledger, artifacts, parts };
}

/** A self-made certificate makes a valid signature. Only `verified` says that the policy trusts its signer. */
function isEnough({ signed }: Policy, result: Signature['result']): boolean {
  if (signed.pictures === 'none' || signed.mail === 'content') return false;
  return result === 'verified' || (result === 'unknown_signer' && signed.pictures === 'any_signer');
}

const stays = (artifact: Artifact): Artifact => ({ ...artifact, disposition: 'keep', reasons: [WHY] });
const isOf = (ids: ReadonlySet<string>, part: Part) =>
  isLeaf(part) && part.sha256 !== null && ids.has(fileIdOf(part.sha256));

/** The plain pictures all of whose places are covered by signatures whose whole content stays. */
function coveredPictures(ledger: Ledger, signatures: readonly Signature[]): ReadonlySet<string> {
  const leaves = leavesOf(ledger);
  const miscalled = new Set<string>(
    leaves.filter(({ part }) => !isCalledPicture(part)).map(({ artifact }) => artifact.id),
  );
  const plain = leaves.filter(({ artifact }) => isPlain(artifact) && !miscalled.has(artifact.id));
  let kept = new Set<string>(plain.map(({ artifact }) => artifact.id));
  for (;;) {
    // A picture that does not stay takes its signature with it, and so other pictures.
    const whole = signatures.filter((signature) =>
      leaves
        .filter(({ part }) => isUnder(signature, part.path))
        .every(({ part, artifact }) => part.disposition === 'keep' || kept.has(artifact.id)),
    );
    const left = ledger.artifacts.filter(({ id, origins }) => kept.has(id) && areCovered(origins, whole));
    if (left.length === kept.size) return kept;
    kept = new Set(left.map(({ id }) => id));
  }
}

const isCalledPicture = ({ declaredType, untrustedNames }: Part) =>
  PICTURE_TYPE.test(declaredType) &&
  untrustedNames.every((name) => [...extensionReadings(name)].every((extension) => PICTURE_NAME.test(extension)));

/** A benign picture of which the disarm took nothing out, and in which two readers found nothing else. */
function isPlain({ typeGroup, verdict, disposition, disarmAs, submissions }: FileArtifact): boolean {
  const disarm = submissions.find(({ kind }) => kind === 'cdr');
  if (typeGroup !== 'image' || verdict !== 'benign' || disposition !== 'disarm' || disarmAs !== null) return false;
  const losses = [...(disarm?.untrustedRemoved ?? []), ...(disarm?.untrustedSanitized ?? [])];
  return (
    disarm?.isPlain === true &&
    disarm.readAs === 'image' &&
    disarm.disarmed !== null &&
    losses.every((kind) => kind === METADATA)
  );
}

const areCovered = (origins: readonly string[], signatures: readonly Signature[]) =>
  origins.every((path) => signatures.some((signature) => isUnder(signature, path)));

const isUnder = ({ contentPath }: Signature, path: string) =>
  path === contentPath || path.startsWith(`${contentPath}.`);

/**
 * The ledger in which the pictures are made anew that stayed for a signature that is not delivered after all; null when there are none.
 */
export function withoutUncoveredPictures({ types }: Policy, ledger: Ledger): Ledger | null {
  if (types.image.verdicts.benign !== 'disarm') return null;
  const delivered = ledger.signatures.filter(({ isDelivered }) => isDelivered !== false);
  const lost = ledger.artifacts.filter(
    (artifact) =>
      artifact.type === 'file' &&
      artifact.disposition === 'keep' &&
      isPlain({ ...artifact, disposition: 'disarm' }) &&
      !areCovered(artifact.origins, delivered),
  );
  if (lost.length === 0) return null;
  const ids = new Set<string>(lost.map(({ id }) => id));
  const reasons = ['made anew from its safe content'];
  return {
    ...ledger,
    artifacts: ledger.artifacts.map((each) => (ids.has(each.id) ? { ...each, disposition: 'disarm', reasons } : each)),
    parts: ledger.parts.map((part) => (isOf(ids, part) ? { ...part, disposition: 'disarm' } : part)),
  };
}
