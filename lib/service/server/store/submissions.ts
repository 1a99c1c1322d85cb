/**
 * What the service remembers of a submission, and how a report moves.
 *
 * Invariants: the scheduled reports are listed from the start; the status of a report only moves forward; what is terminal
 * never changes again.
 */

import type { DisarmQuality, EngineFailure, Hashes, ProducedFile, Removal } from '../../../engines/engine.ts';
import type { FoundValue } from '../../../engines/found-value.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { ReportType, ThreatLevel } from '../../contract/common.ts';
import type { ReportFinding } from '../../contract/v3-submission.ts';

/** What was asked for; decides which reports are scheduled. */
export type SubmissionKind = 'sandbox' | 'static' | 'cdr' | 'url' | 'open_in_browser';

/** The reports each kind schedules, in the order they run. */
export const SCHEDULED_REPORTS: Readonly<Record<SubmissionKind, readonly ReportType[]>> = {
  sandbox: ['dynamic', 'static'],
  static: ['static'],
  cdr: ['cdr'],
  url: ['url_analysis'],
  open_in_browser: ['url_analysis', 'open_in_browser'],
};

/** The states of our reports; the other states of the contract belong to services with virtual machines. */
export type StoredStatus = 'accepted' | 'in_progress' | 'completed' | 'error';

const STATUS_ORDER: Readonly<Record<StoredStatus, number>> = { accepted: 0, in_progress: 1, completed: 2, error: 2 };

/** A rule that matched. */
export interface StoredFinding extends ReportFinding {
  /** Name of the YARA rule, or null for what a module found. */
  readonly rule: string | null;
  /** Techniques that the engine itself names; absent in reports of older versions. */
  readonly techniques?: readonly string[];
  /** Where in the file, also at the end of the description; absent for the file as a whole. Untrusted. */
  readonly where?: string;
  /** What was seen, cut. Untrusted. */
  readonly evidence?: string;
}

export interface StoredReport {
  readonly type: ReportType;
  readonly status: StoredStatus;
  /** Null until completed, and for cdr, which does not judge. */
  readonly level: ThreatLevel | null;
  readonly score: number | null;
  /** Set exactly when the status is `error`. */
  readonly error: EngineFailure | null;
  readonly findings: readonly StoredFinding[];
  readonly removed: readonly string[];
  readonly sanitized: readonly string[];
  /** cdr: every single thing that was taken out or rewritten. */
  readonly details: readonly Removal[];
  /** cdr: what the inspection of the result measured; absent in what was stored before it was. */
  readonly quality?: DisarmQuality | null;
  /** cdr: the MIME type that the file was read as; absent in what was stored before it was. */
  readonly readAs?: string;
  readonly engineVersion: string | null;
  readonly durationSeconds: number | null;
}

/** What is analysed. The bytes of a file lie in the blob store under its SHA-256. */
export type Subject =
  | {
      readonly type: 'file';
      readonly untrustedName: string;
      readonly size: number;
      readonly hashes: Hashes;
      /** Null until an engine has read the type from the bytes. */
      readonly detectedType: DetectedType | null;
      readonly entrypoint: string | null;
      /** Whether the detected type is shown; the engines use it in any case. */
      readonly showsDetectedType: boolean;
      /** cdr: the submitter wants title, author, dates and the like back. Absent: no. */
      readonly keepsMetadata?: boolean;
    }
  | { readonly type: 'url'; readonly url: string };

/** A disarmed file that can be downloaded. Its bytes lie in the blob store under `sha256`. */
export interface SanitizedFile {
  readonly fileId: string;
  /** ASCII, made by us. */
  readonly filename: string;
  readonly extension: string;
  /** MIME type. */
  readonly type: string;
  readonly sha256: string;
  readonly size: number;
}

/** A file that came up during an analysis. Its bytes lie in the blob store under its SHA-256. */
export interface StoredArtifact {
  readonly kind: ProducedFile['kind'];
  readonly untrustedName: string;
  readonly size: number;
  readonly hashes: Hashes;
  /** The report it belongs to. */
  readonly source: ReportType;
}

/** What a submission keeps of its dynamic report; the record itself lies in the blob store under `sha256`. */
export interface StoredDynamic {
  /** Key of the environment. */
  readonly environment: string;
  readonly sha256: string;
  readonly size: number;
  readonly eventCount: number;
  readonly requestCount: number;
  readonly hostCount: number;
  /** That were asked, each once. Untrusted. */
  readonly urls: readonly string[];
}

/** What a submission keeps of the visit to its URL; the record itself lies in the blob store under `sha256`. */
export interface StoredVisit {
  readonly sha256: string;
  readonly size: number;
  /** That it came to, the submitted one first; the last may not have been asked. Untrusted. */
  readonly urls: readonly string[];
  /** PNG in the blob store; null when none was made. */
  readonly screenshot: { readonly sha256: string; readonly size: number } | null;
  /** Of the file that the visit ended in; null when there was none, or none could be judged. */
  readonly fileLevel: ThreatLevel | null;
}

/** What a caller of the CDR service asked for beside the disarm itself. */
export interface CdrRequest {
  readonly untrustedWebhook: string | null;
  /** What became of the webhook; null as long as it was not settled. */
  readonly webhookOutcome: 'delivered' | 'failed' | 'refused' | null;
  /** A hint to the engine that counts for more than the file's name; what the bytes say counts for more still. */
  readonly extension: string | null;
  /** Put the sanitized file into the record. */
  readonly includeFile: boolean;
}

export interface StoredSubmission {
  readonly uuid: string;
  readonly kind: SubmissionKind;
  readonly subject: Subject;
  readonly private: boolean;
  /** Whose it is. */
  readonly workspace: string;
  /** Id of the key it was made with; never the key. */
  readonly keyId: string;
  readonly reports: readonly StoredReport[];
  readonly sanitizedFile: SanitizedFile | null;
  /** Absent until a dynamic report is completed. */
  readonly dynamic?: StoredDynamic;
  /** Absent when the URL was not visited. */
  readonly visit?: StoredVisit;
  /** Absent when nothing came up. */
  readonly artifacts?: readonly StoredArtifact[];
  /** Values that stand in the file; absent when there are none. Untrusted. */
  readonly iocs?: readonly FoundValue[];
  /** A YARA rule of the file's distinctive strings; absent when it has too few. */
  readonly yaraRule?: string;
  /** Set for submissions of the CDR service only. */
  readonly cdr: CdrRequest | null;
  /** How often its job was started; more than once after a crash. */
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
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
    details: [],
    engineVersion: null,
    durationSeconds: null,
  };
}

export const isTerminal = (report: StoredReport) => report.status === 'completed' || report.status === 'error';

/** Whether nothing of the submission will change any more. */
export const isFinished = ({ reports }: StoredSubmission) => reports.every(isTerminal);

/** The submission with one report moved to `next`. A move that is not forward changes nothing: late results are dropped. */
export function withReport(submission: StoredSubmission, next: StoredReport, nowMs: number): StoredSubmission {
  const current = submission.reports.find((report) => report.type === next.type);
  if (!current || STATUS_ORDER[next.status] <= STATUS_ORDER[current.status]) return submission;
  const reports = submission.reports.map((report) => (report === current ? next : report));
  return { ...submission, reports, updatedAtMs: nowMs };
}
