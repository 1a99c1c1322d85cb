/** Patterns of EventBridge: objects whose leaves are lists of exact values. Filters by content are refused. */
import { unknown } from '../assembly/refuse.ts';

/** Whether an event fits a pattern. Throws UnknownToTwinError. */
export function fits(event: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) {
    for (const value of pattern) if (typeof value === 'object' && value !== null) unknown('filter of an event', value);
    return Array.isArray(event) ? event.some((one) => pattern.includes(one)) : pattern.includes(event);
  }
  if (typeof pattern !== 'object' || pattern === null) unknown('event pattern', pattern);
  if (typeof event !== 'object' || event === null) return false;
  return Object.entries(pattern).every(([key, value]) => fits((event as Record<string, unknown>)[key], value));
}
