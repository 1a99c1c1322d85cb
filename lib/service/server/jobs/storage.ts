/** Calls of a job to a storage that may fail. They are repeated for a while, and every failure is reported. */
import type { ReportType } from '../../contract/common.ts';
import { ServiceError } from '../service-error.ts';

/** A stable code: `JOB_NOT_STARTED`, or the failure to store a result, an `error` report or the end of a job. */
export type JobFaultCode = 'JOB_NOT_STARTED' | 'RESULT_NOT_KEPT' | 'REPORT_NOT_RECORDED' | 'JOB_END_NOT_TOLD';

export interface JobFaultFacts {
  readonly code: JobFaultCode;
  readonly submissionUuid: string;
  /** Null when the fault concerns the whole job. */
  readonly reportType: ReportType | null;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next attempt; null when there is none. */
  readonly retryInMs: number | null;
}

/** The storage failed a job. The cause is the error of the storage; the facts contain nothing that a caller wrote. */
export class JobFault extends Error {
  override readonly name = 'JobFault';
  constructor(
    readonly facts: JobFaultFacts,
    cause: unknown,
  ) {
    super(`${facts.code} (submission ${facts.submissionUuid}, attempt ${facts.attempt})`, { cause });
  }
}

export interface Persistence {
  /** Called for every failed attempt. */
  readonly onFault: (fault: JobFault) => void;
  /** Waits; returns early when `stopped` is aborted. */
  readonly pause: (ms: number) => Promise<void>;
  readonly stopped: AbortSignal;
}

const FIRST_PAUSE_MS = 100;
/** Longest wait between attempts: a storage that comes back is noticed within this time. */
const MAX_PAUSE_MS = 30_000;
/** The most attempts at work that must not wait forever. The last attempt is 25 s after the first. */
const ATTEMPTS = 9;

/** `ended` is false when it did not work, or when the service stopped first. */
export type Persisted<T> = { readonly ended: true; readonly value: T } | { readonly ended: false };

/**
 * Repeats `work`, which must be safe to repeat, until it succeeds. Gives up when the service stops, and after some attempts. With
 * `untilBack` it does not give up while the storage itself fails, because no other end of the job could be stored either.
 */
export async function persist<T>(
  { onFault, pause, stopped }: Persistence,
  what: Pick<JobFaultFacts, 'code' | 'submissionUuid' | 'reportType'>,
  { untilBack }: { readonly untilBack: boolean },
  work: () => Promise<T>,
): Promise<Persisted<T>> {
  for (let attempt = 1; !stopped.aborted; attempt += 1) {
    try {
      return { ended: true, value: await work() };
    } catch (error) {
      const isAway = error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
      const isLast = attempt >= ATTEMPTS && !(untilBack && isAway);
      const retryInMs = isLast ? null : Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
      onFault(new JobFault({ ...what, attempt, retryInMs }, error));
      if (retryInMs === null) break;
      await pause(retryInMs);
    }
  }
  return { ended: false };
}

/** A pause by the clock of the system. It ends early when the service stops. */
export function pauseUntil(stopped: AbortSignal): (ms: number) => Promise<void> {
  return (ms) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stopped.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      stopped.addEventListener('abort', end);
      if (stopped.aborted) end();
    });
}
