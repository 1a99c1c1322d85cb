/** Patterns of EventBridge: objects whose leaves are lists of exact values, and of filters by how a text begins, ends or is. */
import { unknown } from '../assembly/refuse.ts';
import { matches } from '../policies/wildcards.ts';

/** Whether an event fits a pattern. Throws UnknownToTwinError. */
export function fits(event: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) {
    const values = Array.isArray(event) ? event : [event];
    return pattern.some((wanted) => values.some((value) => isWanted(value, wanted)));
  }
  if (typeof pattern !== 'object' || pattern === null) unknown('event pattern', pattern);
  if (typeof event !== 'object' || event === null) return false;
  return Object.entries(pattern).every(([key, value]) => fits((event as Record<string, unknown>)[key], value));
}

function isWanted(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  const [[name, text] = [], ...more] = Object.entries(wanted);
  if (more.length > 0 || typeof text !== 'string') return unknown('filter of an event', wanted);
  if (typeof value !== 'string') return false;
  switch (name) {
    case 'prefix':
      return value.startsWith(text);
    case 'suffix':
      return value.endsWith(text);
    case 'wildcard':
      return text.includes('?') ? unknown('wildcard', text) : matches(value, text);
    default:
      return unknown('filter of an event', wanted);
  }
}
