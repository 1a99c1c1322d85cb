/** A time to the minute, in UTC: of milliseconds since the epoch, or of a text as `toISOString` writes it. Such as `2026-11-23 16:15`. */
export const minuteText = (at: number | string): string =>
  (typeof at === 'string' ? at : new Date(at).toISOString()).slice(0, 16).replace('T', ' ');
