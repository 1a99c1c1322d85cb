/** The sides of one part of a mail: the stored bytes of the original and of the disarmed file, and how each is drawn. */
import type { DrawnKind } from '../../formats/drawn/draw-request.ts';
import { describeType, FILE_TYPES, groupOf } from '../../formats/file-types.ts';
import type { PartLabel } from '../../pipeline/contents/stored-part.ts';
import type { FileArtifact } from '../../pipeline/ledger/artifact.ts';
import { hashOf } from '../../pipeline/ledger/artifact-id.ts';
import { fileOf, filesById } from '../../pipeline/ledger/artifacts-of.ts';
import type { Ledger, Part } from '../../pipeline/ledger/ledger.ts';
import type { TypeGroup } from '../../pipeline/model.ts';
import type { SideName } from '../../pipeline/review/preview-request.ts';
import { artifactName, type RunWords } from '../../pipeline/runs/sentence.ts';

/** Bytes that a run has stored, by their content. */
export interface Stored {
  readonly runId: string;
  readonly sha256: string;
  /** For an original text: the mail, and the place of the header of the part in it, which names the charset. */
  readonly label?: PartLabel;
}

export interface Side {
  /** The path of the part. */
  readonly path: string;
  readonly name: SideName;
  readonly stored: Stored;
  /** Null for bytes that nothing here can draw. */
  readonly kind: DrawnKind | null;
}

export interface StoredSides {
  readonly part: Part;
  readonly artifact: FileArtifact;
  readonly before: Side;
  /** Null when nothing replaces it, or it was not made yet. */
  readonly after: Side | null;
}

export interface PartSides extends StoredSides {
  /** The name that people use for it. Inert. */
  readonly name: string;
}

const KINDS: Readonly<Partial<Record<TypeGroup, DrawnKind>>> = {
  image: 'picture',
  pdf: 'pdf',
  html: 'page',
  text: 'text',
  office: 'office',
};

/** Returns how files of a group are drawn, or null when they are not. */
export const kindOf = (group: TypeGroup | null): DrawnKind | null => (group === null ? null : (KINDS[group] ?? null));

/** Returns the two sides of a part with this path, named in these words. Returns null when the ledger has none, or it has no bytes. */
export function sidesOf(ledger: Ledger, path: string, words: RunWords): PartSides | null {
  const sides = storedSides(ledger, path);
  return sides === null ? null : { ...sides, name: artifactName(ledger, sides.artifact, words) };
}

/** Returns the two sides of a part with this path. Returns null when the ledger has none, or it has no bytes. */
export function storedSides(ledger: Ledger, path: string): StoredSides | null {
  const part = ledger.parts.find((each) => each.path === path);
  const artifact = part === undefined ? undefined : fileOf(filesById(ledger), part);
  if (part === undefined || part.sha256 === null || artifact === undefined) return null;
  const { runId } = ledger;
  const kind = kindOf(artifact.typeGroup);
  const after = afterOf(part, artifact, kind);
  // A page that is only readable under the charset of its header is stored in UTF-8, too.
  const sha256 = artifact.disarmAs === null ? part.sha256 : hashOf(artifact.disarmAs);
  return {
    ...{ part, artifact },
    before: {
      ...{ path, name: 'before' },
      stored: { runId, sha256, ...(kind === 'text' && labelOf(ledger, part)) },
      kind,
    },
    after: after && { ...{ path, name: 'after' }, stored: { runId, sha256: after.sha256 }, kind: after.kind },
  };
}

/** Returns the place of the header. A member of a container, and a file that came without a mail, have no header in the mail. */
const labelOf = ({ kind, intake }: Ledger, { container, header }: Part): Pick<Stored, 'label'> =>
  kind === 'email' && container === null ? { label: { intake, header } } : {};

/** Returns the file that was put into the clean message; for held mail, the file that was disarmed for it. */
function afterOf(
  { delivered, disposition }: Part,
  { submissions }: FileArtifact,
  kind: DrawnKind | null,
): { readonly sha256: string; readonly kind: DrawnKind | null } | null {
  if (disposition === 'remove') return null;
  if (delivered !== null) return { sha256: delivered.sha256, kind: kindOfExtension(delivered.extension) };
  const disarmed = submissions.find((submission) => submission.disarmed !== null)?.disarmed ?? null;
  return disarmed === null ? null : { sha256: disarmed.sha256, kind };
}

function kindOfExtension(extension: string): DrawnKind | null {
  const type = FILE_TYPES.find((one) => describeType(one).extension === extension);
  return type === undefined ? null : kindOf(groupOf(type));
}
