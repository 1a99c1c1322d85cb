/** A stored submission as the CDR service shows it. */
import type { CdrRecord, CdrResult } from '../../contract/cdr.ts';
import { shownName } from '../filename.ts';
import { isTerminal, type StoredReport, type StoredSubmission } from '../store/submissions.ts';
import { qualityView } from '../views/quality.ts';

/**
 * Returns the body of GET /listen/:resultId. A failed disarm is finished, has no files, and says why. `fileData` is the sanitized file in
 * base64, or null when the record does not contain it. Returns null when the submission is not the disarm of a file.
 */
export function cdrView(submission: StoredSubmission, fileData: string | null): CdrRecord | null {
  const { subject } = submission;
  const report = submission.reports.find(({ type }) => type === 'cdr');
  if (subject.type !== 'file' || !report) return null;
  const isFinished = isTerminal(report);
  return {
    type: 'file',
    name: shownName(subject.untrustedName),
    fileId: subject.hashes.sha256,
    resultId: submission.uuid,
    size: subject.size,
    hashes: subject.hashes,
    status: isFinished ? 2 : 1,
    level: 0,
    files: filesOf(submission, report),
    message: messageOf(report),
    result: isFinished ? resultOf(submission, report, fileData) : null,
    error: report.error,
  };
}

/** Returns `<sha256>_sanitized.<ext>`: the name of a sanitized file contains nothing that a sender chose. */
export function sanitizedCdrName(submission: StoredSubmission): string {
  const { subject, sanitizedFile } = submission;
  if (subject.type !== 'file' || !sanitizedFile) return '';
  return `${subject.hashes.sha256}_sanitized.${sanitizedFile.extension}`;
}

function filesOf(submission: StoredSubmission, report: StoredReport): CdrRecord['files'] {
  if (report.status !== 'completed' || !submission.sanitizedFile) return [];
  return [{ name: sanitizedCdrName(submission), id: submission.sanitizedFile.fileId }];
}

function messageOf(report: StoredReport): string {
  if (report.status === 'error') return report.error?.message ?? 'the file could not be disarmed';
  return report.status === 'completed' ? 'Completed' : 'Received';
}

function resultOf(submission: StoredSubmission, report: StoredReport, fileData: string | null): CdrResult {
  const isDisarmed = report.status === 'completed';
  const hasChanges = report.removed.length + report.sanitized.length > 0;
  const success = hasChanges ? 'The file was sanitized' : 'Nothing had to be removed';
  return {
    filename: isDisarmed ? sanitizedCdrName(submission) : '',
    log: {
      description: isDisarmed ? success : messageOf(report),
      removed: [...report.removed],
      sanitized: [...report.sanitized],
      'processing time': `${(report.durationSeconds ?? 0).toFixed(5)} seconds`,
    },
    file_data: isDisarmed ? fileData : null,
    format: report.readAs ?? null,
    quality: qualityView(report),
  };
}
