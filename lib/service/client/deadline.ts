/** Decides when to give up on a service: after the total time of an exchange, or after a long silence. */

export interface DeadlineOptions {
  /** The longest silence. It is measured only while we wait for the service, not while we are busy ourselves. */
  readonly idleMs: number;
  /** The longest exchange. A service that sends one byte a minute is never silent for long. */
  readonly totalMs: number;
  /** The caller's own signal to end. */
  readonly signal: AbortSignal | undefined;
}

/** The clock of one exchange. `signal` aborts when either time is over, or when the caller's signal aborts. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The limit that was exceeded, in milliseconds; null when none was. */
  readonly expiredMs: number | null;
  /** From now on we wait for the service, so the clock runs. */
  arm(): void;
  /** From now on the service waits for us, so the clock stands still. */
  disarm(): void;
  /** Stops the clock and stops listening to the caller's signal. */
  end(): void;
}

/**
 * Starts the clock, armed.
 *
 * @example
 * ```ts
 * const deadline = startDeadline({ idleMs: 5_000, totalMs: 60_000, signal: undefined });
 * deadline.signal.aborted; // => false
 * deadline.end();
 * ```
 */
export function startDeadline({ idleMs, totalMs, signal }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  let expiredMs: number | null = null;
  const expire = (ms: number) => () => {
    expiredMs ??= ms;
    controller.abort();
  };
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const total = setTimeout(expire(totalMs), totalMs);
  let idle: NodeJS.Timeout | undefined;
  let isOver = false;
  const disarm = () => clearTimeout(idle);
  const arm = () => {
    disarm();
    // A body may still be sent after its answer has been read. It must not start a clock that nobody stops.
    if (!isOver) idle = setTimeout(expire(idleMs), idleMs);
  };
  arm();
  return {
    signal: controller.signal,
    get expiredMs() {
      return expiredMs;
    },
    arm,
    disarm,
    end() {
      isOver = true;
      disarm();
      clearTimeout(total);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/**
 * Waits; rejects with the signal's reason when aborted.
 *
 * @example
 * ```ts
 * await delay(1, AbortSignal.timeout(1_000));
 * ```
 */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
