/** Waiting for a submission: polls with a deadline, for the reports that were asked for, through passing failures. */
import type { ReportType } from '../contract/common.ts';
import { AnalysisError, ApiError, ReportNotScheduledError, WaitTimeoutError } from './errors.ts';
import { wholeNumber } from './transport.ts';

/** How often is asked. Each wait is `factor` times the one before; a random part of a third is taken off it. */
export interface WaitSchedule {
  readonly firstMs: number;
  readonly factor: number;
  readonly capMs: number;
}

export const DEFAULT_WAIT_SCHEDULE: WaitSchedule = { firstMs: 500, factor: 1.5, capMs: 15_000 };

/** What is known after a poll. */
export interface WaitProgress<S> {
  /** As last seen; null while no poll has succeeded. */
  readonly submission: S | null;
  /** Report types that are waited for still; empty while nothing is listed. */
  readonly waitingFor: readonly string[];
  readonly polls: number;
  readonly elapsedMs: number;
  /** Why the last poll failed, when it did; the wait goes on. */
  readonly failure: AnalysisError | null;
}

export interface WaitOptions<S> {
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told after every poll. What it throws ends the wait. */
  readonly onProgress?: ((progress: WaitProgress<S>) => void) | undefined;
  /** How long to wait in all. @default 900000 */
  readonly timeoutMs?: number | undefined;
  /** The report types to wait for, for example `['cdr']`. @default every report that the submission lists */
  readonly reports?: readonly ReportType[] | undefined;
  /** @default DEFAULT_WAIT_SCHEDULE */
  readonly schedule?: Partial<WaitSchedule> | undefined;
}

/** One report, as much of it as a wait looks at. */
export interface WaitedReport {
  readonly type: string;
  readonly isEnded: boolean;
}

/** What a wait needs of a client. */
export interface WaitDeps<S> {
  /** One request, not repeated: repeating is what the wait does. */
  readonly poll: (signal: AbortSignal) => Promise<S>;
  readonly reportsOf: (submission: S) => readonly WaitedReport[];
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly now: () => number;
  readonly random: () => number;
}

/**
 * A service lists what it scheduled in its first answer. One that is a little late is given this long, from when everything
 * it does list has ended, before a report that was asked for counts as never coming.
 */
const UNLISTED_GRACE_MS = 10_000;

/**
 * Resolves with the submission once every report that is waited for has ended, in success or in error: read `reports`.
 * An empty list is never "all done". Rejects with WaitTimeoutError at the deadline, ReportNotScheduledError, ContractError
 * for a status or level that the contract does not know, the error of a poll that repeating cannot mend, or the reason of the
 * signal.
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

/** Longer than any analysis; Node's timers end below it. */
const MAX_WAIT_MS = 2_147_483_647;

/** When to ask next: the schedule with jitter, or later when the service asked for it. */
export function nextWaitMs(schedule: WaitSchedule, polls: number, random: number, askedMs: number): number {
  const planned = Math.min(schedule.capMs, schedule.firstMs * schedule.factor ** (polls - 1));
  return Math.round(Math.max(askedMs, planned * (1 - random / 3)));
}

function checkedSchedule(schedule: WaitSchedule): WaitSchedule {
  wholeNumber('schedule.firstMs', schedule.firstMs, 1, MAX_WAIT_MS);
  wholeNumber('schedule.capMs', schedule.capMs, 1, MAX_WAIT_MS);
  // A factor below 1 would end in asking without a pause.
  if (!(schedule.factor >= 1)) wholeNumber('schedule.factor', schedule.factor, 1, 10);
  return schedule;
}

/** What the polls so far have shown. */
class WaitState<S> {
  readonly #uuid: string;
  /** Empty: whatever is listed. */
  readonly #requested: readonly string[];
  readonly #reportsOf: (submission: S) => readonly WaitedReport[];
  #submission: S | null = null;
  #reports: readonly WaitedReport[] = [];
  #failure: AnalysisError | null = null;
  /** Since when everything that is listed has ended. */
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

  /** Keeps a failure that can pass; throws any other. */
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

  /** The submission when everything has ended; null while it goes on. Throws ReportNotScheduledError. */
  finished(): S | null {
    // An empty list is not "all done": the service has not said yet what it will do.
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
