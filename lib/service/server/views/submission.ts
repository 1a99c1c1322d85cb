/** A stored submission in the shape of the contract, with explicit nulls, and with the fields for clients of both generations. */

import { SCRIPT_ENVIRONMENT } from '../../../engines/script/environment.ts';
import type { ReportStatus } from '../../contract/common.ts';
import type { Submission, SubmissionListItem, SubmissionReport } from '../../contract/v3-submission.ts';
import { shownName } from '../filename.ts';
import { levelOf, scoreOf, tagsOf } from '../store/submission-facts.ts';
import { isTerminal, type StoredReport, type StoredSubmission, scheduledReports } from '../store/submissions.ts';
import { artifactsOf, indicatorsOf, levelCounts, mitreTechniquesOf } from './report.ts';
import { shownType } from './scan.ts';

/** The operating system of the only environment. */
const OPERATING_SYSTEM = { name: SCRIPT_ENVIRONMENT.name, platform: SCRIPT_ENVIRONMENT.platform };

const iso = (ms: number) => new Date(ms).toISOString();

/** Returns the body of GET /submissions/:uuid. */
export function submissionView(submission: StoredSubmission): Submission {
  const { subject } = submission;
  const { filename, url, level, type, tags, reports, overview, indicators, createdAt } = submissionListItem(submission);
  return {
    uuid: submission.uuid,
    type,
    filename,
    url,
    hashes: subject.type === 'file' ? subject.hashes : null,
    file: fileView(submission),
    level,
    score: scoreOf(submission),
    family: null,
    private: submission.private,
    tags,
    reports,
    skippedReports: skippedReportsOf(submission),
    overview,
    indicators,
    mitreTechniques: mitreTechniquesOf(submission),
    createdAt,
    updatedAt: iso(submission.updatedAtMs),
  };
}

/** Returns a submission as a list shows it. */
export function submissionListItem(submission: StoredSubmission): SubmissionListItem {
  const { subject } = submission;
  const reports = scheduledReports(submission);
  const isFile = subject.type === 'file';
  return {
    uuid: submission.uuid,
    filename: isFile ? shownName(subject.untrustedName) : null,
    url: isFile ? null : subject.url,
    sha256: isFile ? subject.hashes.sha256 : null,
    level: levelOf(submission),
    type: subject.type,
    private: submission.private,
    tags: tagsOf(submission),
    reports: reports.map((report) => reportView(submission, report)),
    mimetype: shownType(submission)?.mimetype ?? null,
    size: isFile ? subject.size : null,
    overview: overviewOf(reports, submission.reports.length - reports.length),
    indicators: { levels: levelCounts(indicatorsOf(submission)), artifactCount: artifactsOf(submission).length },
    createdAt: iso(submission.createdAtMs),
  };
}

function fileView(submission: StoredSubmission): Submission['file'] {
  const { subject } = submission;
  const type = shownType(submission);
  if (subject.type !== 'file' || !type) return null;
  return {
    name: shownName(subject.untrustedName),
    size: subject.size,
    ...type,
    entrypoint: subject.entrypoint === null ? null : { filename: shownName(subject.entrypoint) },
    source: { type: 'upload', url: null },
  };
}

function reportView(submission: StoredSubmission, report: StoredReport): SubmissionReport {
  return {
    type: report.type,
    status: report.status,
    level: report.level,
    score: report.score,
    format: report.readAs ?? null,
    operatingSystem: report.type === 'dynamic' && report.status === 'completed' ? OPERATING_SYSTEM : null,
    duration: report.durationSeconds,
    error: report.error,
    findings: report.findings.map(({ id, name, description, level, score }) => ({
      id,
      name,
      description,
      level,
      score,
    })),
    removed: [...report.removed],
    sanitized: [...report.sanitized],
    redirects: report.type === 'url_analysis' ? (submission.visit?.urls.slice(1) ?? []) : [],
    engineVersion: report.engineVersion,
  };
}

function skippedReportsOf(submission: StoredSubmission): Submission['skippedReports'] {
  const scheduled = scheduledReports(submission);
  return submission.reports.flatMap((report) =>
    report.error && !scheduled.includes(report) ? [{ type: report.type, reason: report.error }] : [],
  );
}

function overviewOf(reports: readonly StoredReport[], skipped: number): Submission['overview'] {
  const succeeded = reports.filter((report) => report.status === 'completed').length;
  const failed = reports.filter((report) => report.status === 'error').length;
  const finished = succeeded + failed + skipped;
  const jobs = { total: reports.length + skipped, completed: finished, succeeded, failed, skipped, finished };
  return { status: overallStatus(reports, succeeded), jobs };
}

function overallStatus(reports: readonly StoredReport[], succeeded: number): ReportStatus {
  if (reports.every(isTerminal)) return succeeded > 0 ? 'completed' : 'error';
  return reports.every((report) => report.status === 'accepted') ? 'accepted' : 'in_progress';
}
