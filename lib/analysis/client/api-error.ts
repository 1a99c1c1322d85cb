/** From an answer that is not a success to the error class that says what it means. */
import type { Response } from 'undici';
import { ErrorEnvelope, ReportUnavailableDetails } from '../contract/errors.ts';
import { ApiError, type ApiErrorFacts, AuthError, RateLimitError, ReportNotReadyError } from './errors.ts';
import { retryAfterMs } from './retry-timing.ts';

/** Characters of a service's own words that go into a message. */
const MAX_MESSAGE_LENGTH = 300;

/** The typed error of a response. Works without an envelope too: proxies answer in their own words. */
export function responseError(response: Response, body: Uint8Array, label: string, nowMs: number): ApiError {
  const envelope = ErrorEnvelope.partial().safeParse(jsonOrNull(body)).data ?? {};
  const askedMs = retryAfterMs(response.headers.get('retry-after'), nowMs);
  const facts: ApiErrorFacts = {
    status: response.status,
    code: envelope.code ?? `HTTP_${response.status}`,
    details: envelope.details ?? {},
    retryAfterSeconds: askedMs === null ? null : askedMs / 1_000,
  };
  const said = (envelope.message ?? '').replace(/\p{Cc}+/gu, ' ').slice(0, MAX_MESSAGE_LENGTH);
  const message = `${response.status} ${facts.code}: ${label}${said && `: ${said}`}`;
  if (response.status === 429) return new RateLimitError(message, facts);
  if (response.status === 401 || response.status === 402 || response.status === 403)
    return new AuthError(message, facts);
  if (response.status === 409) {
    return new ReportNotReadyError(message, facts, ReportUnavailableDetails.safeParse(facts.details).data ?? null);
  }
  if (response.status >= 300 && response.status < 400) {
    return new ApiError(`${message}: redirects are not followed; check the base URL`, facts);
  }
  return new ApiError(message, facts);
}

function jsonOrNull(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
