/** When a message is tried again. */
import type { GatewayLimits } from './limits.ts';

/** Returns the milliseconds until the next try, after the given number of tries: twice as long each time, up to a limit. */
export function waitMs(limits: GatewayLimits, tries: number): number {
  const seconds = Math.min(limits.firstRetrySeconds * 2 ** Math.max(0, tries - 1), limits.longestRetrySeconds);
  return seconds * 1000;
}

/** Returns true when a message that was received at `receivedAt` is not tried again. */
export function isOver(limits: GatewayLimits, receivedAt: string, nowMs: number): boolean {
  return nowMs - Date.parse(receivedAt) > limits.giveUpSeconds * 1000;
}
