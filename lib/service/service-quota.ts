/** The quota that the service still grants today, by its own account. */
import type { AnalysisClient } from './client/analysis-client.ts';
import { AnalysisError } from './client/errors.ts';

/** How long an answer is used, in milliseconds. Meanwhile, our own submissions are counted. Others share the key. */
const HOLDS_MS = 30_000;
/** From this number on, services mean that there is no limit. */
const UNLIMITED = 1_000_000_000;

/** Submissions of one day, as the pipeline counts them. */
interface Quota {
  readonly limit: number;
  readonly left: number;
}

export interface ServiceQuota {
  /** Returns null when the service tells no limit. Rejects with an AnalysisError that can be retried, and with the reason of `signal`. */
  left(): Promise<Quota | null>;
  /** Counts one accepted submission. */
  used(): void;
}

/** Makes a reader that asks `client` at most once per `HOLDS_MS`. */
export function serviceQuota(
  client: Pick<AnalysisClient, 'me'>,
  now: () => number,
  signal: AbortSignal | undefined,
): ServiceQuota {
  let told: { readonly atMs: number; readonly answer: Promise<Quota | null>; used: number } | null = null;
  return {
    async left() {
      if (told === null || now() - told.atMs >= HOLDS_MS)
        told = { atMs: now(), answer: quotaIn(client, signal), used: 0 };
      const asked = told;
      try {
        const quota = await asked.answer;
        return quota && { ...quota, left: Math.max(0, quota.left - asked.used) };
      } catch (error) {
        if (told === asked) told = null;
        throw error;
      }
    },
    used() {
      if (told !== null) told.used += 1;
    },
  };
}

async function quotaIn(client: Pick<AnalysisClient, 'me'>, signal: AbortSignal | undefined): Promise<Quota | null> {
  const me = await client.me(signal ? { signal } : {}).catch((error: unknown) => {
    // A service without this route, or with another answer, tells no limit.
    if (error instanceof AnalysisError && !error.retryable) return null;
    throw error;
  });
  const limit = me?.plan.submissionLimits.dailyLimit ?? 0;
  if (!(limit > 0) || limit >= UNLIMITED) return null;
  const used = me?.userInfo.limitsCount.dailySubmissionCount ?? 0;
  return { limit, left: Math.max(0, limit - used) };
}
