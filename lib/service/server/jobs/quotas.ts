/** Counts how much of its quotas each key has used, and refuses more. */

import { ServiceError } from '../service-error.ts';
import type { Caller } from '../store/api-keys.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The wait in seconds when too many analyses are in progress. They end by themselves, so the caller can ask again soon. */
const CONCURRENT_RETRY_SECONDS = 5;

/** The use of a key: in this minute, on this UTC day, and at this moment. */
export interface Usage {
  readonly requests: number;
  readonly dailySubmissions: number;
  readonly concurrentSubmissions: number;
}

/** The right to submit once. It counts from its start, so that parallel uploads cannot exceed the quotas. */
export interface SubmissionTicket {
  /** Counts the submission for the day, and as long as its job runs. */
  use(): void;
  /** Gives the right back. Does nothing when it was used. */
  release(): void | Promise<void>;
}

export interface Quotas {
  /** Counts a request. Throws ServiceError RATE_LIMIT_EXCEEDED. */
  request(caller: Caller): void | Promise<void>;
  /** Throws ServiceError SUBMISSION_LIMIT_EXCEEDED. */
  submission(caller: Caller): Promise<SubmissionTicket>;
  /** Notes that a job of the key has ended. */
  ended(keyId: string): void;
  usage(caller: Caller): Promise<Usage>;
}

/** The quotas of one process that has the jobs of its store to itself. */
export interface OwnQuotas extends Quotas {
  request(caller: Caller): void;
  /** Counts a job of the key that has no ticket, because it was found after a restart. */
  resumed(keyId: string): void;
}

interface Counters {
  minute: number;
  requests: number;
  day: number;
  daily: number;
  concurrent: number;
}

export interface QuotaDeps {
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns how many submissions the key has made since then, so that the quota of the day survives a restart. */
  readonly countSince: (keyId: string, sinceMs: number) => Promise<number>;
}

/** Counts in memory. The submissions of the day are read from the store at the first submission of a key. */
export function createQuotas({ now, countSince }: QuotaDeps): OwnQuotas {
  const byKey = new Map<string, Counters>();
  const countersOf = (keyId: string) => {
    const known = byKey.get(keyId) ?? { minute: 0, requests: 0, day: -1, daily: 0, concurrent: 0 };
    byKey.set(keyId, known);
    return known;
  };
  const today = async (keyId: string) => {
    const counters = countersOf(keyId);
    const day = Math.floor(now() / DAY_MS);
    if (counters.day !== day) {
      const made = await countSince(keyId, day * DAY_MS);
      if (counters.day !== day) Object.assign(counters, { day, daily: made });
    }
    return counters;
  };
  return {
    request: (caller) => countRequest(countersOf(caller.keyId), caller, now()),
    submission: async (caller) => takeTicket(await today(caller.keyId), caller, now()),
    resumed: (keyId) => {
      countersOf(keyId).concurrent += 1;
    },
    ended: (keyId) => {
      countersOf(keyId).concurrent -= 1;
    },
    usage: async ({ keyId }) => {
      const { minute, requests, daily, concurrent } = await today(keyId);
      const isPresent = minute === Math.floor(now() / MINUTE_MS);
      return { requests: isPresent ? requests : 0, dailySubmissions: daily, concurrentSubmissions: concurrent };
    },
  };
}

/** Returns the refusal of a request beyond the quota of the minute. */
export const tooManyRequests = (limit: number, retryAfterSeconds: number) =>
  new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds, details: { limit } });

/** Returns the refusal of a submission beyond the quota of the day. */
export const tooManyToday = (limit: number, nowMs: number) =>
  new ServiceError('SUBMISSION_LIMIT_EXCEEDED', {
    message: 'the quota of submissions for this day is used up',
    retryAfterSeconds: Math.ceil(((Math.floor(nowMs / DAY_MS) + 1) * DAY_MS - nowMs) / 1_000),
    details: { limit },
  });

/** Returns the refusal of a submission while the maximum is in progress. */
export const tooManyInProgress = (limit: number) =>
  new ServiceError('SUBMISSION_LIMIT_EXCEEDED', {
    message: 'too many submissions of this key are in progress',
    retryAfterSeconds: CONCURRENT_RETRY_SECONDS,
    details: { limit },
  });

function countRequest(counters: Counters, { quotas }: Caller, nowMs: number): void {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (counters.minute !== minute) Object.assign(counters, { minute, requests: 0 });
  if (quotas.requestsPerMinute > 0 && counters.requests >= quotas.requestsPerMinute) {
    throw tooManyRequests(quotas.requestsPerMinute, Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1_000));
  }
  counters.requests += 1;
}

function takeTicket(counters: Counters, { quotas }: Caller, nowMs: number): SubmissionTicket {
  const { submissionsPerDay, concurrentSubmissions } = quotas;
  if (submissionsPerDay > 0 && counters.daily >= submissionsPerDay) {
    throw tooManyToday(submissionsPerDay, nowMs);
  }
  if (concurrentSubmissions > 0 && counters.concurrent >= concurrentSubmissions) {
    throw tooManyInProgress(concurrentSubmissions);
  }
  const { day } = counters;
  counters.daily += 1;
  counters.concurrent += 1;
  let isOpen = true;
  return {
    use: () => {
      isOpen = false;
    },
    release: () => {
      if (!isOpen) return;
      isOpen = false;
      counters.concurrent -= 1;
      if (counters.day === day) counters.daily -= 1;
    },
  };
}
