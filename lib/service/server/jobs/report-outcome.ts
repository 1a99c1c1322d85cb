/** Makes the tasks of the engines from the reports of a submission, and stored reports from the reports of the engines. */

import type {
  DisarmReport,
  DynamicReport,
  EngineFailure,
  FailedReport,
  Finding,
  StaticReport,
} from '../../../engines/engine.ts';
import type { StoredFileReport } from '../../../engines/threads/stored-file.ts';
import type { EngineReport } from '../../../engines/threads/task.ts';
import type { UrlReport, UrlVisit } from '../../../engines/url-report.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { ReportType } from '../../contract/common.ts';
import { type StoredFinding, type StoredReport, type StoredSubmission, scheduledReport } from '../store/submissions.ts';

/** The task of an engine for a report. The bytes are read when the task starts. */
export type Plan =
  | {
      readonly engine: 'static' | 'disarm' | 'sandbox';
      readonly sha256: string;
      readonly size: number;
      readonly untrustedName: string;
      readonly keepMetadata: boolean;
    }
  | { readonly engine: 'url'; readonly url: string };

/** Returns the task for a report, or the reason why there is none. */
export function planOf(type: ReportType, { subject, cdr }: StoredSubmission): Plan | EngineFailure {
  if (type === 'open_in_browser')
    return { code: 'no_environment', message: 'no environment has a browser to open this in' };
  if (subject.type === 'url') {
    if (type === 'url_analysis') return { engine: 'url', url: subject.url };
    return { code: 'unsupported', message: 'a URL has no file to analyse' };
  }
  if (subject.entrypoint !== null) {
    // An analysis of the whole archive would answer another question.
    return {
      code: 'unsupported',
      message: 'analysis of one entry of an archive is not offered; submit the entry itself',
    };
  }
  const { hashes, size } = subject;
  const untrustedName = cdr?.extension ? `file.${cdr.extension}` : subject.untrustedName;
  const engine = type === 'cdr' ? 'disarm' : type === 'dynamic' ? 'sandbox' : 'static';
  const keepMetadata = subject.keepsMetadata === true;
  return { engine, sha256: hashes.sha256, size, untrustedName, keepMetadata };
}

/** The results of one run of an engine. */
export interface Outcome {
  readonly report: StoredReport;
  /** Read from the bytes by the static engine. */
  readonly detectedType: DetectedType | null;
  /** The disarmed bytes, or the file that contains them, and their type. */
  readonly disarmed: { readonly content: Uint8Array | { readonly path: string }; readonly type: DetectedType } | null;
  /** The record of the run. */
  readonly detonation?: DynamicReport;
  /** The pieces that the static engine extracted from the file, and its findings. */
  readonly contents?: Pick<StaticReport, 'extracted' | 'iocs' | 'yaraRule'>;
  /** The results of a visit to the URL. */
  readonly visit?: UrlVisit;
}

/** Returns a report that ends in `error`. Every engine without a result gets one. */
export function failedOutcome(type: ReportType, error: EngineFailure, engineVersion: string | null): Outcome {
  const report: StoredReport = { ...scheduledReport(type), status: 'error', error, engineVersion };
  return { report, detectedType: null, disarmed: null };
}

/** Returns the outcome of an engine's report. A report of another engine is a fault, not a result. */
export function outcomeOf(type: ReportType, report: EngineReport, maxEntries: number): Outcome {
  if (type === 'cdr' && 'bytes' in report) return disarmOutcome(report, report.bytes, maxEntries);
  return otherOutcome(type, report, maxEntries);
}

/** Returns the outcome of a report on a large file, whose disarmed bytes are at `outputPath`. */
export function storedOutcomeOf(
  type: ReportType,
  report: StoredFileReport,
  outputPath: string,
  maxEntries: number,
): Outcome {
  if (type === 'cdr' && 'details' in report) return disarmOutcome(report, { path: outputPath }, maxEntries);
  return otherOutcome(type, report, maxEntries);
}

function otherOutcome(type: ReportType, report: EngineReport | StoredFileReport, maxEntries: number): Outcome {
  if (report.outcome === 'failed') return failedOutcome(type, report.failure, report.engineVersion);
  if (type === 'static' && 'hashes' in report) {
    return { ...judgedOutcome(type, report, report.type, maxEntries), contents: report };
  }
  if (type === 'dynamic' && 'events' in report) {
    return { ...judgedOutcome(type, report, null, maxEntries), detonation: report };
  }
  if (type === 'url_analysis' && isUrlReport(report)) {
    const outcome = judgedOutcome(type, report, null, maxEntries);
    return report.visit ? { ...outcome, visit: report.visit } : outcome;
  }
  const message = 'the engine answered with a report of another kind';
  return failedOutcome(type, { code: 'engine_failed', message }, report.engineVersion);
}

const isUrlReport = (report: Exclude<EngineReport | StoredFileReport, FailedReport>): report is UrlReport =>
  !['details', 'hashes', 'events', 'page'].some((key) => key in report);

function judgedOutcome(
  type: ReportType,
  { level, score, findings, engineVersion }: StaticReport | UrlReport | DynamicReport,
  detectedType: DetectedType | null,
  maxEntries: number,
): Outcome {
  const report: StoredReport = {
    ...scheduledReport(type),
    status: 'completed',
    level,
    score,
    // The worst findings come first. A cut therefore never hides the reason for the level.
    findings: [...findings]
      .sort((a, b) => b.score - a.score)
      .slice(0, maxEntries)
      .map(storedFinding),
    engineVersion,
  };
  return { report, detectedType, disarmed: null };
}

/** Characters of a finding's evidence that are stored. */
const EVIDENCE_CHARS = 2_000;

function storedFinding(finding: Finding): StoredFinding {
  const { id, name, description, level, score, where, rule, techniques, evidence, seenIn } = finding;
  const explained = where === null ? description : `${description} (${where})`;
  return {
    id,
    name,
    description: explained,
    level,
    score,
    rule: rule ?? null,
    ...(techniques && { techniques }),
    ...(where !== null && { where }),
    ...(evidence && { evidence: evidence.slice(0, EVIDENCE_CHARS) }),
    ...(seenIn && { seenIn }),
  };
}

function disarmOutcome(
  disarm: Omit<DisarmReport, 'bytes'>,
  content: Uint8Array | { readonly path: string },
  maxEntries: number,
): Outcome {
  const kindsOf = (action: 'removed' | 'sanitized') => [
    ...new Set(disarm.details.filter((detail) => detail.action === action).map((detail) => detail.kind)),
  ];
  const report: StoredReport = {
    ...scheduledReport('cdr'),
    status: 'completed',
    removed: kindsOf('removed').slice(0, maxEntries),
    sanitized: kindsOf('sanitized').slice(0, maxEntries),
    details: disarm.details.slice(0, maxEntries),
    quality: disarm.quality,
    readAs: disarm.readAs.type,
    engineVersion: disarm.engineVersion,
  };
  return { report, detectedType: null, disarmed: { content, type: disarm.type } };
}
