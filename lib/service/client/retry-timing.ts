/** Computes when to try again, from numbers and headers. It uses no clock and does not sleep. */

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 20_000;
/** When a service asks for a longer wait than this, the request does not wait. The caller is told and decides. */
export const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Returns the delay before the nth repeat (0 first): exponential with full jitter, `random` in [0, 1).
 *
 * @example
 * ```ts
 * backoffMs(2, 0.5); // => 1_000
 * ```
 */
export function backoffMs(repeat: number, random: number): number {
  return Math.round(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** repeat) * random);
}

/**
 * Returns Retry-After (RFC 9110 §10.2.3) in milliseconds: seconds or an HTTP date; null when absent or neither.
 *
 * @example
 * ```ts
 * retryAfterMs('120', Date.now()); // => 120_000
 * ```
 */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Number(text) * 1_000;
  // Dates begin with a day name; Date.parse alone would also read "5x" or "-1".
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
