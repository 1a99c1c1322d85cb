/** Stores a dynamic report: numbers in the submission, and the rest as a document among the blobs, which lists do not read. */

import { createHash } from 'node:crypto';
import type { BehaviourEvent, RecordedRequest, StartedProcess } from '../../../engines/behaviour.ts';
import type { DynamicReport, ProducedFile } from '../../../engines/engine.ts';
import { parseUrl } from '../../../formats/urls/parse-url.ts';
import { shownName } from '../filename.ts';
import type { BlobStore } from './blobs.ts';
import type { StoredArtifact, StoredDynamic, StoredSubmission } from './submissions.ts';
import { storeContent } from './uploads.ts';

export interface DynamicRecord {
  readonly processes: readonly StartedProcess[];
  readonly events: readonly BehaviourEvent[];
  readonly requests: readonly RecordedRequest[];
}

/** The most URLs and hosts that are shown as indicators of compromise. A script can make up any number. */
const MAX_URLS = 100;

/** Stores the files first and the record last, and returns what the submission keeps of both. */
export async function storeDynamic(
  blobs: BlobStore,
  { environment, processes, events, requests, files }: DynamicReport,
): Promise<{ readonly dynamic: StoredDynamic; readonly artifacts: readonly StoredArtifact[] }> {
  const artifacts: StoredArtifact[] = [];
  for (const file of files) {
    await storeContent(blobs, file.bytes);
    artifacts.push(artifactOf(file));
  }
  const record: DynamicRecord = { processes, events, requests };
  const { sha256, size } = await storeContent(blobs, new TextEncoder().encode(JSON.stringify(record)));
  const dynamic: StoredDynamic = {
    environment,
    sha256,
    size,
    eventCount: events.length,
    requestCount: requests.length,
    hostCount: hostsOf(requests).length,
    urls: [...new Set(requests.map(({ url }) => url))].filter((url) => parseUrl(url) !== null).slice(0, MAX_URLS),
  };
  return { dynamic, artifacts };
}

function artifactOf({ kind, untrustedName, bytes, hashes }: ProducedFile): StoredArtifact {
  return { kind, untrustedName: shownName(untrustedName), size: bytes.byteLength, hashes, source: 'dynamic' };
}

/** Returns the hosts of the requests, each once. */
export const hostsOf = (requests: readonly RecordedRequest[]): string[] => [
  ...new Set(requests.map(({ host }) => host).filter((host) => host !== '')),
];

/** Returns the record of a submission whose dynamic report is completed; empty when it is no longer in the storage. */
export async function readDynamic(blobs: BlobStore, { dynamic }: StoredSubmission): Promise<DynamicRecord> {
  const bytes = dynamic ? await blobs.read(dynamic.sha256) : null;
  if (!bytes) return { processes: [], events: [], requests: [] };
  // This file has written the document from the same type.
  return JSON.parse(new TextDecoder().decode(bytes)) as DynamicRecord;
}

/** Returns the id of something in a submission: 24 hexadecimal digits, which differ for each submission. */
export const partId = ({ uuid }: StoredSubmission, name: string): string =>
  createHash('sha256').update(`${uuid} ${name}`).digest('hex').slice(0, 24);
