/**
 * The limit on memory. It is outside of the interpreter, where the memory grows. A script can catch the error of a refused growth, but
 * cannot hide that there was one.
 */
import { MEMORY_BYTES } from './limits.ts';
import type { InterpreterMemory } from './poll-counter.ts';

const PAGE_BYTES = 65_536;
/** QuickJS tries a request for memory three times, with less reserve each time. The request has failed when the last is refused. */
const TRIES = 3;

/** Refuses growth over the limit. The returned function says whether a request ever failed for that. */
export function limitMemory(memory: InterpreterMemory): () => boolean {
  // Not the limit of an interpreter that had this memory before.
  Reflect.deleteProperty(memory, 'grow');
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
