/**
 * QuickJS as WebAssembly. It is compiled once per thread. Every run gets a new instance in empty memory, so that it finds nothing of
 * another file.
 */
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
import { threadTimeMs } from '../../formats/threads/thread-time.ts';
import { takeMemory } from './interpreter-memory.ts';
import { JUMPS, STACK_BYTES, TASK_SHARE } from './limits.ts';
import { limitMemory } from './memory-limit.ts';
import { findPollCounter, type InterpreterMemory, POLL_JUMPS } from './poll-counter.ts';

export interface Interpreter {
  readonly runtime: QuickJSRuntime;
  /** The realm of the scripts. */
  readonly context: QuickJSContext;
  /** The realm of the environment. Scripts cannot reach it. */
  readonly inner: QuickJSContext;
  /** The only function out of the interpreter. Only the environment has it. */
  readonly host: QuickJSHandle;
  readonly memory: InterpreterMemory;
  /** Begins to count the processor time. Scripts get `runMs` of it. */
  startTime(runMs: number): void;
  /** Begins a script, a step or a timer, which gets a share of the remaining steps and time. Later tasks get the rest. */
  beginTask(): void;
  /** Returns why the task was ended before its end, or null when it was not. */
  taskStopped(): string | null;
  /** Returns why the interpreter was stopped, or null while it runs. */
  stopped(): string | null;
  /** Returns true when memory was ever refused, even if the script continued after that. */
  isOutOfMemory(): boolean;
  /** Makes the next jump or call check the limits. Called after something slow. */
  lookSoon(): void;
  /** Makes every later step end at once. */
  stop(): void;
}

/** The types of the package describe its CommonJS form. The import is the variant itself. */
const release = variant as unknown as QuickJSSyncVariant;
/** The used part of WebAssembly. Node has it, but the types for Node do not declare it. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
};

let compiled: Promise<WebAssembly.Module> | null = null;

/** The number of jumps and calls between two checks of the limits. After a slow stretch, each of them is followed by a check. */
const JUMPS_PER_LOOK = 32;
const SLOW_MS = 1;
/** The time by the clock between two checks of the processor time, which cost more. */
const TIME_LOOK_MS = 10;

/** The function that the environment calls. It takes texts and returns one. */
export type Host = (interpreter: Interpreter, texts: readonly string[]) => string;

/** Returns a new interpreter with its limits on memory, stack and steps. Its processor time has no limit before `startTime`. */
export async function createInterpreter(host: Host): Promise<Interpreter> {
  compiled ??= compile();
  const wasmModule = await compiled;
  const memory = takeMemory();
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(release, { wasmModule, wasmMemory: memory }));
  const isOutOfMemory = limitMemory(memory);
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  const inner = runtime.newContext();
  // It is made before anything is evaluated, so that it has the same address in every instance.
  const hostFunction = inner.newFunction('host', (...handles) =>
    inner.newString(
      host(
        interpreter,
        handles.map((handle) => inner.getString(handle)),
      ),
    ),
  );
  // Each realm has its own counter.
  const counters = [context, inner].map((realm) => findPollCounter(memory, realm));
  const lookAfter = (jumpsToLook: number) => {
    for (const counter of counters) counter?.write(jumpsToLook);
  };
  let reason: string | null = null;
  let [jumps, perLook, lastLook] = [0, POLL_JUMPS, performance.now()];
  let deadline = Number.POSITIVE_INFINITY;
  let limitMs = 0;
  let nextTimeLook = lastLook;
  let task = { jumps: JUMPS, deadline, reason: null as string | null };
  runtime.setInterruptHandler(() => {
    const now = performance.now();
    // Regular expressions also check, once in 10,000 steps of backtracking, and they do not change the counter.
    jumps += counters.some((counter) => counter?.read() === POLL_JUMPS) ? perLook : POLL_JUMPS;
    perLook = now - lastLook > SLOW_MS ? 1 : JUMPS_PER_LOOK;
    lastLook = now;
    lookAfter(perLook);
    if (jumps > JUMPS) reason ??= 'steps';
    if (jumps > task.jumps) task.reason ??= 'steps';
    if (now >= nextTimeLook) {
      nextTimeLook = now + TIME_LOOK_MS;
      const spent = threadTimeMs();
      if (spent > deadline) reason ??= `${limitMs} ms of time`;
      if (spent > task.deadline) task.reason ??= `${limitMs} ms of time`;
    }
    return reason !== null || task.reason !== null;
  });
  const interpreter: Interpreter = {
    runtime,
    context,
    inner,
    host: hostFunction,
    memory,
    startTime: (runMs) => {
      limitMs = runMs;
      deadline = threadTimeMs() + runMs;
    },
    beginTask: () => {
      const spent = threadTimeMs();
      const jumpsOfTask = (JUMPS - jumps) * TASK_SHARE;
      task = { jumps: jumps + jumpsOfTask, deadline: spent + (deadline - spent) * TASK_SHARE, reason: null };
    },
    taskStopped: () => task.reason,
    stopped: () => reason,
    isOutOfMemory,
    lookSoon: () => lookAfter(1),
    stop: () => {
      reason ??= 'ended';
    },
  };
  return interpreter;
}

async function compile(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return await wasm.compile(await readFile(path));
}
