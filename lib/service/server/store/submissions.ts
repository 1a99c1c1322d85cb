/**
 * The stored form of a submission, and the changes of a report.
 *
 * Invariants: the scheduled reports are listed from the start. The status of a report only moves forward. A report that has ended never
 * changes again.
 */

import type { DisarmQuality, EngineFailure, Finding, Hashes, ProducedFile, Removal } from '../../../engines/engine.ts';
import type { FoundValue } from '../../../engines/found-value.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { ReportType, ThreatLevel } from '../../contract/common.ts';
import type { ReportFinding } from '../../contract/v3-submission.ts';

/** The kind of analysis that the caller asked for. It decides which reports are scheduled. */
export type SubmissionKind = 'sandbox' | 'static' | 'cdr' | 'url' | 'open_in_browser';

/** The reports that each kind schedules, in the order in which they run. */
export const SCHEDULED_REPORTS: Readonly<Record<SubmissionKind, readonly ReportType[]>> = {
  sandbox: ['dynamic', 'static'],
  static: ['static'],
  cdr: ['cdr'],
  url: ['url_analysis'],
  open_in_browser: ['url_analysis', 'open_in_browser'],
};

/** The states of reports of this service. The other states of the contract belong to services with virtual machines. */
export type StoredStatus = 'accepted' | 'in_progress' | 'completed' | 'error';

const STATUS_ORDER: Readonly<Record<StoredStatus, number>> = { accepted: 0, in_progress: 1, completed: 2, error: 2 };

/** A rule that matched. */
export interface StoredFinding extends ReportFinding {
  /** The name of the YARA rule; null for the finding of a module. */
  readonly rule: string | null;
  /** Techniques that the engine itself names; absent in reports of older versions. */
  readonly techniques?: readonly string[];
  /** The place in the file, which also ends the description; absent for the whole file. Untrusted. */
  readonly where?: string;
  /** The matching text or value, shortened. Untrusted. */
  readonly evidence?: string;
  /** The processes and events of the dynamic report in which it was seen. */
  readonly seenIn?: Finding['seenIn'];
}

export interface StoredReport {
  readonly type: ReportType;
  readonly status: StoredStatus;
  /** Null until the report is completed, and always for cdr, which does not judge. */
  readonly level: ThreatLevel | null;
  readonly score: number | null;
  /** Set exactly when the status is `error`. */
  readonly error: EngineFailure | null;
  readonly findings: readonly StoredFinding[];
  readonly removed: readonly string[];
  readonly sanitized: readonly string[];
  /** For cdr: everything that was removed or rewritten. */
  readonly details: readonly Removal[];
  /** For cdr: the measurements of the inspection; absent in reports of older versions. */
  readonly quality?: DisarmQuality | null;
  /** For cdr: the MIME type as which the file was read; absent in reports of older versions. */
  readonly readAs?: string;
  readonly engineVersion: string | null;
  readonly durationSeconds: number | null;
}

/** The file or URL to analyse. The bytes of a file are in the blob store under its SHA-256. */
export type Subject =
  | {
      readonly type: 'file';
      readonly untrustedName: string;
      readonly size: number;
      readonly hashes: Hashes;
      /** Null until an engine has read the type from the bytes. */
      readonly detectedType: DetectedType | null;
      readonly entrypoint: string | null;
      /** True when the detected type is shown. The engines use it in any case. */
      readonly showsDetectedType: boolean;
      /** For cdr: the submitter wants to keep title, author, dates and the like. @default false */
      readonly keepsMetadata?: boolean;
    }
  | { readonly type: 'url'; readonly url: string };

/** A disarmed file that can be downloaded. Its bytes are in the blob store under `sha256`. */
export interface SanitizedFile {
  readonly fileId: string;
  /** A name in ASCII that this service made. */
  readonly filename: string;
  readonly extension: string;
  /** MIME type. */
  readonly type: string;
  readonly sha256: string;
  /** Absent in submissions of older versions. */
  readonly hashes?: Hashes;
  readonly size: number;
}

/** A file that an analysis produced. Its bytes are in the blob store under its SHA-256. */
export interface StoredArtifact {
  readonly kind: ProducedFile['kind'];
  readonly untrustedName: string;
  readonly size: number;
  readonly hashes: Hashes;
  /** The report to which the file belongs. */
  readonly source: ReportType;
}

/** The parts of its dynamic report that a submission keeps. The record is in the blob store under `sha256`. */
export interface StoredDynamic {
  /** The key of the environment. */
  readonly environment: string;
  readonly sha256: string;
  readonly size: number;
  readonly eventCount: number;
  readonly requestCount: number;
  readonly hostCount: number;
  /** The requested URLs, each once. Untrusted. */
  readonly urls: readonly string[];
}

/** The parts of the visit to its URL that a submission keeps. The record is in the blob store under `sha256`. */
export interface StoredVisit {
  readonly sha256: string;
  readonly size: number;
  /** The URLs of the visit, the submitted one first. The last one may not have been requested. Untrusted. */
  readonly urls: readonly string[];
  /** The PNG in the blob store; null when none was made. */
  readonly screenshot: { readonly sha256: string; readonly size: number } | null;
  /** The level of the file at the end of the visit; null when there was none, or it could not be judged. */
  readonly fileLevel: ThreatLevel | null;
}

/** The wishes of a caller of the CDR service besides the disarm. */
export interface CdrRequest {
  readonly untrustedWebhook: string | null;
  /** The outcome of the webhook; null while it is open. */
  readonly webhookOutcome: 'delivered' | 'failed' | 'refused' | null;
  /** A hint for the engine. It counts more than the name of the file, and less than its bytes. */
  readonly extension: string | null;
  /** True when the record holds the sanitized file. */
  readonly includeFile: boolean;
}

export interface StoredSubmission {
  readonly uuid: string;
  readonly kind: SubmissionKind;
  readonly subject: Subject;
  readonly private: boolean;
  /** The workspace to which the submission belongs. */
  readonly workspace: string;
  /** The id of the key with which it was made, and never the key. */
  readonly keyId: string;
  readonly reports: readonly StoredReport[];
  readonly sanitizedFile: SanitizedFile | null;
  /** Absent until a dynamic report is completed. */
  readonly dynamic?: StoredDynamic;
  /** Absent when the URL was not visited. */
  readonly visit?: StoredVisit;
  /** Absent when the analyses produced no file. */
  readonly artifacts?: readonly StoredArtifact[];
  /** Values found in the file; absent when there are none. Untrusted. */
  readonly iocs?: readonly FoundValue[];
  /** A YARA rule of distinctive strings of the file; absent when the file has too few. */
  readonly yaraRule?: string;
  /** Set for submissions of the CDR service only. */
  readonly cdr: CdrRequest | null;
  /** How often its job was started. This is more than once after a crash. */
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Returns a report as the first answer shows it. */
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
    details: [],
    engineVersion: null,
    durationSeconds: null,
  };
}

export const isTerminal = (report: StoredReport) => report.status === 'completed' || report.status === 'error';

/** Returns true for a report that no environment can make. Callers would take an error for a refusal of the whole submission. */
export const isSkipped = ({ error }: StoredReport) => error?.code === 'no_environment';

/** Returns the reports that exist or will exist. If there are none, returns the skipped ones, so that the list is never empty. */
export function scheduledReports({ reports }: StoredSubmission): readonly StoredReport[] {
  const scheduled = reports.filter((report) => !isSkipped(report));
  return scheduled.length > 0 ? scheduled : reports;
}

/** Returns true when nothing of the submission will change any more. */
export const isFinished = ({ reports }: StoredSubmission) => reports.every(isTerminal);

/** Returns the submission with one report replaced by `next`. A change that does not move forward is dropped, such as a late result. */
export function withReport(submission: StoredSubmission, next: StoredReport, nowMs: number): StoredSubmission {
  const current = submission.reports.find((report) => report.type === next.type);
  if (!current || STATUS_ORDER[next.status] <= STATUS_ORDER[current.status]) return submission;
  const reports = submission.reports.map((report) => (report === current ? next : report));
  return { ...submission, reports, updatedAtMs: nowMs };
}
