/** The numbers of v1 for what v3 writes as words. Clients of both generations carry these two tables. */
import type { ReportStatus, ThreatLevel } from './common.ts';

/** 0 not measured, 1 informative, 2 suspicious, 3 malicious. */
export const V1_LEVELS = [0, 1, 2, 3] as const;
export type V1LevelNumber = (typeof V1_LEVELS)[number];

/** 0 declined, 1 received, 2 accepted, 3 running, 4 ready, 5 finished. */
export const V1_STATUSES = [0, 1, 2, 3, 4, 5] as const;
export type V1StatusNumber = (typeof V1_STATUSES)[number];

/** The number of each level. `unknown` is 0, which reads "not measured" and never "benign". */
export const V1_LEVEL_OF: Readonly<Record<ThreatLevel, V1LevelNumber>> = {
  unknown: 0,
  benign: 1,
  suspicious: 2,
  malicious: 3,
};

/** The number of each status. */
export const V1_STATUS_OF: Readonly<Record<ReportStatus, V1StatusNumber>> = {
  error: 0,
  not_started: 1,
  accepted: 2,
  in_progress: 3,
  clean_up: 4,
  completed: 5,
};

/** The text that people read for each level, by its number. */
export const V1_LEVEL_LABELS = ['Not Measured', 'Informative', 'Suspicious', 'Malicious'] as const;

/** The text that people read for each status, by its number. */
export const V1_STATUS_LABELS = [
  'Submission is declined',
  'File received',
  'Submission is accepted',
  'Submission is running',
  'Submission VM is ready',
  'Submission is finished',
] as const;

/** The names that v1 gives the report types. */
export const V1_REPORT_KEYS = {
  dynamic: 'dynamic',
  static: 'static',
  cdr: 'cdr',
  url_analysis: 'urlAnalysis',
} as const;
export type V1ReportKey = (typeof V1_REPORT_KEYS)[keyof typeof V1_REPORT_KEYS];

/** The message of a new v1 submission. Public clients and their tests compare it word for word. */
export const V1_CREATED_MESSAGE = 'You have successfully submitted a submission.';

/** Public clients read this id to test a key. It answers 200 although nobody submitted it. */
export const V1_CONNECTIVITY_UUID = '41704f61-6f3f-4241-9e81-f13f9e532e37';

/** The cookie that carries the access token on v1 downloads. */
export const V1_COOKIE = 'accesstoken';
