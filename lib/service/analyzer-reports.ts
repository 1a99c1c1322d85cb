/** Reads the reports of the analysis service and of the CDR service into the words of the pipeline. */
import { AnalyzerRefusal } from '../pipeline/errors.ts';
import type { Failure, FailureClass, Kind, Report } from '../pipeline/model.ts';
import type { CdrRecord } from './contract/cdr.ts';
import type { ReportType, ThreatLevel } from './contract/common.ts';
import type { ReportError, Submission, SubmissionReport } from './contract/v3-submission.ts';
import { groupRead } from './group-read.ts';
import { bounded, MAX_REASON_LENGTH, reasonsOf } from './reasons.ts';

/**
 * The reports that answer a kind. `required` must be there; `optional` is judged along when the service schedules it: a
 * sandbox submission brings a static report in practice, but not every service lists one.
 */
const REPORTS: Readonly<Record<Kind, { readonly required: ReportType; readonly optional: readonly ReportType[] }>> = {
  static: { required: 'static', optional: [] },
  sandbox: { required: 'dynamic', optional: ['static'] },
  cdr: { required: 'cdr', optional: [] },
  url_analysis: { required: 'url_analysis', optional: [] },
};

/** Failure codes of a report. A code that is not here is a service_error: policy never guesses what an unknown word means. */
const FAILURE_CLASS_OF: ReadonlyMap<string, FailureClass> = new Map(
  Object.entries({
    encrypted: 'encrypted',
    unsupported: 'unsupported',
    no_environment: 'unsupported',
    oversize: 'oversize',
    unreadable: 'unreadable',
    timeout: 'timeout',
  } as const),
);

/** From harmless to worst. Unknown is worse than benign. */
const LEVEL_ORDER: readonly ThreatLevel[] = ['benign', 'unknown', 'suspicious', 'malicious'];

/** True when every report that answers the kind has ended. A submission that does not list the required one has not. */
export function isFinished(kind: Kind, submission: Submission): boolean {
  return reportsFor(kind, submission)?.every(isTerminal) ?? false;
}

/** True when a report that answers the kind has not failed, so that the submission may be used again. */
export function isUsable(kind: Kind, submission: Submission): boolean {
  return reportsFor(kind, submission)?.some((report) => report.status !== 'error') ?? false;
}

/** The report of a finished submission. Throws AnalyzerRefusal `service_error` when it is not finished. */
export function reportOf(kind: Kind, submission: Submission): Report {
  const reports = reportsFor(kind, submission);
  if (!reports?.every(isTerminal)) {
    throw new AnalyzerRefusal('service_error', `the ${kind} report was asked for before it was finished`);
  }
  const completed = reports.filter((report) => report.status === 'completed');
  const failure = failureOf(reports.filter((report) => report.status === 'error'));
  const scores = completed.flatMap((report) => report.score ?? []);
  return {
    verdict: verdictOf(completed, failure),
    score: scores.length > 0 ? Math.max(...scores) : null,
    reasons: bounded(completed.flatMap(reasonsOf)),
    failure,
    removed: bounded(completed.flatMap((report) => report.removed)),
    sanitized: bounded(completed.flatMap((report) => report.sanitized)),
    hasDisarmedFile: kind === 'cdr' && completed.length > 0,
    readAs: groupRead(completed.find(({ type }) => type === 'cdr')?.format),
  };
}

/** The reports that answer a kind, or null while the required one is not listed: an empty list is not "all done". */
function reportsFor(kind: Kind, { reports }: Submission): readonly SubmissionReport[] | null {
  const { required, optional } = REPORTS[kind];
  if (!reports.some((report) => report.type === required)) return null;
  return reports.filter((report) => report.type === required || optional.some((type) => type === report.type));
}

const isTerminal = ({ status }: SubmissionReport) => status === 'completed' || status === 'error';

/** The worst level found. Benign needs every report: when one has failed, not everything was checked. */
function verdictOf(completed: readonly SubmissionReport[], failure: Failure | null): ThreatLevel {
  const ranks = completed.map(({ level }) => LEVEL_ORDER.indexOf(level ?? 'unknown'));
  const worst = LEVEL_ORDER[Math.max(...ranks)] ?? 'unknown';
  return failure && worst === 'benign' ? 'unknown' : worst;
}

/** The failure of the reports that ended in error. A missing environment is named only when nothing else went wrong. */
function failureOf(failed: readonly SubmissionReport[]): Failure | null {
  const main = failed.find(({ error }) => error?.code !== 'no_environment') ?? failed[0];
  if (!main) return null;
  const detail = failed
    .map(({ type, error }) => `${type}: ${error?.message ?? 'the service gave no reason'}`)
    .join('; ');
  return failure(main.error, detail);
}

/** The report of a finished result of the CDR service. Throws AnalyzerRefusal `service_error` when it is not finished. */
export function cdrReport({ status, result, files, error, message }: CdrRecord): Report {
  if (status !== 2) throw new AnalyzerRefusal('service_error', 'the cdr report was asked for before it was finished');
  const hasDisarmedFile = error === null && files.length > 0;
  return {
    verdict: 'unknown',
    score: null,
    reasons: [],
    failure: hasDisarmedFile ? null : failure(error, `cdr: ${error?.message ?? (message || 'no sanitized file')}`),
    removed: bounded(result?.log.removed ?? []),
    sanitized: bounded(result?.log.sanitized ?? []),
    hasDisarmedFile,
    readAs: groupRead(result?.format),
  };
}

function failure(error: ReportError | null, detail: string): Failure {
  return {
    class: FAILURE_CLASS_OF.get(error?.code ?? '') ?? 'service_error',
    detail: detail.slice(0, MAX_REASON_LENGTH),
  };
}
