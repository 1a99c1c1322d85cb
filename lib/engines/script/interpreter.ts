/** QuickJS as WebAssembly: compiled once per thread, a new instance for every file, so nothing of one file is left for the next. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { threadTimeMs } from '../thread-time.ts';
import { JUMPS, RUN_MS, STACK_BYTES } from './limits.ts';
import { limitMemory } from './memory-limit.ts';
import { findPollCounter, type InterpreterMemory, POLL_JUMPS } from './poll-counter.ts';

export interface Interpreter {
  readonly runtime: QuickJSRuntime;
  /** The realm of the scripts. */
  readonly context: QuickJSContext;
  /** The realm of the environment, of which scripts reach nothing. */
  readonly inner: QuickJSContext;
  /** The only function out of it, for the environment. */
  readonly host: QuickJSHandle;
  readonly memory: InterpreterMemory;
  /** Why it was stopped; null while it was not. */
  stopped(): string | null;
  /** Whether memory was ever refused, also when the script went on after that. */
  isOutOfMemory(): boolean;
  /** Has the limits looked at with the next jump or call: something slow was done. */
  lookSoon(): void;
  /** Makes every later step end at once. */
  stop(): void;
}

/** The package's types describe its CommonJS half; what is imported is the variant itself. */
const release = variant as unknown as QuickJSSyncVariant;
/** The part of WebAssembly that is used; Node has it, the library of types for Node names no values of it. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
};

let compiled: Promise<WebAssembly.Module> | null = null;

async function compile(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return await wasm.compile(await readFile(path));
}

/** Jumps and calls between two looks at the limits; after a slow stretch every one is looked at. */
const JUMPS_PER_LOOK = 32;
const SLOW_MS = 1;
/** By the clock, between two looks at the processor time, which cost more. */
const TIME_LOOK_MS = 10;

/** What scripts call out with: texts in, a text back. */
export type Host = (interpreter: Interpreter, texts: readonly string[]) => string;

/** A new interpreter with its limits on memory, stack, steps and processor time (`runMs`, which counts from here). */
export async function createInterpreter(host: Host, runMs = RUN_MS): Promise<Interpreter> {
  compiled ??= compile();
  const wasmModule = await compiled;
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(release, { wasmModule }));
  const memory = quickjs.getWasmMemory() as unknown as InterpreterMemory;
  const isOutOfMemory = limitMemory(memory);
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  const inner = runtime.newContext();
  // Before anything is evaluated: so it lies at the same place of the memory in every instance.
  const hostFunction = inner.newFunction('host', (...handles) =>
    inner.newString(
      host(
        interpreter,
        handles.map((handle) => inner.getString(handle)),
      ),
    ),
  );
  // Each realm counts for itself.
  const counters = [context, inner].map((realm) => findPollCounter(memory, realm));
  const lookAfter = (jumpsToLook: number) => {
    for (const counter of counters) counter?.write(jumpsToLook);
  };
  let reason: string | null = null;
  let [jumps, perLook, lastLook] = [0, POLL_JUMPS, performance.now()];
  const deadline = threadTimeMs() + runMs;
  let nextTimeLook = lastLook;
  runtime.setInterruptHandler(() => {
    const now = performance.now();
    // Regular expressions look too, once in 10,000 steps back, and leave the counter as it is.
    jumps += counters.some((counter) => counter?.read() === POLL_JUMPS) ? perLook : POLL_JUMPS;
    perLook = now - lastLook > SLOW_MS ? 1 : JUMPS_PER_LOOK;
    lastLook = now;
    lookAfter(perLook);
    if (reason === null && jumps > JUMPS) reason = 'steps';
    if (now < nextTimeLook) return reason !== null;
    nextTimeLook = now + TIME_LOOK_MS;
    if (reason === null && threadTimeMs() > deadline) reason = `${runMs} ms of time`;
    return reason !== null;
  });
  const interpreter: Interpreter = {
    runtime,
    context,
    inner,
    host: hostFunction,
    memory,
    stopped: () => reason,
    isOutOfMemory,
    lookSoon: () => lookAfter(1),
    stop: () => {
      reason ??= 'ended';
    },
  };
  return interpreter;
}
