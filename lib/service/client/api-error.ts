/** Turns an answer that is not a success into the error of the right class. */
import { ErrorEnvelope, ReportUnavailableDetails } from '../contract/errors.ts';
import { ApiError, type ApiErrorFacts, AuthError, RateLimitError, ReportNotReadyError } from './errors.ts';
import { retryAfterMs } from './retry-timing.ts';

/** The most characters of the service's text in a message. */
const MAX_MESSAGE_LENGTH = 300;

/**
 * Returns the typed error of an answer. It also works without an envelope, because proxies answer in their own form.
 *
 * @example
 * ```ts
 * responseError(404, new Headers(), Buffer.from('{}'), 'GET /x', Date.now()).message; // => '404 HTTP_404: GET /x'
 * ```
 */
export function responseError(
  status: number,
  headers: { get(name: string): string | null },
  body: Uint8Array,
  label: string,
  nowMs: number,
): ApiError {
  const envelope = envelopeOf(body);
  const askedMs = retryAfterMs(headers.get('retry-after'), nowMs);
  const facts: ApiErrorFacts = {
    status,
    code: envelope.code ?? `HTTP_${status}`,
    details: envelope.details ?? {},
    retryAfterSeconds: askedMs === null ? null : askedMs / 1_000,
  };
  const said = messageText(envelope.message ?? '');
  const message = `${status} ${facts.code}: ${label}${said && `: ${said}`}`;
  if (status === 429) return new RateLimitError(message, facts);
  if (status === 401 || status === 402 || status === 403) return new AuthError(message, facts);
  if (status === 409) {
    return new ReportNotReadyError(message, facts, ReportUnavailableDetails.safeParse(facts.details).data ?? null);
  }
  if (status >= 300 && status < 400) {
    return new ApiError(`${message}: redirects are not followed; check the base URL`, facts);
  }
  return new ApiError(message, facts);
}

/**
 * Returns the text of a service, made fit for a message: one short line.
 *
 * @example
 * ```ts
 * messageText('two\nlines'); // => 'two lines'
 * ```
 */
export const messageText = (untrusted: string) =>
  untrusted.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, MAX_MESSAGE_LENGTH);

interface LooseEnvelope {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly details?: Record<string, unknown> | undefined;
}

/** Each field is read separately, so that a wrong one does not spoil the others. Some services send messages as a list. */
function envelopeOf(body: Uint8Array): LooseEnvelope {
  const value = jsonOrNull(body);
  if (typeof value !== 'object' || value === null) return {};
  const { code, message, details } = ErrorEnvelope.shape;
  const field = (name: string): unknown => Reflect.get(value, name);
  const said = field('message');
  return {
    code: code.regex(/^[\w.-]{1,100}$/).safeParse(field('code')).data,
    message: message.safeParse(Array.isArray(said) ? said.join('; ') : said).data,
    details: details.safeParse(field('details')).data,
  };
}

function jsonOrNull(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
