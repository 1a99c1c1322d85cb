/**
 * Work in pieces. Reading a large message must not block the event loop, but some callers need the result at once. A generator that yields
 * between pieces allows both.
 */
import { createHash } from 'node:crypto';

/** Yields no value. Each yield is a moment at which other work can run. */
export type Steps<T> = Generator<void, T, void>;

/** Bytes per piece: about one millisecond of hashing, and at most ten of decoding byte by byte. */
export const STEP_BYTES = 1024 * 1024;

/** Runs to the end without a pause. */
export function runSync<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Milliseconds of pieces without a turn of the event loop. A small mail has dozens of short pieces, and a turn takes longer than most. */
const TURN_MS = 2;
let turnedAt = Number.NEGATIVE_INFINITY;

/** Runs to the end, giving the event loop a turn between pieces that take longer than some milliseconds together. */
export async function runAsync<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - turnedAt < TURN_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    turnedAt = performance.now();
  }
}

/** SHA-256 in hexadecimal, in pieces. */
export function* sha256Steps(bytes: Uint8Array): Steps<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    hash.update(bytes.subarray(at, at + STEP_BYTES));
  }
  return hash.digest('hex');
}
