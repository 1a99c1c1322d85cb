/** When to give up on a service: by the time one exchange may take in all, and by how long it may stay silent. */

export interface DeadlineOptions {
  /** The longest silence: runs while we wait for the service, never while we are busy ourselves. */
  readonly idleMs: number;
  /** The longest exchange. A service that sends one byte a minute is never silent for long. */
  readonly totalMs: number;
  /** The caller's own wish to end. */
  readonly signal: AbortSignal | undefined;
}

/** One exchange's clock. `signal` aborts when either time is over or the caller's signal does. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** What ran out, in milliseconds; null while nothing did. */
  readonly expiredMs: number | null;
  /** We wait for the service from now on. */
  arm(): void;
  /** It is our turn. */
  disarm(): void;
  /** Stops the clock and lets go of the caller's signal. */
  end(): void;
}

/** Starts the clock, armed. */
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
    // A body that is still being sent when its answer has been read must not start a clock that nobody stops.
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

/** Waits; rejects with the signal's reason when aborted. */
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
