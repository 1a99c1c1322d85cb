/** The port for the store of submissions. Adapters: memory-store.ts, sqlite-store.ts, postgres/store.ts. One test suite runs on all. */

import type { Hashes } from '../../../engines/engine.ts';
import type { ThreatLevel } from '../../contract/common.ts';
import type { StoredSubmission } from './submissions.ts';

/** The filter of a list. Every given field must fit. */
export interface SubmissionFilter {
  /** Only submissions that this workspace may see: its own, and the public ones of others. */
  readonly visibleTo?: string | undefined;
  /** Only submissions of this workspace. */
  readonly workspace?: string | undefined;
  /** One of these levels. */
  readonly levels?: readonly ThreatLevel[] | undefined;
  readonly type?: 'file' | 'url' | undefined;
  /** The hash of the file in lower case, or its first digits. */
  readonly hash?: { readonly algorithm: keyof Hashes; readonly value: string } | undefined;
  /** A part of the shown name, in any case. */
  readonly filename?: string | undefined;
  /** Milliseconds since the epoch, with both ends. */
  readonly createdFromMs?: number | undefined;
  readonly createdToMs?: number | undefined;
  readonly private?: boolean | undefined;
  /** One of these values of tags, in any case. */
  readonly tags?: readonly string[] | undefined;
}

export interface ListPage {
  readonly offset: number;
  readonly limit: number;
  /** The order of the list, by when submissions were added. @default newest first */
  readonly order?: 'asc' | 'desc';
}

export interface ListResult {
  readonly items: readonly StoredSubmission[];
  /** The number of submissions on all pages. */
  readonly total: number;
}

/** A submission whose job has not ended, with the password, which only its job may know. */
export interface PendingSubmission {
  readonly submission: StoredSubmission;
  readonly password: string | null;
}

/** Every method may reject with STORAGE_UNAVAILABLE (ServiceError). */
export interface SubmissionStore {
  /**
   * Keeps a submission, and the password until every report has ended. A store that several processes share also keeps the job. The group
   * of the job takes turns with others. Without a group, the job is its own group. In other stores the queue of the process has both.
   */
  add(submission: StoredSubmission, password: string | null, group?: string): Promise<void>;
  get(uuid: string): Promise<StoredSubmission | null>;
  list(filter: SubmissionFilter, page: ListPage): Promise<ListResult>;
  /** Returns the submission whose sanitized file has this id. */
  getByFile(fileId: string): Promise<StoredSubmission | null>;
  /** Replaces a submission by the result of `change` and returns it; null when the submission does not exist. */
  update(uuid: string, change: (submission: StoredSubmission) => StoredSubmission): Promise<StoredSubmission | null>;
  /** Returns a submission for its job; null when the job has ended or the submission does not exist. */
  pending(uuid: string): Promise<PendingSubmission | null>;
  /** Returns the submissions whose jobs have not ended, the oldest first. After a crash, these jobs are started again. */
  unfinished(): Promise<readonly StoredSubmission[]>;
  /** Returns how many submissions the key made since then (milliseconds since the epoch). */
  countSince(keyId: string, sinceMs: number): Promise<number>;
  /** Returns how much the store holds. */
  usage(): Promise<{ readonly submissions: number; readonly bytes: number }>;
  /** Deletes the oldest finished submission and returns the blobs that no submission needs any more; null when none is finished. */
  forgetOldest(): Promise<readonly string[] | null>;
  /** Returns true when a stored submission needs the blob. */
  needs(sha256: string): Promise<boolean>;
  close(): Promise<void>;
}
