/**
 * QuickJS looks at its limits once in 10,000 jumps and calls. Where each of those is slow, that is minutes. How many are left to the
 * next look is a number in its memory; set lower, it looks more often. Found by watching it count, so that another build, where
 * it lies elsewhere, is found too; where it is not found, looks stay rare.
 */
import type { QuickJSContext } from 'quickjs-emscripten-core';

/** What QuickJS sets the number to before each look. */
export const POLL_JUMPS = 10_000;
/** Of the context's structure, in words of 32 bits: the number is near its beginning. */
const SEARCHED_WORDS = 256;
const LOOPS = 1_000;

export interface PollCounter {
  /** Jumps left to the next look. */
  read(): number;
  write(jumps: number): void;
}

/** The part of WebAssembly.Memory that is used. */
export interface InterpreterMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

/** Word of the number within the structure: the same for every context of one build. */
let knownWord: number | null = null;

/** The counter of this context; null when it was not found. */
export function findPollCounter(memory: InterpreterMemory, context: QuickJSContext): PollCounter | null {
  // The pointer is marked as protected for users, and is what every call of the library itself goes by.
  const start = (context as unknown as { readonly ctx: { readonly value: number } }).ctx.value / 4;
  knownWord ??= searchWord(memory, context, start);
  if (knownWord === null) return null;
  const at = start + knownWord;
  let words = new Int32Array(memory.buffer);
  // Memory that grows is a new buffer; the old one is then empty.
  const current = () => {
    if (words.length === 0) words = new Int32Array(memory.buffer);
    return words;
  };
  return {
    read: () => current()[at] ?? POLL_JUMPS,
    write: (jumps) => {
      current()[at] = jumps;
    },
  };
}

function searchWord(memory: InterpreterMemory, context: QuickJSContext, start: number): number | null {
  const words = () => new Int32Array(memory.buffer, start * 4, SEARCHED_WORDS).slice();
  const loop = () => context.unwrapResult(context.evalCode(`for (let i = 0; i < ${LOOPS}; i++);`)).dispose();
  loop();
  const [first, , second, , third] = [words(), loop(), words(), loop(), words()];
  const fits = [...first.keys()].filter((at) => {
    const [a = 0, b = 0, c = 0] = [first[at], second[at], third[at]];
    return a <= POLL_JUMPS && a - b >= LOOPS && a - b === b - c;
  });
  return fits.length === 1 ? (fits[0] ?? null) : null;
}
