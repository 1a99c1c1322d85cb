/** Stores a visit to a URL: a few facts in the submission, and the picture and the record among the blobs. */

import type { UrlVisit } from '../../../engines/url-report.ts';
import { parseUrl } from '../../../formats/urls/parse-url.ts';
import { shownName } from '../filename.ts';
import type { BlobStore } from './blobs.ts';
import { partId } from './dynamic-record.ts';
import type { StoredArtifact, StoredSubmission, StoredVisit } from './submissions.ts';
import { storeContent } from './uploads.ts';

/** A visit without the downloaded bytes. */
export type VisitRecord = Omit<UrlVisit, 'screenshot' | 'file'>;

/** Stores the file and the picture first and the record last, and returns what the submission keeps of them. */
export async function storeVisit(
  blobs: BlobStore,
  { screenshot, file, ...visit }: UrlVisit,
): Promise<{ readonly visit: StoredVisit; readonly artifacts?: readonly StoredArtifact[] }> {
  if (file) await storeContent(blobs, file.bytes);
  const picture = screenshot && (await storeContent(blobs, screenshot));
  const record: VisitRecord = visit;
  const { sha256, size } = await storeContent(blobs, new TextEncoder().encode(JSON.stringify(record)));
  const urls = visit.hops.map(({ url }) => url).filter((url) => parseUrl(url) !== null);
  const shown = picture && { sha256: picture.sha256, size: picture.size };
  const stored: StoredVisit = { sha256, size, urls, screenshot: shown, fileLevel: file?.level ?? null };
  if (!file) return { visit: stored };
  const { untrustedName, bytes, hashes } = file;
  const artifact = { untrustedName: shownName(untrustedName), size: bytes.byteLength, hashes };
  return { visit: stored, artifacts: [{ kind: 'downloaded_file', ...artifact, source: 'url_analysis' }] };
}

/** Returns the record of the visit; null when there was none, or when it is no longer in the storage. */
export async function readVisit(blobs: BlobStore, { visit }: StoredSubmission): Promise<VisitRecord | null> {
  const bytes = visit ? await blobs.read(visit.sha256) : null;
  // This file has written the record from the same type.
  return bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as VisitRecord) : null;
}

/** Returns the id of the picture among the media of a submission; null when there is none. */
export const screenshotIdOf = (submission: StoredSubmission): string | null =>
  submission.visit?.screenshot ? partId(submission, 'screenshot') : null;
