/** Reads the reports of the analysis service and of the CDR service into the words of the pipeline. */

import { bounded, failureOfCode, groupRead, reportOfResults } from '../pipeline/analysis/report-of-results.ts';
import { AnalyzerRefusal } from '../pipeline/errors.ts';
import type { Kind, Report } from '../pipeline/model.ts';
import type { CdrRecord } from './contract/cdr.ts';
import type { ReportType } from './contract/common.ts';
import { type Submission, SubmissionReport } from './contract/v3-submission.ts';

/**
 * The reports that answer a kind. `required` must exist. `optional` is also judged when the service schedules it. In practice a sandbox
 * submission has a static report, but not every service lists one.
 */
const REPORTS: Readonly<Record<Kind, { readonly required: ReportType; readonly optional: readonly ReportType[] }>> = {
  static: { required: 'static', optional: [] },
  sandbox: { required: 'dynamic', optional: ['static'] },
  cdr: { required: 'cdr', optional: [] },
  url_analysis: { required: 'url_analysis', optional: [] },
};

/** Returns true when every report that answers the kind has ended. A submission that does not list the required one has not. */
export function isFinished(kind: Kind, submission: Submission): boolean {
  return reportsFor(kind, submission)?.every(isTerminal) ?? false;
}

/** Returns true when a report that answers the kind has not failed, so that the submission may be used again. */
export function isUsable(kind: Kind, submission: Submission): boolean {
  return reportsFor(kind, submission)?.some((report) => report.status !== 'error') ?? false;
}

/** Returns the report of a finished submission. Throws AnalyzerRefusal `service_error` when it is not finished. */
export function reportOf(kind: Kind, submission: Submission): Report {
  const reports = reportsFor(kind, submission);
  if (!reports?.every(isTerminal)) {
    throw new AnalyzerRefusal('service_error', `the ${kind} report was asked for before it was finished`);
  }
  return reportOfResults(reports);
}

/** Returns the reports that answer a kind, or null while the required one is not listed: an empty list is not "all done". */
function reportsFor(kind: Kind, submission: Submission): readonly SubmissionReport[] | null {
  const { required, optional } = REPORTS[kind];
  // A skipped report is not harmless: it failed with the reason of the service.
  const reports = [...submission.reports, ...submission.skippedReports.map(failedReport)];
  if (!reports.some((report) => report.type === required)) return null;
  return reports.filter((report) => report.type === required || optional.some((type) => type === report.type));
}

const failedReport = ({ type, reason }: Submission['skippedReports'][number]): SubmissionReport =>
  SubmissionReport.parse({ type, status: 'error', error: reason });

const isTerminal = ({ status }: SubmissionReport) => status === 'completed' || status === 'error';

/** Returns the report of a finished result of the CDR service. Throws AnalyzerRefusal `service_error` when it is not finished. */
export function cdrReport({ status, result, files, error, message }: CdrRecord): Report {
  if (status !== 2) throw new AnalyzerRefusal('service_error', 'the cdr report was asked for before it was finished');
  const hasDisarmedFile = error === null && files.length > 0;
  const detail = `cdr: ${error?.message ?? (message || 'no sanitized file')}`;
  return {
    verdict: 'unknown',
    score: null,
    reasons: [],
    failure: hasDisarmedFile ? null : failureOfCode(error?.code ?? null, detail),
    removed: bounded(result?.log.removed ?? []),
    sanitized: bounded(result?.log.sanitized ?? []),
    hasDisarmedFile,
    readAs: groupRead(result?.format),
  };
}
