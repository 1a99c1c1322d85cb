/**
 * One HTTP exchange: it sends a request and returns the head of the answer, and its body as a stream under the deadline.
 * Redirects are never followed, because the credential would be sent along. TLS is always verified, even when the environment
 * tells Node not to.
 */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { responseError } from './api-error.ts';
import { startDeadline } from './deadline.ts';
import { AnalysisError, NetworkError, RequestTimeoutError } from './errors.ts';

/** A body that is sent piece by piece. */
export interface RequestBody {
  readonly contentType: string;
  /** Null when the length is unknown; the body is then sent in chunks. */
  readonly size: number | null;
  /** Starts to read the bytes from the beginning. */
  open(): AsyncIterable<Uint8Array>;
}

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** Ends the exchange with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ExchangeTiming {
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface ExchangeAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Can be iterated once. Throws AnalysisError, or the reason of the caller's signal. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Drops the unread rest and frees the connection. */
  discard(): void;
}

/** The headers of an answer, one value each. */
export interface ResponseHeaders {
  get(name: string): string | null;
}

/** Most bytes of an error answer that are read. An envelope is small. */
const ERROR_BODY_BYTES = 64 * 1024;

let loading: ReturnType<typeof loadUndici> | undefined;

/** undici takes longer to load than all of the client, so it waits for the first request. */
async function loadUndici() {
  const { Agent, request } = await import('./undici.ts');
  // Otherwise NODE_TLS_REJECT_UNAUTHORIZED=0, which is meant for another tool, would switch the check off.
  return { send: request, verifying: new Agent({ connect: { rejectUnauthorized: true } }) };
}

/**
 * Sends a request and resolves with the head of a 2xx answer, or with the typed error of any other outcome (the envelope is
 * read first, also for a download). Rejects only with the reason of the caller's signal.
 *
 * @example
 * ```ts
 * const request = { method: 'GET', url: 'https://analysis.example/me', headers: {} } as const;
 * const answer = await exchange(request, { idleMs: 5_000, totalMs: 60_000 }, undefined, Date.now);
 * if (!(answer instanceof Error)) for await (const piece of answer.body) console.log(piece.byteLength);
 * ```
 */
export async function exchange(
  request: ExchangeRequest,
  timing: ExchangeTiming,
  dispatcher: Dispatcher | undefined,
  nowMs: () => number,
): Promise<ExchangeAnswer | AnalysisError> {
  request.signal?.throwIfAborted();
  const label = labelOf(request);
  const deadline = startDeadline({ ...timing, signal: request.signal });
  const failed = (error: unknown): AnalysisError => {
    deadline.end();
    // An abort by the caller is not a failure of the service, so it keeps its reason.
    request.signal?.throwIfAborted();
    if (error instanceof AnalysisError) return error;
    return deadline.expiredMs === null
      ? networkError(label, error)
      : new RequestTimeoutError(label, deadline.expiredMs);
  };
  try {
    loading ??= loadUndici();
    const { send, verifying } = await loading;
    const response = await send(request.url, {
      method: request.method,
      headers: headersOf(request),
      signal: deadline.signal,
      // We keep the deadline ourselves. undici's clocks would cut off a slow upload or a slow reader.
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(request.body && { body: streamOf(request.body, deadline) }),
      dispatcher: dispatcher ?? verifying,
    });
    // From here on we wait for the reader, not for the service.
    deadline.disarm();
    const headers = { get: (name: string) => firstValue(response.headers[name.toLowerCase()]) };
    const answer: ExchangeAnswer = {
      status: response.statusCode,
      headers,
      body: guarded(response.body, deadline, failed),
      discard: () => {
        deadline.end();
        response.body.on('error', () => undefined).destroy();
      },
    };
    if (answer.status >= 200 && answer.status < 300) return answer;
    return responseError(answer.status, headers, await startOf(answer, ERROR_BODY_BYTES), label, nowMs());
  } catch (error) {
    return failed(error);
  }
}

/**
 * Returns the name of a request in messages. It contains no header, so no credential.
 *
 * @example
 * ```ts
 * labelOf({ method: 'GET', url: 'https://analysis.example/me', headers: {} }); // => 'GET https://analysis.example/me'
 * ```
 */
export const labelOf = ({ method, url }: ExchangeRequest) => `${method} ${url}`;

function headersOf({ headers, body }: ExchangeRequest): Record<string, string> {
  return {
    accept: 'application/json, */*;q=0.5',
    'user-agent': 'mail-airlock-client',
    ...headers,
    ...(body && { 'content-type': body.contentType }),
    ...(body && body.size !== null && { 'content-length': String(body.size) }),
  };
}

const firstValue = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? null;

type Clock = ReturnType<typeof startDeadline>;

/** Yields the pieces of the source. The clock stands still while the source is read, and runs when a piece was passed to the service. */
function streamOf(body: RequestBody, deadline: Clock): Readable {
  async function* pieces() {
    deadline.disarm();
    for await (const piece of body.open()) {
      deadline.arm();
      yield piece;
      deadline.disarm();
    }
    deadline.arm();
  }
  return Readable.from(pieces(), { objectMode: false });
}

async function* guarded(
  body: AsyncIterable<Uint8Array>,
  deadline: Clock,
  failed: (error: unknown) => AnalysisError,
): AsyncGenerator<Uint8Array> {
  try {
    deadline.arm();
    for await (const piece of body) {
      deadline.disarm();
      yield piece;
      deadline.arm();
    }
  } catch (error) {
    throw failed(error);
  } finally {
    deadline.end();
  }
}

/** Returns the first bytes of a body. Leaving the loop cancels the rest, so an endless answer ends here. */
async function startOf(answer: ExchangeAnswer, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size > maxBytes) break;
  }
  return Buffer.concat(pieces, Math.min(size, maxBytes));
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
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined) ?? 'UNKNOWN';
  return new NetworkError(label, code, !NEVER_ARRIVED.has(code), error);
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
