/** Sends the requests of one client. It limits the time of each and repeats a request only when that is safe. */
import type { Dispatcher } from 'undici';
import { delay } from './deadline.ts';
import {
  AnalysisError,
  ApiError,
  ClientConfigError,
  NetworkError,
  RequestTimeoutError,
  ResponseTooLargeError,
} from './errors.ts';
import { type ExchangeAnswer, type ExchangeRequest, type ExchangeTiming, exchange, labelOf } from './exchange.ts';
import { backoffMs, MAX_RETRY_AFTER_MS } from './retry-timing.ts';

export interface TransportOptions {
  /** Sends the requests; its owner closes it. @default an agent that all clients share and that verifies TLS */
  readonly dispatcher?: Dispatcher;
  /**
   * The longest time of one attempt, from sending to the last byte of the answer. For uploads and downloads it is the longest time without
   * a byte. @default 60000
   */
  readonly timeoutMs?: number;
  /** The longest time of a whole upload or download. @default 1800000 */
  readonly transferTimeoutMs?: number;
  /** Repeats after the first attempt. @default 3 */
  readonly retries?: number;
  /** In [0, 1). @default Math.random */
  readonly random?: () => number;
  /** Waits; rejects with the signal's reason when aborted. @default timers */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Returns milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

/** How a request that creates something is sent. */
export interface CreateOptions<T> {
  /** Most bytes of the answer that are read. */
  readonly maxBytes: number;
  /**
   * Finds what the request has made when its answer was lost, before the request is sent again. Returns null when nothing was made. Without
   * this function, a failure after which the request may have arrived goes to the caller.
   */
  readonly lookup?: ((sentAtMs: number) => Promise<T | null>) | undefined;
  /** Returns whether the body can be sent again after it was sent in part or in whole. @default it can */
  readonly canResend?: (() => boolean) | undefined;
  /** The body is a file. @default false */
  readonly isTransfer?: boolean;
}

/** A successful answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/**
 * Sends the requests of one client.
 *
 * @example
 * ```ts
 * const transport = new Transport({ timeoutMs: 5_000, retries: 1 });
 * const answer = await transport.read({ method: 'GET', url: 'https://analysis.example/me', headers: {} }, 65_536);
 * ```
 */
export class Transport {
  readonly #dispatcher: Dispatcher | undefined;
  readonly #call: ExchangeTiming;
  readonly #transfer: ExchangeTiming;
  readonly #retries: number;
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly now: () => number;
  readonly random: () => number;

  /** Throws ClientConfigError for an invalid deadline or number of repeats. */
  constructor(options: TransportOptions) {
    this.#dispatcher = options.dispatcher;
    const idleMs = milliseconds('timeoutMs', options.timeoutMs ?? 60_000);
    this.#call = { idleMs, totalMs: idleMs };
    const transferMs = milliseconds('transferTimeoutMs', options.transferTimeoutMs ?? 1_800_000);
    this.#transfer = { idleMs, totalMs: transferMs };
    this.#retries = wholeNumber('retries', options.retries ?? 3, 0, 100);
    this.random = options.random ?? Math.random;
    this.sleep = options.sleep ?? delay;
    this.now = options.now ?? Date.now;
  }

  /** Sends a request that changes nothing and reads its whole answer. It is repeated after any temporary failure. */
  read(request: ExchangeRequest, maxBytes: number): Promise<Answer> {
    return this.repeated(request, () => this.readOnce(request, maxBytes));
  }

  /** Returns one attempt of `read`. Rejects only with the reason of the caller's signal. */
  readOnce(request: ExchangeRequest, maxBytes: number): Promise<Answer | AnalysisError> {
    return this.#whole(request, this.#call, maxBytes);
  }

  /** Requests a file. Resolves when the first bytes have arrived, and is repeated like `read` until then. */
  open(request: ExchangeRequest): Promise<ExchangeAnswer> {
    return this.repeated(request, () => this.openOnce(request));
  }

  /** Returns one attempt of `open`. Rejects only with the reason of the caller's signal. */
  openOnce(request: ExchangeRequest): Promise<ExchangeAnswer | AnalysisError> {
    return exchange(request, this.#transfer, this.#dispatcher, this.now);
  }

  /** Repeats an attempt until it succeeds, with a wait after each temporary failure. Rejects with the last failure. */
  async repeated<T extends object>(
    request: ExchangeRequest,
    attempt: () => Promise<T | AnalysisError>,
  ): Promise<Exclude<T, AnalysisError>> {
    for (let repeat = 0; ; repeat += 1) {
      const outcome = await attempt();
      if (!(outcome instanceof AnalysisError)) return outcome as Exclude<T, AnalysisError>;
      await this.#waitOrThrow(outcome, repeat, outcome.retryable, request.signal);
    }
  }

  /**
   * Sends a request that creates something. Sends it again only when it was certainly refused or never arrived. When it may have arrived,
   * `lookup` is asked first. Without `lookup` the failure goes to the caller.
   */
  async create<T>(request: ExchangeRequest, options: CreateOptions<T>): Promise<Answer | { readonly found: T }> {
    const { lookup, maxBytes, isTransfer = false, canResend = () => true } = options;
    for (let repeat = 0; ; repeat += 1) {
      const sentAtMs = this.now();
      const outcome = await this.#whole(request, isTransfer ? this.#transfer : this.#call, maxBytes);
      if (!(outcome instanceof AnalysisError)) return outcome;
      const mayHaveArrived = isAmbiguous(outcome);
      const found = mayHaveArrived && lookup ? await lookup(sentAtMs) : null;
      if (found !== null) return { found };
      const isSafe = mayHaveArrived ? lookup !== undefined : wasRefused(outcome);
      await this.#waitOrThrow(outcome, repeat, isSafe && canResend(), request.signal);
    }
  }

  async #waitOrThrow(error: AnalysisError, repeat: number, mayRepeat: boolean, signal?: AbortSignal): Promise<void> {
    if (!mayRepeat || repeat >= this.#retries) throw error;
    const askedMs = error instanceof ApiError ? secondsToMs(error.retryAfterSeconds) : null;
    if (askedMs !== null && askedMs > MAX_RETRY_AFTER_MS) throw error;
    // A random time is added to the wait, so that refused callers do not all return at once.
    await this.sleep((askedMs ?? 0) + backoffMs(repeat, this.random()), signal);
  }

  async #whole(request: ExchangeRequest, timing: ExchangeTiming, maxBytes: number): Promise<Answer | AnalysisError> {
    const answer = await exchange(request, timing, this.#dispatcher, this.now);
    if (answer instanceof AnalysisError) return answer;
    try {
      return { status: answer.status, bytes: await boundedBytes(answer.body, maxBytes, labelOf(request)) };
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof AnalysisError) return error;
      throw error;
    }
  }
}

/**
 * Returns the whole body. Throws ResponseTooLargeError. Leaving the loop cancels the rest, so an endless answer ends here.
 *
 * @example
 * ```ts
 * async function* body() {
 *   yield Buffer.from('hello');
 * }
 * (await boundedBytes(body(), 1_024, 'GET /x')).byteLength; // => 5
 * ```
 */
export async function boundedBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  label: string,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > maxBytes) throw new ResponseTooLargeError(label, maxBytes);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces, size));
}

/** Node's timers turn any longer time into 1 ms. */
const MAX_TIMER_MS = 2_147_483_647;

const milliseconds = (name: string, value: number) => wholeNumber(name, value, 1, MAX_TIMER_MS);

/**
 * Returns the number or throws ClientConfigError. Every comparison with NaN is false, so a NaN would mean endless repeats.
 *
 * @example
 * ```ts
 * wholeNumber('retries', 3, 0, 100); // => 3
 * ```
 */
export function wholeNumber(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ClientConfigError(`${name} is a whole number of at least ${min} and at most ${max}, got ${value}`);
}

const secondsToMs = (seconds: number | null) => (seconds === null ? null : seconds * 1_000);

/** Returns true when the request may have been carried out although no answer came. */
function isAmbiguous(error: AnalysisError): boolean {
  if (error instanceof RequestTimeoutError) return true;
  return error instanceof NetworkError && error.reachedService;
}

/** Returns true when the service said "not now", or never saw the request. After any other 5xx the request may have been carried out. */
function wasRefused(error: AnalysisError): boolean {
  if (error instanceof NetworkError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status === 429 || (error.status === 503 && error.retryAfterSeconds !== null);
}
