/** The parts of a static report that are kept beside its findings: pieces as artifacts, values to look for elsewhere, and a rule. */
import type { StaticReport } from '../../../engines/engine.ts';
import type { FoundValue } from '../../../engines/found-value.ts';
import { shownName } from '../filename.ts';
import type { BlobStore } from './blobs.ts';
import type { StoredArtifact, StoredSubmission } from './submissions.ts';
import { storeContent } from './uploads.ts';

/** The most values. They are kept with the submission itself, which lists read, and a page can contain endless values. */
const MAX_IOCS = 100;
const MAX_VALUE = 300;

export interface StoredContents {
  readonly artifacts: readonly StoredArtifact[];
  readonly iocs: readonly FoundValue[];
  readonly yaraRule: string | null;
}

/** Stores the pieces, and returns the parts that the submission keeps. */
export async function storeContents(
  blobs: BlobStore,
  { extracted = [], iocs = [], yaraRule }: Pick<StaticReport, 'extracted' | 'iocs' | 'yaraRule'>,
): Promise<StoredContents> {
  const artifacts: StoredArtifact[] = [];
  for (const { kind, untrustedName, bytes, hashes } of extracted) {
    await storeContent(blobs, bytes);
    artifacts.push({ kind, untrustedName: shownName(untrustedName), size: bytes.byteLength, hashes, source: 'static' });
  }
  const kept = iocs.slice(0, MAX_IOCS).map(({ type, value }) => ({ type, value: value.slice(0, MAX_VALUE) }));
  return { artifacts, iocs: kept, yaraRule: yaraRule ?? null };
}

/** Returns the submission with the parts of its static report. Parts of other reports stay, whichever ended first. */
export function withContents(
  next: StoredSubmission,
  before: StoredSubmission,
  contents: StoredContents | null,
): StoredSubmission {
  const others = next.artifacts === before.artifacts ? [] : (next.artifacts ?? []);
  const artifacts = [...(before.artifacts ?? []), ...others, ...(contents?.artifacts ?? [])];
  const unique = artifacts.filter(
    (one, index) =>
      artifacts.findIndex((other) => other.kind === one.kind && other.hashes.sha256 === one.hashes.sha256) === index,
  );
  return {
    ...next,
    ...(unique.length > 0 && { artifacts: unique }),
    ...(contents && contents.iocs.length > 0 && { iocs: contents.iocs }),
    ...(contents?.yaraRule && { yaraRule: contents.yaraRule }),
  };
}
