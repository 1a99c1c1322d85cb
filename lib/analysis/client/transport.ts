/**
 * One HTTP request to a service: deadline, bounded read, typed errors, and repeats only where repeating is safe. Redirects are
 * never followed: the credential would go along.
 */
import { type BodyInit, type Dispatcher, fetch, type Response } from 'undici';
import { responseError } from './api-error.ts';
import {
  type AnalysisError,
  ApiError,
  ClientConfigError,
  NetworkError,
  RequestTimeoutError,
  ResponseTooLargeError,
} from './errors.ts';
import { backoffMs, MAX_RETRY_AFTER_MS } from './retry-timing.ts';

export interface TransportOptions {
  /** Where requests go; whoever made it closes it. @default undici's global dispatcher */
  readonly dispatcher?: Dispatcher;
  /** Deadline of one attempt, from sending to the last byte of the answer. @default 60000 */
  readonly timeoutMs?: number;
  /** Repeats after the first attempt. @default 3 */
  readonly retries?: number;
  /** In [0, 1). @default Math.random */
  readonly random?: () => number;
  /** Waits; rejects with the signal's reason when aborted. @default timers */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called for every attempt: a body can be sent once only. */
  readonly body?: () => BodyInit;
  /** Bytes of the answer that are read at most. */
  readonly maxBytes: number;
  /** Ends the request, its repeats and its waits. */
  readonly signal?: AbortSignal | undefined;
}

/** Looks for what a request made whose answer was lost, before it is sent again; null when nothing was made. */
export type Lookup<T> = (sentAtMs: number) => Promise<T | null>;

/** A success, read whole. */
export interface Answer {
  readonly bytes: Uint8Array;
}

/** Bytes of an error answer that are read: an envelope is small. */
const ERROR_BODY_BYTES = 64 * 1024;

/** Sends the requests of one client. */
export class Transport {
  readonly #dispatcher: Dispatcher | undefined;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #random: () => number;
  readonly #sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly #now: () => number;

  /** Throws ClientConfigError for a deadline or a number of repeats that is none. */
  constructor(options: TransportOptions) {
    this.#dispatcher = options.dispatcher;
    this.#timeoutMs = wholeNumber('timeoutMs', options.timeoutMs ?? 60_000, 1);
    this.#retries = wholeNumber('retries', options.retries ?? 3, 0);
    this.#random = options.random ?? Math.random;
    this.#sleep = options.sleep ?? delay;
    this.#now = options.now ?? Date.now;
  }

  /** A request that changes nothing: repeated after any failure that can pass. */
  async read(request: TransportRequest): Promise<Answer> {
    for (let repeat = 0; ; repeat += 1) {
      const outcome = await this.#attempt(request);
      if ('bytes' in outcome) return outcome;
      await this.#waitOrThrow(outcome, repeat, outcome.retryable, request.signal);
    }
  }

  /**
   * A request that creates something. Sent again only when it was certainly refused or never arrived; when it may have
   * arrived, `lookup` is asked first, and without one the failure is the caller's.
   */
  async create<T>(request: TransportRequest, lookup: Lookup<T> | null): Promise<Answer | { readonly found: T }> {
    for (let repeat = 0; ; repeat += 1) {
      const sentAtMs = this.#now();
      const outcome = await this.#attempt(request);
      if ('bytes' in outcome) return outcome;
      const mayHaveArrived = isAmbiguous(outcome);
      if (mayHaveArrived && lookup) {
        const found = await lookup(sentAtMs);
        if (found !== null) return { found };
      }
      await this.#waitOrThrow(outcome, repeat, mayHaveArrived ? lookup !== null : wasRefused(outcome), request.signal);
    }
  }

  async #waitOrThrow(error: AnalysisError, repeat: number, mayRepeat: boolean, signal?: AbortSignal): Promise<void> {
    if (!mayRepeat || repeat >= this.#retries) throw error;
    const askedMs = error instanceof ApiError ? secondsToMs(error.retryAfterSeconds) : null;
    if (askedMs !== null && askedMs > MAX_RETRY_AFTER_MS) throw error;
    // Jitter on top of what was asked, so that refused callers do not come back all at once.
    await this.#sleep((askedMs ?? 0) + backoffMs(repeat, this.#random()), signal);
  }

  async #attempt(request: TransportRequest): Promise<Answer | AnalysisError> {
    request.signal?.throwIfAborted();
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.#timeoutMs);
    const abort = () => controller.abort();
    request.signal?.addEventListener('abort', abort, { once: true });
    const label = `${request.method} ${request.url}`;
    try {
      const response = await fetch(request.url, {
        method: request.method,
        headers: { accept: 'application/json, */*;q=0.5', ...request.headers },
        redirect: 'manual',
        signal: controller.signal,
        ...(request.body && { body: request.body() }),
        ...(this.#dispatcher && { dispatcher: this.#dispatcher }),
      });
      if (response.ok) return { bytes: await boundedBytes(response, request.maxBytes, label) };
      return responseError(response, await boundedBytes(response, ERROR_BODY_BYTES, label), label, this.#now());
    } catch (error) {
      // The caller's own abort is not a failure of the service: it keeps its reason.
      request.signal?.throwIfAborted();
      if (error instanceof ResponseTooLargeError) return error;
      return controller.signal.aborted ? new RequestTimeoutError(label, this.#timeoutMs) : networkError(label, error);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', abort);
    }
  }
}

/** Every comparison with NaN is false: one slipping in would repeat for ever. */
function wholeNumber(name: string, value: number, min: number): number {
  if (Number.isInteger(value) && value >= min) return value;
  throw new ClientConfigError(`${name} is a whole number of at least ${min}, got ${value}`);
}

const secondsToMs = (seconds: number | null) => (seconds === null ? null : seconds * 1_000);

/** The request may have been carried out although no answer came. */
function isAmbiguous(error: AnalysisError): boolean {
  if (error instanceof RequestTimeoutError) return true;
  return error instanceof NetworkError && error.reachedService;
}

/** The service said not now, or never saw the request. Any other 5xx may have been carried out. */
function wasRefused(error: AnalysisError): boolean {
  if (error instanceof NetworkError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status === 429 || (error.status === 503 && error.retryAfterSeconds !== null);
}

async function boundedBytes(response: Response, maxBytes: number, label: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body: an endless answer ends here.
    if (size > maxBytes) throw new ResponseTooLargeError(label, maxBytes);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, size));
}

/** Failures before anything was sent. */
const NEVER_ARRIVED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function networkError(label: string, error: unknown): NetworkError {
  const code = codeOf(error instanceof Error ? error.cause : undefined) ?? codeOf(error) ?? 'UNKNOWN';
  return new NetworkError(label, code, !NEVER_ARRIVED.has(code), error);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
