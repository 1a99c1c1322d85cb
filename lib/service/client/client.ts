/** `@mail-airlock/client`: everything that a program needs to use an analysis service or a CDR service. */

export type { CdrRecord, CdrStarted } from '../contract/cdr.ts';
export type { ReportStatus, ReportType, ThreatLevel } from '../contract/common.ts';
export type { ErrorCode } from '../contract/errors.ts';
export type { V1Created, V1ListItem, V1Page, V1Submission } from '../contract/v1-bodies.ts';
export type { MetafieldOption, ScanType } from '../contract/v3-config.ts';
export type {
  Submission,
  SubmissionCreated,
  SubmissionListItem,
  SubmissionPage,
  SubmissionReport,
} from '../contract/v3-submission.ts';
export {
  AnalysisClient,
  type CdrSubmissionOptions,
  type FileSubmissionOptions,
  type MetafieldValues,
  type OpenInBrowserOptions,
  type SandboxSubmissionOptions,
  type StaticSubmissionOptions,
  type UrlSubmissionOptions,
} from './analysis-client.ts';
export {
  AnalysisClientV1,
  type AnalysisClientV1Options,
  type V1SandboxOptions,
  type V1ScanOptions,
} from './analysis-client-v1.ts';
export type { V3Query } from './analysis-reports.ts';
export { CdrClient, type CdrClientOptions, type CdrStartOptions } from './cdr-client.ts';
export { dispositionFilename, safeFileName } from './content-disposition.ts';
export type { Dialect } from './dialect.ts';
export { Download } from './download.ts';
export {
  AnalysisError,
  ApiError,
  AuthError,
  ClientConfigError,
  ContractError,
  DownloadConsumedError,
  NetworkError,
  RateLimitError,
  ReportNotReadyError,
  ReportNotScheduledError,
  RequestTimeoutError,
  ResponseTooLargeError,
  UploadSourceError,
  WaitTimeoutError,
  YaraRulePendingError,
} from './errors.ts';
export type { AnalysisClientOptions } from './options.ts';
export type { CallOptions } from './route-caller.ts';
export type { FileToAnalyse, UploadContent } from './upload-source.ts';
export type { WaitOptions, WaitProgress, WaitSchedule } from './wait.ts';
