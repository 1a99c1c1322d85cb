/** Asks until the answer is the expected one. */
import { setTimeout as pause } from 'node:timers/promises';

const SAID_MS = 180_000;

/** Returns the first answer that is expected, or the last one of three minutes. */
export async function untilSaid<T>(ask: () => Promise<T>, isExpected: (answer: T) => boolean): Promise<T> {
  for (const end = Date.now() + SAID_MS; ; await pause(500)) {
    const answer = await ask();
    if (isExpected(answer) || Date.now() > end) return answer;
  }
}
