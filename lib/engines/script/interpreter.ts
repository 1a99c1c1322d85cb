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
  const budget = new Budget(memory, [context, inner]);
  runtime.setInterruptHandler(() => budget.look());
  const interpreter: Interpreter = {
    runtime,
    context,
    inner,
    host: hostFunction,
    memory,
    startTime: (runMs) => budget.startTime(runMs),
    beginTask: () => budget.beginTask(),
    taskStopped: () => budget.taskStopped(),
    stopped: () => budget.stopped(),
    isOutOfMemory,
    lookSoon: () => budget.lookAfter(1),
    stop: () => budget.stop(),
  };
  return interpreter;
}

/** Counts the jumps and the processor time of a run and of its task. */
class Budget {
  /** Each realm has its own counter. */
  private readonly counters: readonly ReturnType<typeof findPollCounter>[];
  private reason: string | null = null;
  private jumps = 0;
  private perLook = POLL_JUMPS;
  private lastLook = performance.now();
  private nextTimeLook = this.lastLook;
  private deadline = Number.POSITIVE_INFINITY;
  private limitMs = 0;
  private task = { jumps: JUMPS, deadline: this.deadline, reason: null as string | null };

  constructor(memory: InterpreterMemory, realms: readonly QuickJSContext[]) {
    this.counters = realms.map((realm) => findPollCounter(memory, realm));
  }

  /** Called by the interpreter. Returns true to stop it. */
  look(): boolean {
    const now = performance.now();
    // Regular expressions also check, once in 10,000 steps of backtracking, and they do not change the counter.
    this.jumps += this.counters.some((counter) => counter?.read() === POLL_JUMPS) ? this.perLook : POLL_JUMPS;
    this.perLook = now - this.lastLook > SLOW_MS ? 1 : JUMPS_PER_LOOK;
    this.lastLook = now;
    this.lookAfter(this.perLook);
    if (this.jumps > JUMPS) this.reason ??= 'steps';
    if (this.jumps > this.task.jumps) this.task.reason ??= 'steps';
    if (now >= this.nextTimeLook) this.lookAtTime(now);
    return this.reason !== null || this.task.reason !== null;
  }

  private lookAtTime(now: number): void {
    this.nextTimeLook = now + TIME_LOOK_MS;
    const spent = threadTimeMs();
    if (spent > this.deadline) this.reason ??= `${this.limitMs} ms of time`;
    if (spent > this.task.deadline) this.task.reason ??= `${this.limitMs} ms of time`;
  }

  /** Makes the interpreter look again after this many jumps. */
  lookAfter(jumps: number): void {
    for (const counter of this.counters) counter?.write(jumps);
  }

  startTime(runMs: number): void {
    this.limitMs = runMs;
    this.deadline = threadTimeMs() + runMs;
  }

  beginTask(): void {
    const spent = threadTimeMs();
    const jumps = this.jumps + (JUMPS - this.jumps) * TASK_SHARE;
    this.task = { jumps, deadline: spent + (this.deadline - spent) * TASK_SHARE, reason: null };
  }

  taskStopped(): string | null {
    return this.task.reason;
  }

  stopped(): string | null {
    return this.reason;
  }

  stop(): void {
    this.reason ??= 'ended';
  }
}

async function compile(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return await wasm.compile(await readFile(path));
}
