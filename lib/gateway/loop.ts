/**
 * Recognises messages that come back. Each sent message has a field with the number of its passes and a keyed hash of it. So nobody can
 * make the gateway refuse the mail of others by writing the field into it. The hash does not depend on the message, and counts to a limit.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A secret of this spool. */
export type LoopKey = Uint8Array;

export interface Loop {
  readonly received: number;
  readonly passes: number;
}

const FIELD = /^X-Airlock-Pass: (\d{1,3}); ([0-9a-f]{32})$/i;

/** Returns the field for a message that has passed this gateway this many times, without its line end. */
export function passField(key: LoopKey, passes: number): string {
  return `X-Airlock-Pass: ${passes}; ${macOf(key, passes)}`;
}

/** Returns the passes that one header line proves; 0 for every other line. */
export function passesIn(key: LoopKey, line: string): number {
  const [, count, mac] = FIELD.exec(line) ?? [];
  if (count === undefined || mac === undefined) return 0;
  const expected = Buffer.from(macOf(key, Number(count)));
  return timingSafeEqual(Buffer.from(mac.toLowerCase()), expected) ? Number(count) : 0;
}

function macOf(key: LoopKey, passes: number): string {
  return createHmac('sha256', key).update(`airlock pass ${passes}`).digest('hex').slice(0, 32);
}
