/** What GET /me says of this service: one workspace, one plan, real counts. */
import type { Me } from '../contract/v3.ts';
import type { ServiceLimits } from './limits.ts';

/** Counts of what callers used. */
export interface Usage {
  countRequest(): void;
  countSubmission(): void;
  readonly startedMs: number;
  readonly requests: number;
  /** Of the present UTC day. */
  readonly dailySubmissions: number;
}

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

/** Counters that start at zero; `now` is in milliseconds since the epoch. */
export function createUsage(now: () => number): Usage {
  const startedMs = now();
  const dayOf = () => Math.floor(now() / DAY_MS);
  let requests = 0;
  let day = dayOf();
  let submissions = 0;
  const newDay = () => {
    if (day !== dayOf()) submissions = 0;
    day = dayOf();
  };
  return {
    startedMs,
    countRequest: () => {
      requests += 1;
    },
    countSubmission: () => {
      newDay();
      submissions += 1;
    },
    get requests() {
      return requests;
    },
    get dailySubmissions() {
      newDay();
      return submissions;
    },
  };
}

/** The body of GET /me. */
export function meView(usage: Usage, pending: number, limits: ServiceLimits): Me {
  const period = { startTime: new Date(usage.startedMs).toISOString(), endTime: 'Unlimited' };
  return {
    userInfo: {
      email: 'operator@localhost',
      fullName: 'Local operator',
      workspace: { name: 'Local', alias: 'local', private: true, type: 'personal' },
      limitsCount: {
        apiRequestCount: usage.requests,
        dailySubmissionCount: usage.dailySubmissions,
        concurrentSubmissionCount: pending,
      },
    },
    plan: {
      planName: 'Local',
      ...period,
      subsTime: 'Unlimited',
      fileLimits: { extensions: [], fileSize: `${Number((limits.uploadBytes / MIB).toFixed(2))} MiB` },
      submissionLimits: { apiLimit: 0, dailyLimit: 0, concurrentLimit: limits.queuedJobs },
    },
    modules: [
      { moduleId: 'static', moduleName: 'Static analysis', ...period },
      { moduleId: 'cdr', moduleName: 'Content disarm and reconstruction', ...period },
      { moduleId: 'url_analysis', moduleName: 'URL analysis', ...period },
    ],
  };
}
