/** Compares secrets. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Compares in a time that does not depend on the place of the difference. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
