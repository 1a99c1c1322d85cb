/** A stored submission as the wire shows it: explicit nulls, and a superset that clients of both generations can read. */
import type { ReportStatus, ReportType, ThreatLevel } from '../contract/common.ts';
import type { Submission, SubmissionReport } from '../contract/v3.ts';
import { extensionOf, shownName } from './filename.ts';
import { isTerminal, type StoredReport, type StoredSubmission, type Subject } from './submissions.ts';

/** From harmless to worst. What is not known weighs more than benign: it never hides behind it. */
const LEVEL_ORDER: readonly ThreatLevel[] = ['benign', 'unknown', 'suspicious', 'malicious'];

/** The worst of the levels; `unknown` when there is none. */
export function worstLevel(levels: readonly ThreatLevel[]): ThreatLevel {
  const ranks = levels.map((level) => LEVEL_ORDER.indexOf(level));
  return LEVEL_ORDER[Math.max(...ranks)] ?? 'unknown';
}

/** The types of the completed reports. */
export function availableReports(submission: StoredSubmission): ReportType[] {
  return submission.reports.filter((report) => report.status === 'completed').map((report) => report.type);
}

/** The body of GET /submissions/:uuid. */
export function submissionView(submission: StoredSubmission): Submission {
  const { subject, reports } = submission;
  const completed = reports.filter((report) => report.status === 'completed');
  const scores = completed.flatMap((report) => report.score ?? []);
  return {
    uuid: submission.uuid,
    type: subject.type,
    filename: subject.type === 'file' ? shownName(subject.untrustedName) : null,
    url: subject.type === 'url' ? subject.url : null,
    hashes: subject.type === 'file' ? subject.hashes : null,
    file: fileView(subject),
    level: worstLevel(completed.flatMap((report) => report.level ?? [])),
    score: scores.length > 0 ? Math.max(...scores) : null,
    family: null,
    private: submission.private,
    tags: [],
    reports: reports.map(reportView),
    overview: overviewOf(reports),
    indicators: { levels: indicatorLevels(reports), artifactCount: 0 },
    mitreTechniques: [],
    createdAt: new Date(submission.createdAtMs).toISOString(),
    updatedAt: new Date(submission.updatedAtMs).toISOString(),
  };
}

function fileView(subject: Subject): Submission['file'] {
  if (subject.type !== 'file') return null;
  const name = shownName(subject.untrustedName);
  return {
    name,
    size: subject.size,
    extension: subject.detectedType?.extension ?? extensionOf(name),
    mimetype: subject.detectedType?.type ?? 'application/octet-stream',
    isMimetypeChecked: subject.detectedType !== null,
    entrypoint: subject.entrypoint === null ? null : { filename: shownName(subject.entrypoint) },
    source: { type: 'upload', url: null },
  };
}

function reportView(report: StoredReport): SubmissionReport {
  const { durationSeconds, findings, removed, sanitized, ...same } = report;
  return {
    ...same,
    format: null,
    operatingSystem: null,
    duration: durationSeconds,
    findings: [...findings],
    removed: [...removed],
    sanitized: [...sanitized],
  };
}

function overviewOf(reports: readonly StoredReport[]): Submission['overview'] {
  const succeeded = reports.filter((report) => report.status === 'completed').length;
  const failed = reports.filter((report) => report.status === 'error').length;
  const finished = succeeded + failed;
  const jobs = { total: reports.length, completed: finished, succeeded, failed, skipped: 0, finished };
  return { status: overallStatus(reports, succeeded), jobs };
}

function overallStatus(reports: readonly StoredReport[], succeeded: number): ReportStatus {
  if (reports.every(isTerminal)) return succeeded > 0 ? 'completed' : 'error';
  return reports.every((report) => report.status === 'accepted') ? 'accepted' : 'in_progress';
}

function indicatorLevels(reports: readonly StoredReport[]) {
  const levels = { malicious: 0, suspicious: 0, benign: 0 };
  for (const finding of reports.flatMap((report) => report.findings)) levels[finding.level] += 1;
  return levels;
}
