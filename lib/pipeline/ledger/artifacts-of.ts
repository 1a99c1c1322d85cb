/**
 * The only place that finds the artifact of a part, and that tells links from files. Every look-up is by an id that contains the
 * type.
 */
import type { FileArtifact, UrlArtifact } from './artifact.ts';
import { type FileId, fileIdOf } from './artifact-id.ts';
import { isLeaf, isMember, type Ledger, type Part } from './ledger.ts';

/** A part with the artifact of its own bytes. */
export interface PartOfFile {
  readonly part: Part;
  readonly artifact: FileArtifact;
}

export type FilesById = ReadonlyMap<FileId, FileArtifact>;

/** Returns the files of a ledger, never its links. */
export function filesById({ artifacts }: Ledger): FilesById {
  return new Map(artifacts.flatMap((artifact) => (artifact.type === 'file' ? [[artifact.id, artifact]] : [])));
}

/** Returns the artifact of the bytes of a part. */
export function fileOf(files: FilesById, { sha256 }: Part): FileArtifact | undefined {
  return sha256 === null ? undefined : files.get(fileIdOf(sha256));
}

/** Returns the links of a ledger that were judged. */
export function linksOf({ artifacts }: Ledger): UrlArtifact[] {
  return artifacts.filter((artifact) => artifact.type === 'url');
}

/** Returns the leaves of a ledger with their artifacts, in document order. */
export function leavesOf(ledger: Ledger): PartOfFile[] {
  return withArtifacts(ledger, isLeaf);
}

/** Returns the files found inside containers, with their artifacts. */
export function membersOf(ledger: Ledger): PartOfFile[] {
  return withArtifacts(ledger, isMember);
}

function withArtifacts(ledger: Ledger, accepts: (part: Part) => boolean): PartOfFile[] {
  const files = filesById(ledger);
  return ledger.parts.filter(accepts).flatMap((part) => {
    const artifact = fileOf(files, part);
    return artifact ? [{ part, artifact }] : [];
  });
}
