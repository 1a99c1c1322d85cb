/** The reports of the static scan and of the disarm. */

import { reasonFor } from '../../../engines/removal-reasons.ts';
import type { CdrReport, StaticScan } from '../../contract/v3-reports.ts';
import { extensionOf } from '../filename.ts';
import type { StoredReport, StoredSubmission } from '../store/submissions.ts';
import { qualityView } from './quality.ts';
import { sampleIdOf } from './report.ts';

const elapsed = ({ durationSeconds }: StoredReport) => `${(durationSeconds ?? 0).toFixed(5)} seconds`;

/** Returns the static report of a submission, which must be completed. */
export function staticScanOf(submission: StoredSubmission): StaticScan {
  const { subject } = submission;
  const report = reportOf(submission, 'static');
  const type = subject.type === 'file' ? subject.detectedType : null;
  const hashes = subject.type === 'file' ? subject.hashes : { md5: null, sha1: null, sha256: null };
  const findings = report.findings.map(({ id, name, description, level, score }) => ({
    id,
    name,
    description,
    level,
    score,
  }));
  return {
    ...envelope(submission, report, {
      level: report.level,
      score: report.score,
      fileType: type?.type ?? null,
      findings,
    }),
    submission: submission.uuid,
    status: report.status,
    reportFormat: type?.extension ?? '',
    level: report.level ?? 'unknown',
    score: report.score ?? 0,
    fileInfo: {
      ...hashes,
      ssdeep: null,
      mime_type: type?.type ?? null,
      file_type: type?.description ?? null,
      entropy: null,
      filesize: subject.type === 'file' ? String(subject.size) : null,
    },
    strings: null,
    dieResults: type ? [{ name: type.extension, string: type.description, type: type.type, version: null }] : [],
    analysisTime: elapsed(report),
    metafields: {},
  };
}

/** Returns a result in the envelope that clients of the first generation read. */
function envelope(submission: StoredSubmission, report: StoredReport, data: Record<string, unknown>) {
  const item = {
    artifact: sampleIdOf(submission),
    status: report.status,
    data,
    lastErrorMessage: report.error?.message ?? null,
    engineVersion: report.engineVersion,
  };
  return { items: [item], total: 1 };
}

/** Returns the report of a disarm, which must be completed. */
export function cdrReportOf(submission: StoredSubmission): CdrReport {
  const report = reportOf(submission, 'cdr');
  const { sanitizedFile } = submission;
  const lists = { removed: [...report.removed], sanitized: [...report.sanitized] };
  return {
    ...envelope(submission, report, lists),
    submission: submission.uuid,
    status: report.status,
    ...lists,
    sanitizedFileInfo: sanitizedFile && {
      description: report.details.length > 0 ? 'The file was sanitized' : 'Nothing had to be removed',
      fileType: sanitizedFile.type,
      fileSize: sanitizedFile.size,
      sha256: sanitizedFile.sha256,
      name: sanitizedFile.filename,
      details: report.details.map(({ kind, action, where }) => ({
        name: kind,
        action,
        data: { where, why: reasonFor(kind) },
      })),
    },
    quality: qualityView(report),
    elapsedTime: elapsed(report),
    metafields: {},
  };
}

/** Returns the shown extension. It is read from the bytes, unless the submitter wanted the one of the name. */
export function shownType(submission: StoredSubmission) {
  const { subject } = submission;
  if (subject.type !== 'file') return null;
  const detected = subject.showsDetectedType ? subject.detectedType : null;
  return {
    extension: detected?.extension ?? extensionOf(subject.untrustedName),
    mimetype: detected?.type ?? 'application/octet-stream',
    isMimetypeChecked: detected !== null,
  };
}

function reportOf(submission: StoredSubmission, type: StoredReport['type']): StoredReport {
  const report = submission.reports.find((candidate) => candidate.type === type);
  if (!report) throw new TypeError(`the submission has no ${type} report`);
  return report;
}
