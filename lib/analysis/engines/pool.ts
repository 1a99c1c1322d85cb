/**
 * Engines read hostile bytes, so they run in worker threads: a bounded number of them, each task under a deadline that ends its
 * thread, each thread under a memory cap. Whatever a file does to its thread, the caller gets a report and the pool lives on.
 */
import { Piscina } from 'piscina';
import { DEFAULT_ENGINE_LIMITS, type EngineFailureCode, type EngineLimits, type FailedReport } from './engine.ts';
import { createGate } from './gate.ts';
import { runStoredFile, type StoredFileReport, type StoredFileTask } from './stored-file.ts';
import { type EngineReport, type EngineTask, POOL_VERSION, type WorkerMessage } from './task.ts';
import { type EngineVersions, engineVersions } from './versions.ts';

/** Young generation of a worker's heap, in MiB; the old generation gets what `workerHeapMb` says. */
const YOUNG_GENERATION_MB = 64;
/** Deep recursion on nested input must end as an exception in the worker, in MiB of stack. */
const STACK_MB = 4;

export interface EnginePoolOptions {
  /** Worker threads, and so tasks that run at the same time. */
  readonly threads: number;
  /** @default DEFAULT_ENGINE_LIMITS */
  readonly limits?: EngineLimits;
  /** Folder of the operator's YARA rules, read when a thread first needs them. @default none */
  readonly rulesFolder?: string;
  /** Module that exports `runTask`, for tests and bundles. @default worker-entry.mjs beside this file */
  readonly workerFile?: URL;
}

export interface EnginePool {
  /**
   * Runs one task and returns its report. Never rejects: a deadline ends as `timeout`, a crash or the memory cap as
   * `engine_failed`, an input over `limits.inputBytes` as `oversize`. The caller's bytes stay untouched.
   */
  run(task: EngineTask): Promise<EngineReport>;
  /** The same for a file that is too large to be read into this process; one at a time, each in a process of its own. */
  runStored(task: StoredFileTask): Promise<StoredFileReport>;
  /** Of the engines and rules that are loaded, asked once. An engine that fails to answer is asked again the next time. Never rejects. */
  versions(): Promise<EngineVersions>;
  /** Starts the threads and loads the static engine in them, so that the first real task does not wait for that. */
  warmUp(): Promise<void>;
  /** Ends all threads. Tasks that still run or wait, and later ones, end as `engine_failed`. */
  close(): Promise<void>;
}

interface PoolState {
  readonly options: EnginePoolOptions;
  readonly limits: EngineLimits;
  readonly running: Set<AbortController>;
  versions: Promise<EngineVersions> | null;
  piscina: Piscina | null;
  /** Whether a task ever ended in the present threads; before that an error means the worker file itself does not load. */
  proven: boolean;
  closed: boolean;
}

/** Makes a pool. No thread starts before the first task or `warmUp`. */
export function createEnginePool(options: EnginePoolOptions): EnginePool {
  const state: PoolState = {
    options,
    limits: options.limits ?? DEFAULT_ENGINE_LIMITS,
    running: new Set(),
    versions: null,
    piscina: null,
    proven: false,
    closed: false,
  };
  // A gate of our own, because a deadline must count from the start of a task, not from its place in a queue.
  const gate = createGate(options.threads);
  const run = (task: EngineTask) => gate(() => runOne(state, task));
  // Each of them may hold its file several times: side by side, they would be what they are to prevent.
  const storedGate = createGate(1);
  return {
    run,
    runStored: (task) => storedGate(() => runOneStored(state, task)),
    versions: () => versions(state, run),
    warmUp: async () => {
      await Promise.all(Array.from({ length: options.threads }, () => run(warmUpTask())));
    },
    close: () => close(state),
  };
}

async function versions(state: PoolState, run: EnginePool['run']): Promise<EngineVersions> {
  state.versions ??= engineVersions(run);
  const told = await state.versions;
  if (Object.values(told).includes(null)) state.versions = null;
  return told;
}

function warmUpTask(): EngineTask {
  return { engine: 'static', input: { bytes: new Uint8Array(), untrustedName: 'warm-up.txt', password: null } };
}

async function runOne(state: PoolState, task: EngineTask): Promise<EngineReport> {
  if (state.closed) return failed('engine_failed', 'the engine pool is closed');
  const size = task.engine === 'url' ? 0 : task.input.bytes.byteLength;
  if (size > state.limits.inputBytes) {
    return failed('oversize', `the file has ${size} bytes, at most ${state.limits.inputBytes} are analysed`);
  }
  const controller = new AbortController();
  const deadline = setTimeout(() => controller.abort('timeout'), state.limits.timeoutMs);
  state.running.add(controller);
  try {
    const piscina = openPiscina(state);
    const { message, transferList } = pack(task, state);
    const report: EngineReport = await piscina.run(message, { signal: controller.signal, transferList });
    state.proven = true;
    return report;
  } catch (error) {
    return reportFault(state, controller.signal, error);
  } finally {
    clearTimeout(deadline);
    state.running.delete(controller);
  }
}

/** The one copy of the input: the caller keeps its bytes, and a small view of a large buffer does not drag the buffer along. */
function pack(task: EngineTask, state: PoolState): { message: WorkerMessage; transferList: ArrayBuffer[] } {
  const { limits, options } = state;
  const common = { limits, ...(options.rulesFolder !== undefined && { rulesFolder: options.rulesFolder }) };
  if (task.engine === 'url') return { message: { task, ...common }, transferList: [] };
  const bytes = new Uint8Array(task.input.bytes);
  return { message: { task: { ...task, input: { ...task.input, bytes } }, ...common }, transferList: [bytes.buffer] };
}

async function runOneStored(state: PoolState, task: StoredFileTask): Promise<StoredFileReport> {
  if (state.closed) return failed('engine_failed', 'the engine pool is closed');
  const controller = new AbortController();
  state.running.add(controller);
  try {
    return await runStoredFile(task, state.limits, controller.signal, state.options.rulesFolder);
  } finally {
    state.running.delete(controller);
  }
}

function openPiscina(state: PoolState): Piscina {
  if (state.piscina !== null) return state.piscina;
  const piscina = new Piscina({
    filename: (state.options.workerFile ?? new URL('./worker-entry.mjs', import.meta.url)).href,
    name: 'runTask',
    minThreads: state.options.threads,
    maxThreads: state.options.threads,
    resourceLimits: {
      maxOldGenerationSizeMb: state.limits.workerHeapMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: STACK_MB,
    },
    // Hostile bytes run beside no secrets: the threads see neither the environment nor the loaders of the parent.
    env: {},
    execArgv: [],
    recordTiming: false,
  });
  state.piscina = piscina;
  state.proven = false;
  // Raised for a thread that died without a task. Before anything ever ran, it means that no thread will start at all.
  piscina.on('error', () => {
    if (!state.proven) for (const controller of state.running) controller.abort('not started');
  });
  return piscina;
}

function reportFault(state: PoolState, signal: AbortSignal, error: unknown): FailedReport {
  const piscina = state.piscina;
  if (piscina !== null && (piscina.threads.length === 0 || signal.reason === 'not started')) {
    // Piscina starts no new threads after one died while starting: throw it away, the next task opens a new one.
    state.piscina = null;
    void piscina.destroy();
  }
  if (signal.reason === 'timeout') {
    return failed('timeout', `the engine did not end within ${state.limits.timeoutMs} ms`);
  }
  if (signal.reason === 'closed') return failed('engine_failed', 'the engine pool was closed');
  if (signal.reason === 'not started') return failed('engine_failed', 'no engine thread could start');
  const outOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return failed('engine_failed', outOfMemory ? 'the engine ran out of memory' : 'the engine crashed');
}

function failed(code: EngineFailureCode, message: string): FailedReport {
  return { outcome: 'failed', failure: { code, message }, engineVersion: POOL_VERSION };
}

async function close(state: PoolState): Promise<void> {
  state.closed = true;
  for (const controller of state.running) controller.abort('closed');
  const piscina = state.piscina;
  state.piscina = null;
  await piscina?.destroy();
}
