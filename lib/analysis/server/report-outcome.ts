/** What the reports of a submission ask of the engines, and what an engine's report becomes. */
import type { ReportType } from '../contract/common.ts';
import type { ReportFinding } from '../contract/v3.ts';
import type { DetectedType, DisarmReport, EngineFailure, Finding, StaticReport, UrlReport } from '../engines/engine.ts';
import type { EngineReport, EngineTask } from '../engines/task.ts';
import { type StoredReport, type Subject, scheduledReport } from './submissions.ts';

/** What a job carries beside the stored submission; never stored and never logged. */
export interface JobSecrets {
  /** Of the upload; empty for a URL. */
  readonly bytes: Uint8Array;
  readonly password: string | null;
}

/** The engine task for a report, or why there is none. */
export function taskOf(
  type: ReportType,
  subject: Subject,
  { bytes, password }: JobSecrets,
): EngineTask | EngineFailure {
  if (type === 'dynamic') return { code: 'no_environment', message: 'no environment can run this' };
  if (subject.type === 'url') {
    if (type === 'url_analysis') return { engine: 'url', url: subject.url };
    return { code: 'unsupported', message: 'a URL has no file to analyse' };
  }
  if (subject.entrypoint !== null) {
    // Analysing the whole archive instead would be an answer to another question.
    return {
      code: 'unsupported',
      message: 'analysis of one entry of an archive is not offered; submit the entry itself',
    };
  }
  const input = { bytes, untrustedName: subject.untrustedName, password };
  return { engine: type === 'cdr' ? 'disarm' : 'static', input };
}

/** What one engine run leaves behind. */
export interface Outcome {
  readonly report: StoredReport;
  /** Read from the bytes by the static engine. */
  readonly detectedType: DetectedType | null;
  /** The disarmed bytes and what they are. */
  readonly disarmed: { readonly bytes: Uint8Array; readonly type: DetectedType } | null;
}

/** The report that ends in `error`: an engine that has no result is never silent. */
export function failedOutcome(type: ReportType, error: EngineFailure, engineVersion: string | null): Outcome {
  const report: StoredReport = { ...scheduledReport(type), status: 'error', error, engineVersion };
  return { report, detectedType: null, disarmed: null };
}

/** The outcome of an engine's report. A report of another engine than the one asked is a fault, not a result. */
export function outcomeOf(type: ReportType, report: EngineReport, maxEntries: number): Outcome {
  if (report.outcome === 'failed') return failedOutcome(type, report.failure, report.engineVersion);
  if (type === 'cdr' && 'bytes' in report) return disarmOutcome(report, maxEntries);
  if (type === 'static' && 'hashes' in report) return judgedOutcome(type, report, report.type, maxEntries);
  if (type === 'url_analysis' && !('bytes' in report) && !('hashes' in report)) {
    return judgedOutcome(type, report, null, maxEntries);
  }
  const message = 'the engine answered with a report of another kind';
  return failedOutcome(type, { code: 'engine_failed', message }, report.engineVersion);
}

function judgedOutcome(
  type: ReportType,
  { level, score, findings, engineVersion }: StaticReport | UrlReport,
  detectedType: DetectedType | null,
  maxEntries: number,
): Outcome {
  const report: StoredReport = {
    ...scheduledReport(type),
    status: 'completed',
    level,
    score,
    // The worst first, so that the cut never hides why a level was given.
    findings: [...findings]
      .sort((a, b) => b.score - a.score)
      .slice(0, maxEntries)
      .map(findingOnWire),
    engineVersion,
  };
  return { report, detectedType, disarmed: null };
}

function findingOnWire({ id, name, description, level, score, where }: Finding): ReportFinding {
  return { id, name, description: where === null ? description : `${description} (${where})`, level, score };
}

function disarmOutcome(disarm: DisarmReport, maxEntries: number): Outcome {
  const kindsOf = (action: 'removed' | 'sanitized') => [
    ...new Set(disarm.details.filter((detail) => detail.action === action).map((detail) => detail.kind)),
  ];
  const report: StoredReport = {
    ...scheduledReport('cdr'),
    status: 'completed',
    removed: kindsOf('removed').slice(0, maxEntries),
    sanitized: kindsOf('sanitized').slice(0, maxEntries),
    engineVersion: disarm.engineVersion,
  };
  return { report, detectedType: null, disarmed: { bytes: disarm.bytes, type: disarm.type } };
}
