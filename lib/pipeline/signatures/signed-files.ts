/**
 * Pictures and PDFs in signed mail. Other pictures and PDFs are made anew. One under a signature may stay unchanged on two conditions.
 * Nothing but the picture or the document was found in it, byte for byte. The whole signed content is delivered with its signature. Pure.
 */
import { extensionReadings } from '../../formats/names/name-readings.ts';
import type { Artifact, FileArtifact } from '../ledger/artifact.ts';
import { fileIdOf } from '../ledger/artifact-id.ts';
import { leavesOf } from '../ledger/artifacts-of.ts';
import { isLeaf, type Ledger, type Part, type Signature } from '../ledger/ledger.ts';
import type { TypeGroup } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import { keptSignatures } from './signed-mail.ts';

const WHY = 'nothing but what it shows was found in it, and its signature is kept';

interface Kind {
  /** Programs open a file by its name, and a PDF reader searches for a document anywhere in the bytes. */
  readonly name: RegExp;
  readonly type: RegExp;
  /** The signer's own notes in the file, which may stay. The engine has found it plain. */
  readonly losses: RegExp;
}

const KINDS: Readonly<Partial<Record<TypeGroup, Kind>>> = {
  image: {
    name: /^(?:png|jpe?g|jpe|jfif|gif)?$/,
    type: /^(?:image\/(?:(?:x-)?png|p?jpe?g|gif)|application\/octet-stream)$/,
    losses: /^metadata$/,
  },
  pdf: {
    name: /^(?:pdf)?$/,
    type: /^application\/(?:(?:x-)?pdf|octet-stream)$/,
    losses: /^(?:document properties|unknown entry)$/,
  },
};

/** Returns the ledger in which such files stay. Policy names the signers whose signature counts. */
export function withSignedFiles(policy: Policy, ledger: Ledger): Ledger {
  const signatures = keptSignatures(ledger).filter(
    ({ result }) => result === 'verified' || result === 'unknown_signer',
  );
  if (signatures.length === 0 || policy.signed.mail === 'content') return ledger;
  const kept = coveredFiles(policy, ledger, signatures);
  const artifacts = ledger.artifacts.map((artifact) => (kept.has(artifact.id) ? stays(artifact) : artifact));
  const parts = ledger.parts.map((part) => (isOf(kept, part) ? { ...part, disposition: 'keep' as const } : part));
  return kept.size === 0 ? ledger : { ...ledger, artifacts, parts };
}

/** Returns whether policy trusts the signer. A self-made certificate makes a valid signature, so only `verified` counts. */
function isEnough({ signed }: Policy, { result }: Signature, { typeGroup }: FileArtifact): boolean {
  const accepted = typeGroup === 'pdf' ? signed.pdf : signed.pictures;
  return accepted !== 'none' && (result === 'verified' || (result === 'unknown_signer' && accepted === 'any_signer'));
}

const stays = (artifact: Artifact): Artifact => ({ ...artifact, disposition: 'keep', reasons: [WHY] });
const isOf = (ids: ReadonlySet<string>, part: Part) =>
  isLeaf(part) && part.sha256 !== null && ids.has(fileIdOf(part.sha256));

/** Returns the plain files all of whose places are covered by sufficient signatures with unchanged content. */
function coveredFiles(policy: Policy, ledger: Ledger, signatures: readonly Signature[]): ReadonlySet<string> {
  const leaves = leavesOf(ledger);
  const miscalled = new Set<string>(leaves.filter((leaf) => !isCalledSo(leaf)).map(({ artifact }) => artifact.id));
  const plain = new Map(
    leaves
      .filter(({ artifact }) => isPlain(artifact) && !miscalled.has(artifact.id))
      .map(({ artifact }) => [artifact.id as string, artifact] as const),
  );
  let kept = new Set(plain.keys());
  for (;;) {
    // A file that does not stay makes its signature invalid, and so affects other files.
    const whole = signatures.filter((signature) =>
      leaves
        .filter(({ part }) => isUnder(signature, part.path))
        .every(({ part, artifact }) => part.disposition === 'keep' || kept.has(artifact.id)),
    );
    const left = [...plain].filter(([id, file]) => {
      const enough = whole.filter((signature) => isEnough(policy, signature, file));
      return kept.has(id) && areCovered(file.origins, enough);
    });
    if (left.length === kept.size) return kept;
    kept = new Set(left.map(([id]) => id));
  }
}

interface CalledFile {
  readonly part: Part;
  readonly artifact: FileArtifact;
}

function isCalledSo({ part: { declaredType, untrustedNames }, artifact }: CalledFile): boolean {
  const kind = KINDS[artifact.typeGroup];
  if (kind === undefined || !kind.type.test(declaredType)) return false;
  return untrustedNames.every((name) => [...extensionReadings(name)].every((extension) => kind.name.test(extension)));
}

/** Returns true for a benign picture or document from which the disarm removed nothing, and in which two readers found nothing else. */
function isPlain({ typeGroup, verdict, disposition, disarmAs, submissions }: FileArtifact): boolean {
  const disarm = submissions.find(({ kind }) => kind === 'cdr');
  const kind = KINDS[typeGroup];
  if (kind === undefined || verdict !== 'benign' || disposition !== 'disarm' || disarmAs !== null) return false;
  const losses = [...(disarm?.untrustedRemoved ?? []), ...(disarm?.untrustedSanitized ?? [])];
  return (
    disarm?.isPlain === true &&
    disarm.readAs === typeGroup &&
    disarm.disarmed !== null &&
    losses.every((loss) => kind.losses.test(loss))
  );
}

const areCovered = (origins: readonly string[], signatures: readonly Signature[]) =>
  origins.every((path) => signatures.some((signature) => isUnder(signature, path)));

const isUnder = ({ contentPath }: Signature, path: string) =>
  path === contentPath || path.startsWith(`${contentPath}.`);

/**
 * Returns the ledger in which files are made anew that only stayed for a signature that is not delivered after all; null when there are
 * none.
 */
export function withoutUncoveredFiles({ types }: Policy, ledger: Ledger): Ledger | null {
  const delivered = ledger.signatures.filter(({ isDelivered }) => isDelivered !== false);
  const lost = ledger.artifacts.filter(
    (artifact) =>
      artifact.type === 'file' &&
      artifact.disposition === 'keep' &&
      types[artifact.typeGroup].verdicts.benign === 'disarm' &&
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
