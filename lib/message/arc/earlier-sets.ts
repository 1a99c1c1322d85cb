/** The ARC sets that a message already has (RFC 8617 §4.2): their number, and their text as the next seal covers it. */
import type { RawField } from '../headers/raw-fields.ts';
import { relaxedField } from './canonical.ts';

/** A chain has at most this many sets (RFC 8617 §4.2.1). */
export const MAX_SETS = 50;

/** The three fields of a set, in the order in which a seal covers them. */
const FIELDS = ['arc-authentication-results', 'arc-message-signature', 'arc-seal'] as const;

export interface EarlierSets {
  readonly count: number;
  /** All fields in relaxed form, the oldest set first, each with its line break (latin1). */
  readonly text: string;
  /** True when the newest seal itself says that the chain is broken. No new seal follows such a chain (RFC 8617 §5.1). */
  readonly hasFailed: boolean;
}

/** Returns the sets of a header. Returns null when they are not whole: a number is missing or comes twice, or a set lacks a field. */
export function earlierSets(fields: readonly RawField[]): EarlierSets | null {
  const found = fields.filter(({ name }) => name.startsWith('arc-'));
  const byPlace = new Map<string, RawField>();
  for (const field of found) {
    const place = `${instanceOf(field)} ${field.name}`;
    if (!field.isNameStrict || byPlace.has(place) || !FIELDS.some((name) => name === field.name)) return null;
    byPlace.set(place, field);
  }
  const count = found.length / FIELDS.length;
  const texts: string[] = [];
  for (let instance = 1; instance <= count; instance++)
    for (const name of FIELDS) {
      const field = byPlace.get(`${instance} ${name}`);
      if (field === undefined) return null;
      texts.push(`${relaxedField(name, field.text)}\r\n`);
    }
  if (texts.length !== found.length) return null;
  const newest = byPlace.get(`${count} arc-seal`);
  return { count, text: texts.join(''), hasFailed: /(?:^|;)\s*cv\s*=\s*fail\s*(?:;|$)/i.test(newest?.value ?? '') };
}

/** Returns the number of the set that a field belongs to; 0 when it says none. */
function instanceOf({ value }: RawField): number {
  return Number(/^\s*(?:[^;]*;\s*)*?i\s*=\s*([1-9]\d?)\s*(?:;|$)/.exec(value.slice(0, 2_000))?.[1] ?? 0);
}
