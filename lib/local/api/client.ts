/** The client of the `api` commands, and the explanation of failed calls for the person or script. */

import { safeText } from '../../pipeline/safe-text.ts';
import { AnalysisClient } from '../../service/client/analysis-client.ts';
import {
  AnalysisError,
  ApiError,
  AuthError,
  ClientConfigError,
  NetworkError,
  ReportNotReadyError,
  ReportNotScheduledError,
  UploadSourceError,
  WaitTimeoutError,
  YaraRulePendingError,
} from '../../service/client/errors.ts';
import { type Console, UsageError } from '../console.ts';

/** The exit codes of `airlock api`. */
export const API_EXIT = { done: 0, no: 1, usage: 2, failed: 3 } as const;

export interface ServiceChoice {
  readonly service?: string;
}

/** Makes a client for the chosen service. Throws UsageError when URL or key is missing, ClientConfigError when one is unusable. */
export function apiClient(console: Console, { service }: ServiceChoice): AnalysisClient {
  const baseUrl = service ?? console.env.AIRLOCK_API_URL;
  const apiKey = console.env.AIRLOCK_API_KEY;
  if (!baseUrl) {
    throw new UsageError(
      'No service is named. Give --service URL or set AIRLOCK_API_URL; `airlock serve` starts one on this machine.',
    );
  }
  if (!apiKey) throw new UsageError('Set AIRLOCK_API_KEY to your API key; `airlock serve` prints the one it uses.');
  return new AnalysisClient({ baseUrl, apiKey });
}

/** Returns the text when it is an id. Throws UsageError otherwise, so that a typing error is not sent to the service. */
export function submissionId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new UsageError(
    `${JSON.stringify(safeText(text, 80))} is not the id of a submission; \`airlock api list\` shows them.`,
  );
}

export interface Explained {
  readonly code: number;
  readonly sentence: string;
}

/** Explains a failed call: the remedy, and the exit code. Returns null when the error is no failed call. */
export function explainApiError(error: unknown): Explained | null {
  if (!(error instanceof AnalysisError)) return null;
  const advice = adviceFor(error);
  const sentence = safeText(error.message, 600);
  return { code: exitCodeOf(error), sentence: advice ? `${sentence}\n${advice}` : sentence };
}

function exitCodeOf(error: AnalysisError): number {
  if (error instanceof ClientConfigError || error instanceof UploadSourceError) return API_EXIT.usage;
  if (error instanceof AuthError) return API_EXIT.usage;
  if (error instanceof WaitTimeoutError || error instanceof ReportNotScheduledError) return API_EXIT.no;
  if (error instanceof YaraRulePendingError || error instanceof ReportNotReadyError) return API_EXIT.no;
  if (!(error instanceof ApiError)) return API_EXIT.failed;
  if (error.status === 404 || error.status === 410) return API_EXIT.no;
  return error.retryable ? API_EXIT.failed : API_EXIT.usage;
}

function adviceFor(error: AnalysisError): string | null {
  if (error instanceof AuthError && error.status === 401) return 'Check AIRLOCK_API_KEY.';
  if (error instanceof AuthError && error.code === 'SUBMISSION_PRIVATE') return 'It belongs to another workspace.';
  if (error instanceof ReportNotReadyError) return notReadyAdvice(error);
  if (error instanceof YaraRulePendingError) return `Ask again in ${error.retryAfterSeconds ?? 5} seconds.`;
  if (error instanceof WaitTimeoutError)
    return `It is not finished: airlock api wait ${safeText(error.submissionId, 60)}`;
  if (error instanceof NetworkError) return 'Is the service running, and is its URL right?';
  if (error instanceof ApiError && (error.code === 'HTTP_404' || error.code === 'ROUTE_NOT_FOUND'))
    return 'Is the URL of the service right (…/public-api)?';
  if (error instanceof ApiError && error.retryAfterSeconds !== null) {
    return `The service asks you to wait ${error.retryAfterSeconds} seconds.`;
  }
  return null;
}

function notReadyAdvice({ report }: ReportNotReadyError): string | null {
  if (!report) return null;
  const available = report.availableReports.length > 0 ? report.availableReports.join(', ') : 'none';
  const there = `Available reports: ${safeText(available, 200)}.`;
  if (report.currentStatus === null) {
    return `The ${safeText(report.requiredReport, 40)} report was never requested, so it will not come. ${there}`;
  }
  if (report.currentStatus === 'error') return `The ${safeText(report.requiredReport, 40)} analysis failed. ${there}`;
  return `Wait for it with: airlock api wait ${safeText(report.submissionUuid, 60)}. ${there}`;
}
