/** What each key has used of its quotas, and the refusal when that is all. */
import type { Caller } from './keys.ts';
import { ServiceError } from './service-error.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Analyses end by themselves: whoever has too many of them under way asks again soon. */
const CONCURRENT_RETRY_SECONDS = 5;

/** What a key has used: of the present minute, of the present UTC day, and now. */
export interface Usage {
  readonly requests: number;
  readonly dailySubmissions: number;
  readonly concurrentSubmissions: number;
}

/** The right to submit once, counted against the quotas from the start: uploads that run side by side cannot exceed them. */
export interface SubmissionTicket {
  /** The submission was made: it counts as long as its job runs, and for the day. */
  use(): void;
  /** Gives the right back; does nothing once used. */
  release(): void;
}

export interface Quotas {
  /** Counts a request. Throws ServiceError RATE_LIMIT_EXCEEDED. */
  request(caller: Caller): void;
  /** Throws ServiceError SUBMISSION_LIMIT_EXCEEDED. */
  submission(caller: Caller): Promise<SubmissionTicket>;
  /** A job of the key runs that no ticket stands for: it was found after a restart. */
  resumed(keyId: string): void;
  /** A job of the key has ended. */
  ended(keyId: string): void;
  usage(caller: Caller): Promise<Usage>;
}

interface Counters {
  minute: number;
  requests: number;
  day: number;
  daily: number;
  concurrent: number;
}

export interface QuotaDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How many submissions the key made since then: the quota of a day outlives a restart. */
  readonly countSince: (keyId: string, sinceMs: number) => Promise<number>;
}

/** Counts in memory; the submissions of the day are read from the store when a key first submits. */
export function createQuotas({ now, countSince }: QuotaDeps): Quotas {
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

function countRequest(counters: Counters, { quotas }: Caller, nowMs: number): void {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (counters.minute !== minute) Object.assign(counters, { minute, requests: 0 });
  if (quotas.requestsPerMinute > 0 && counters.requests >= quotas.requestsPerMinute) {
    const retryAfterSeconds = Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1_000);
    throw new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds, details: { limit: quotas.requestsPerMinute } });
  }
  counters.requests += 1;
}

function takeTicket(counters: Counters, { quotas }: Caller, nowMs: number): SubmissionTicket {
  const { submissionsPerDay, concurrentSubmissions } = quotas;
  if (submissionsPerDay > 0 && counters.daily >= submissionsPerDay) {
    throw new ServiceError('SUBMISSION_LIMIT_EXCEEDED', {
      message: 'the submissions of the day are used up',
      retryAfterSeconds: Math.ceil(((Math.floor(nowMs / DAY_MS) + 1) * DAY_MS - nowMs) / 1_000),
      details: { limit: submissionsPerDay },
    });
  }
  if (concurrentSubmissions > 0 && counters.concurrent >= concurrentSubmissions) {
    throw new ServiceError('SUBMISSION_LIMIT_EXCEEDED', {
      message: 'too many submissions of this key are under way',
      retryAfterSeconds: CONCURRENT_RETRY_SECONDS,
      details: { limit: concurrentSubmissions },
    });
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
