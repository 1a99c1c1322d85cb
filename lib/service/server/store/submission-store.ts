/** The port of the store of submissions. Adapters: memory-store.ts, sqlite-store.ts; one test suite runs on both. */

import type { Hashes } from '../../../engines/engine.ts';
import type { ThreatLevel } from '../../contract/common.ts';
import type { StoredSubmission } from './submissions.ts';

/** What a list is narrowed to; every field that is given must hold. */
export interface SubmissionFilter {
  /** Only what this workspace may see: its own, and what others made public. */
  readonly visibleTo?: string | undefined;
  /** Only what this workspace made. */
  readonly workspace?: string | undefined;
  /** Any of them. */
  readonly levels?: readonly ThreatLevel[] | undefined;
  readonly type?: 'file' | 'url' | undefined;
  /** Of the file, in lower case: a whole hash, or its first digits. */
  readonly hash?: { readonly algorithm: keyof Hashes; readonly value: string } | undefined;
  /** Part of the name as shown, in any case. */
  readonly filename?: string | undefined;
  /** Milliseconds since the epoch, both ends included. */
  readonly createdFromMs?: number | undefined;
  readonly createdToMs?: number | undefined;
  readonly private?: boolean | undefined;
  /** Values of tags, any of them, in any case. */
  readonly tags?: readonly string[] | undefined;
}

export interface ListPage {
  readonly offset: number;
  readonly limit: number;
  /** By the order in which they were added. @default newest first */
  readonly order?: 'asc' | 'desc';
}

export interface ListResult {
  readonly items: readonly StoredSubmission[];
  /** Of all pages. */
  readonly total: number;
}

/** A submission whose job has not ended, with what only its job may know. */
export interface PendingSubmission {
  readonly submission: StoredSubmission;
  readonly password: string | null;
}

/** Every method may reject with STORAGE_UNAVAILABLE (ServiceError). */
export interface SubmissionStore {
  /** Keeps a submission, and the password until every report has ended. */
  add(submission: StoredSubmission, password: string | null): Promise<void>;
  get(uuid: string): Promise<StoredSubmission | null>;
  list(filter: SubmissionFilter, page: ListPage): Promise<ListResult>;
  /** The submission whose sanitized file has this id. */
  getByFile(fileId: string): Promise<StoredSubmission | null>;
  /** Replaces a submission by what `change` makes of it, and returns that; null when it is gone. */
  update(uuid: string, change: (submission: StoredSubmission) => StoredSubmission): Promise<StoredSubmission | null>;
  /** A submission that has not ended, for its job; null when it has, or is gone. */
  pending(uuid: string): Promise<PendingSubmission | null>;
  /** What has not ended, oldest first: after a crash, the jobs to start again. */
  unfinished(): Promise<readonly StoredSubmission[]>;
  /** How many submissions the key made since then (milliseconds since the epoch). */
  countSince(keyId: string, sinceMs: number): Promise<number>;
  /** How much there is. */
  usage(): Promise<{ readonly submissions: number; readonly bytes: number }>;
  /** Forgets the oldest finished submission and returns the blobs nobody needs any more; null when none is finished. */
  forgetOldest(): Promise<readonly string[] | null>;
  /** Whether a stored submission needs the blob. */
  needs(sha256: string): Promise<boolean>;
  close(): Promise<void>;
}
