/**
 * QuickJS checks its limits once in 10,000 jumps and calls. When each of those is slow, this takes minutes. A number in its memory says
 * how many are left until the next check. A lower number there makes QuickJS check more often. The number is found by watching how it
 * counts, because its address differs between builds. When it is not found, checks stay rare.
 */
import type { QuickJSContext } from 'quickjs-emscripten-core';

/** The number that QuickJS sets after each check. */
export const POLL_JUMPS = 10_000;
/** The words of 32 bits of the context's structure that are searched. The number is near its beginning. */
const SEARCHED_WORDS = 256;
const LOOPS = 1_000;

export interface PollCounter {
  /** Returns the jumps that are left until the next check. */
  read(): number;
  write(jumps: number): void;
}

/** The used part of WebAssembly.Memory. */
export interface InterpreterMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

/** Which word of the structure holds the number. It is the same for every context of one build. */
let knownWord: number | null = null;

/** Returns the counter of this context; null when it was not found. */
export function findPollCounter(memory: InterpreterMemory, context: QuickJSContext): PollCounter | null {
  // The types hide this pointer from users. Every call of the library uses it.
  const start = (context as unknown as { readonly ctx: { readonly value: number } }).ctx.value / 4;
  knownWord ??= searchWord(memory, context, start);
  if (knownWord === null) return null;
  const at = start + knownWord;
  let words = new Int32Array(memory.buffer);
  // When the memory grows it gets a new buffer, and the old one is empty.
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
