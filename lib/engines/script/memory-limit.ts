/**
 * The limit on memory lies outside of the interpreter, where its memory grows: a script can catch the error that follows, but
 * cannot hide that it happened.
 */
import { MEMORY_BYTES } from './limits.ts';
import type { InterpreterMemory } from './poll-counter.ts';

const PAGE_BYTES = 65_536;
/** A request for memory is tried three times, each with less to spare; when the last is refused, it failed. */
const TRIES = 3;

/** Refuses growth over the limit, and returns whether a request ever failed for it. */
export function limitMemory(memory: InterpreterMemory): () => boolean {
  const grow = memory.grow.bind(memory);
  let refusals = 0;
  let isReached = false;
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > MEMORY_BYTES) {
      refusals += 1;
      if (refusals === TRIES) isReached = true;
      if (refusals === TRIES) refusals = 0;
      throw new RangeError('memory limit');
    }
    refusals = 0;
    return grow(pages);
  };
  return () => isReached;
}
