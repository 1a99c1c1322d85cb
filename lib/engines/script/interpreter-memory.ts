/**
 * The memory of interpreters. Each run has an interpreter of its own. New memory for each made the JavaScript engine collect its whole heap
 * after every second run, which took longer than the run. So the memory of an ended run is emptied and used again.
 */
import type { InterpreterMemory } from './poll-counter.ts';

/** The used part of WebAssembly. Node has it, but the types for Node do not declare it. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => InterpreterMemory;
  };
};

/** The memory for which the interpreter was compiled, in pages of 64 KB. How much it may have in the end is another limit: MEMORY_BYTES. */
const SIZE = { initial: 256, maximum: 32_768 };
const INITIAL_BYTES = SIZE.initial * 65_536;

/** At most one: the runs of a thread follow each other. */
let spare: InterpreterMemory | null = null;

/** Returns memory that no other code uses, of zeros only, so that an interpreter finds nothing of an earlier file in it. */
export function takeMemory(): InterpreterMemory {
  const memory = spare ?? new wasm.Memory(SIZE);
  spare = null;
  return memory;
}

/** Empties the memory of an interpreter that never runs again. Memory that has grown is not kept, because it cannot shrink. */
export function giveBack(memory: InterpreterMemory): void {
  if (memory.buffer.byteLength !== INITIAL_BYTES) return;
  new Uint8Array(memory.buffer).fill(0);
  spare = memory;
}
