/** Compares secrets. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Compares in a time that says nothing about where they differ. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
