/** Waits for the reports of a submission: polls until a deadline and continues through temporary failures. */
import type { ReportType } from '../contract/common.ts';
import { AnalysisError, ApiError, ReportNotScheduledError, WaitTimeoutError } from './errors.ts';
import { wholeNumber } from './transport.ts';

/** The times between polls. Each wait is `factor` times the one before, minus a random part of up to a third. */
export interface WaitSchedule {
  readonly firstMs: number;
  readonly factor: number;
  readonly capMs: number;
}

export const DEFAULT_WAIT_SCHEDULE: WaitSchedule = { firstMs: 500, factor: 1.5, capMs: 15_000 };

/** The state after a poll. */
export interface WaitProgress<S> {
  /** The submission at the last successful poll; null before the first. */
  readonly submission: S | null;
  /** Report types that are still awaited; empty as long as nothing is listed. */
  readonly waitingFor: readonly string[];
  readonly polls: number;
  readonly elapsedMs: number;
  /** Why the last poll failed, if it did. The wait continues. */
  readonly failure: AnalysisError | null;
}

/** Options of a wait. */
export interface WaitOptions<S> {
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every poll. The wait ends when it throws. */
  readonly onProgress?: ((progress: WaitProgress<S>) => void) | undefined;
  /** The longest wait. @default 900000 */
  readonly timeoutMs?: number | undefined;
  /** The report types to wait for, for example `['cdr']`. @default every report that the submission lists */
  readonly reports?: readonly ReportType[] | undefined;
  /** @default DEFAULT_WAIT_SCHEDULE */
  readonly schedule?: Partial<WaitSchedule> | undefined;
}

/** The facts of a report that a wait needs. */
export interface WaitedReport {
  readonly type: string;
  readonly isEnded: boolean;
}

/** The part of a client that a wait needs. */
export interface WaitDeps<S> {
  /** Sends one request without repeats, because the wait itself repeats. */
  readonly poll: (signal: AbortSignal) => Promise<S>;
  readonly reportsOf: (submission: S) => readonly WaitedReport[];
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly now: () => number;
  readonly random: () => number;
}

/**
 * A service lists its scheduled reports in its first answer, but may be a little late. When all listed reports have ended, an
 * awaited report that is not listed gets this time before it counts as never coming.
 */
const UNLISTED_GRACE_MS = 10_000;

/**
 * Resolves with the submission when every awaited report has ended, in success or in error: read `reports`. An empty list is never "all
 * done". Rejects with WaitTimeoutError at the deadline, ReportNotScheduledError, or ContractError for an unknown status or level. Also
 * rejects with the error of a poll that no repeat can help, or with the reason of the signal.
 *
 * @example
 * ```ts
 * const poll = async () => ({ reports: [{ type: 'static', isEnded: true }] });
 * const deps = { poll, reportsOf: ({ reports }: Awaited<ReturnType<typeof poll>>) => reports };
 * const timing = { sleep: async () => {}, now: Date.now, random: Math.random };
 * (await waitForReports('id', { ...deps, ...timing }, { reports: ['static'] })).reports.length; // => 1
 * ```
 */
export async function waitForReports<S>(uuid: string, deps: WaitDeps<S>, options: WaitOptions<S>): Promise<S> {
  const timeoutMs = wholeNumber('timeoutMs', options.timeoutMs ?? 900_000, 1, MAX_WAIT_MS);
  const schedule = checkedSchedule({ ...DEFAULT_WAIT_SCHEDULE, ...options.schedule });
  const startedMs = deps.now();
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const state = new WaitState(uuid, options.reports ?? [], deps.reportsOf);
  const elapsed = () => deps.now() - startedMs;
  for (let polls = 1; ; polls += 1) {
    try {
      state.seen(await deps.poll(signal), elapsed());
    } catch (error) {
      options.signal?.throwIfAborted();
      if (deadline.aborted) throw state.timedOut(elapsed());
      state.failed(error);
    }
    options.onProgress?.({ ...state.facts(), polls, elapsedMs: elapsed() });
    const finished = state.finished();
    if (finished) return finished;
    const waitMs = nextWaitMs(schedule, polls, deps.random(), state.askedMs());
    if (elapsed() + waitMs >= timeoutMs) throw state.timedOut(elapsed());
    await deps.sleep(waitMs, options.signal);
  }
}

/** Longer than any analysis, and below the limit of Node's timers. */
const MAX_WAIT_MS = 2_147_483_647;

/**
 * Returns the wait before the next poll: from the schedule with jitter, or longer when the service asks for it.
 *
 * @example
 * ```ts
 * nextWaitMs({ firstMs: 500, factor: 1.5, capMs: 15_000 }, 2, 0, 0); // => 750
 * ```
 */
export function nextWaitMs(schedule: WaitSchedule, polls: number, random: number, askedMs: number): number {
  const planned = Math.min(schedule.capMs, schedule.firstMs * schedule.factor ** (polls - 1));
  return Math.round(Math.max(askedMs, planned * (1 - random / 3)));
}

function checkedSchedule(schedule: WaitSchedule): WaitSchedule {
  wholeNumber('schedule.firstMs', schedule.firstMs, 1, MAX_WAIT_MS);
  wholeNumber('schedule.capMs', schedule.capMs, 1, MAX_WAIT_MS);
  // A factor below 1 would end in polls without a pause.
  if (!(schedule.factor >= 1)) wholeNumber('schedule.factor', schedule.factor, 1, 10);
  return schedule;
}

/** The results of the polls so far. */
class WaitState<S> {
  readonly #uuid: string;
  /** Empty means all listed reports. */
  readonly #requested: readonly string[];
  readonly #reportsOf: (submission: S) => readonly WaitedReport[];
  #submission: S | null = null;
  #reports: readonly WaitedReport[] = [];
  #failure: AnalysisError | null = null;
  /** The time at which all listed reports had ended. */
  #endedAtMs: number | null = null;
  #seenAtMs = 0;

  constructor(uuid: string, requested: readonly string[], reportsOf: (submission: S) => readonly WaitedReport[]) {
    this.#uuid = uuid;
    this.#requested = requested;
    this.#reportsOf = reportsOf;
  }

  seen(submission: S, elapsedMs: number): void {
    this.#submission = submission;
    this.#reports = this.#reportsOf(submission);
    this.#failure = null;
    this.#seenAtMs = elapsedMs;
    const hasEnded = this.#reports.length > 0 && this.#reports.every(({ isEnded }) => isEnded);
    this.#endedAtMs = hasEnded ? (this.#endedAtMs ?? elapsedMs) : null;
  }

  /** Keeps a temporary failure, and throws any other. */
  failed(error: unknown): void {
    if (!(error instanceof AnalysisError) || !error.retryable) throw error;
    this.#failure = error;
  }

  facts() {
    return { submission: this.#submission, waitingFor: this.#waitingFor(), failure: this.#failure };
  }

  askedMs(): number {
    return this.#failure instanceof ApiError ? (this.#failure.retryAfterSeconds ?? 0) * 1_000 : 0;
  }

  /** Returns the submission when everything has ended; null while it continues. Throws ReportNotScheduledError. */
  finished(): S | null {
    // An empty list does not mean "all done". The service has not yet listed its work.
    if (this.#submission === null || this.#failure || this.#reports.length === 0) return null;
    if (this.#waitingFor().length === 0) return this.#submission;
    const missing = this.#requested.filter((type) => !this.#isListed(type));
    if (this.#endedAtMs !== null && missing.length > 0 && this.#seenAtMs - this.#endedAtMs >= UNLISTED_GRACE_MS) {
      const listed = this.#reports.map(({ type }) => type);
      throw new ReportNotScheduledError(this.#uuid, missing, listed);
    }
    return null;
  }

  timedOut(elapsedMs: number): WaitTimeoutError {
    return new WaitTimeoutError(this.#uuid, elapsedMs / 1_000, this.#waitingFor(), this.#failure);
  }

  #waitingFor(): string[] {
    const open = this.#reports.filter(({ isEnded }) => !isEnded).map(({ type }) => type);
    if (this.#requested.length === 0) return open;
    return this.#requested.filter((type) => open.includes(type) || !this.#isListed(type));
  }

  #isListed(type: string): boolean {
    return this.#reports.some((report) => report.type === type);
  }
}
