/**
 * Returns a time to the minute, in UTC, such as `2026-11-23 16:15`. Takes milliseconds since the epoch, or a text as `toISOString` writes
 * it.
 */
export const minuteText = (at: number | string): string =>
  (typeof at === 'string' ? at : new Date(at).toISOString()).slice(0, 16).replace('T', ' ');
