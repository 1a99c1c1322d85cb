/**
 * What the service remembers of a submission, how a report moves, and the port of the store.
 *
 * Invariants: the scheduled reports are listed from the start; the status of a report only moves forward; what is terminal
 * never changes again.
 */
import type { ReportType, ThreatLevel } from '../contract/common.ts';
import type { ReportFinding } from '../contract/v3.ts';
import type { DetectedType, EngineFailure, Hashes } from '../engines/engine.ts';

/** What was asked for; decides which reports are scheduled. */
export type SubmissionKind = 'sandbox' | 'static' | 'cdr' | 'url';

/** The reports each kind schedules, in the order they run. */
export const SCHEDULED_REPORTS: Readonly<Record<SubmissionKind, readonly ReportType[]>> = {
  sandbox: ['dynamic', 'static'],
  static: ['static'],
  cdr: ['cdr'],
  url: ['url_analysis'],
};

/** The states of our reports; the other states of the contract belong to services with virtual machines. */
export type StoredStatus = 'accepted' | 'in_progress' | 'completed' | 'error';

const STATUS_ORDER: Readonly<Record<StoredStatus, number>> = { accepted: 0, in_progress: 1, completed: 2, error: 2 };

export interface StoredReport {
  readonly type: ReportType;
  readonly status: StoredStatus;
  /** Null until completed, and for cdr, which does not judge. */
  readonly level: ThreatLevel | null;
  readonly score: number | null;
  /** Set exactly when the status is `error`. */
  readonly error: EngineFailure | null;
  readonly findings: readonly ReportFinding[];
  readonly removed: readonly string[];
  readonly sanitized: readonly string[];
  readonly engineVersion: string | null;
  readonly durationSeconds: number | null;
}

/** What is analysed. */
export type Subject =
  | {
      readonly type: 'file';
      readonly untrustedName: string;
      readonly size: number;
      readonly hashes: Hashes;
      /** Null until an engine has read the type from the bytes. */
      readonly detectedType: DetectedType | null;
      readonly entrypoint: string | null;
    }
  | { readonly type: 'url'; readonly url: string };

/** A disarmed file that can be downloaded. */
export interface SanitizedFile {
  readonly fileId: string;
  /** ASCII, made by us. */
  readonly filename: string;
  readonly extension: string;
}

export interface StoredSubmission {
  readonly uuid: string;
  readonly kind: SubmissionKind;
  readonly subject: Subject;
  readonly private: boolean;
  readonly reports: readonly StoredReport[];
  readonly sanitizedFile: SanitizedFile | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Submissions and sanitized files. An implementation keeps a bounded number and forgets finished ones, oldest first. */
export interface SubmissionStore {
  add(submission: StoredSubmission): Promise<void>;
  get(uuid: string): Promise<StoredSubmission | null>;
  /** Newest first. */
  findBySha256(sha256: string): Promise<readonly StoredSubmission[]>;
  /** Replaces a submission by what `change` makes of it; nothing happens when it is gone. */
  update(uuid: string, change: (submission: StoredSubmission) => StoredSubmission): Promise<void>;
  /** Keeps a file as long as its submission. Throws RangeError when there is no room for it. */
  putFile(uuid: string, fileId: string, bytes: Uint8Array): Promise<void>;
  /** A file with the submission it belongs to, or null. */
  getFile(fileId: string): Promise<{ readonly bytes: Uint8Array; readonly submission: StoredSubmission } | null>;
}

/** A report as it stands in the first answer. */
export function scheduledReport(type: ReportType): StoredReport {
  return {
    type,
    status: 'accepted',
    level: null,
    score: null,
    error: null,
    findings: [],
    removed: [],
    sanitized: [],
    engineVersion: null,
    durationSeconds: null,
  };
}

export const isTerminal = (report: StoredReport) => report.status === 'completed' || report.status === 'error';

/** The submission with one report moved to `next`. A move that is not forward changes nothing: late results are dropped. */
export function withReport(submission: StoredSubmission, next: StoredReport, nowMs: number): StoredSubmission {
  const current = submission.reports.find((report) => report.type === next.type);
  if (!current || STATUS_ORDER[next.status] <= STATUS_ORDER[current.status]) return submission;
  const reports = submission.reports.map((report) => (report === current ? next : report));
  return { ...submission, reports, updatedAtMs: nowMs };
}
