/**
 * Engines read hostile bytes, so they run in a bounded number of worker threads. Each task has a deadline of processor time, which
 * ends its thread. Each thread has a memory cap. The files of one mail share one budget. A file can do anything to its thread: the caller
 * still gets a report and the pool continues.
 */
import type { MessagePort } from 'node:worker_threads';
import { type Meter, metered, newMeter } from '../../formats/threads/meter.ts';
import { timeOfProcess } from '../../formats/threads/thread-time.ts';
import { DEFAULT_ENGINE_LIMITS, type EngineLimits, type FailedReport } from '../engine.ts';
import { openAloneAccount } from './alone-account.ts';
import { endedReport, failedReport } from './failed-report.ts';
import { openAccounts } from './group-accounts.ts';
import { openGrowth } from './growth.ts';
import { type End, openPoolJobs, type PoolJobs } from './pool-jobs.ts';
import { NotStartedError, openPoolThreads, type PoolThread, type PoolThreads } from './pool-threads.ts';
import { openSeenParts } from './seen-parts.ts';
import { runStoredFile, STORED_START_MS, type StoredFileReport, type StoredFileTask } from './stored-file.ts';
import type { EngineReport, EngineTask, WorkerMessage } from './task.ts';
import { type EngineVersions, engineVersions, OWN_VERSIONS } from './versions.ts';

/**
 * Young generation of a worker's heap, in MiB. `workerHeapMb` sets the old generation. V8 fills all of it before it looks for garbage, also
 * with small files; five times as much made no file faster.
 */
const YOUNG_GENERATION_MB = 12;
/**
 * How often a task may crash its thread. Earlier files may have left the fault in the thread or in the process, so a file gets another
 * thread before it is called the cause. A file that crashes every thread costs two of them.
 */
const MAX_CRASHES = 2;
/** Stack of a worker, in MiB. Deep recursion on nested input must end as an exception in the worker. */
const STACK_MB = 4;

/** How many threads a pool has, and what each may use. */
export interface EnginePoolOptions {
  /** Number of worker threads, and so of tasks that run at the same time. */
  readonly threads: number;
  /** Whether the pool begins with one thread, and starts another when tasks wait for long ones. @default all may be used at once */
  readonly beginsWithFew?: boolean;
  /** @default DEFAULT_ENGINE_LIMITS */
  readonly limits?: EngineLimits;
  /** Folder of the operator's YARA rules. A thread reads it when it first needs the rules. @default none */
  readonly rulesFolder?: string;
  /**
   * Whether a task that ends as `timeout` runs once more, with nothing beside it: a busy machine is not the fault of a file. @default false
   */
  readonly runsAgainAlone?: boolean;
  /** Module that exports `runTask`, for tests and bundles. @default worker-entry.mjs beside this file */
  readonly workerFile?: URL;
}

/** A pool of worker threads that run the engines. */
export interface EnginePool {
  /**
   * Runs one task and returns its report. Never rejects: a deadline ends as `timeout` (with `runsAgainAlone`, the second one), a crash or
   * the memory cap as `engine_failed` (a crash when it happened twice), an input over `limits.inputBytes` as `oversize`. The caller's bytes stay unchanged. Tasks of one
   * `group` share `limits.groupTimeMs`. When it is used up, running and later tasks of the group end as `timeout`. A task that used up the
   * memory of its thread costs its group one minute. Groups take turns.
   */
  run(task: EngineTask, group?: string): Promise<EngineReport>;
  /** Does the same for a file that is too large to read into this process. These run one at a time, each in its own process. */
  runStored(task: StoredFileTask, group?: string): Promise<StoredFileReport>;
  /**
   * Versions of the engines and rules. With rules of the operator each engine is asked once, or again if it did not answer. Never rejects.
   */
  versions(): Promise<EngineVersions>;
  /** Starts the threads and loads the static engine in them, so that the first real task does not have to wait. */
  warmUp(): Promise<void>;
  /** Ends all threads. Running, waiting and later tasks end as `engine_failed`. */
  close(): Promise<void>;
}

interface PoolState {
  readonly options: EnginePoolOptions;
  readonly limits: EngineLimits;
  readonly jobs: PoolJobs;
  readonly storedJobs: PoolJobs;
  versions: Promise<EngineVersions> | null;
  readonly threads: PoolThreads;
  closed: boolean;
}

/**
 * Makes a pool. No thread starts before the first task or `warmUp`, and none before a task finds the others busy.
 *
 * @example
 * ```ts
 * const pool = createEnginePool({ threads: 2 });
 * const input = { bytes: Buffer.from('hello'), untrustedName: 'hello.txt', password: null };
 * const report = await pool.run({ engine: 'disarm', input });
 * if (report.outcome === 'disarmed') console.log(report.details);
 * await pool.close();
 * ```
 */
export function createEnginePool(options: EnginePoolOptions): EnginePool {
  const limits = options.limits ?? DEFAULT_ENGINE_LIMITS;
  const [accounts, alone] = [openAccounts(), openAloneAccount(options.threads)];
  const growth = openGrowth(options.threads, options.beginsWithFew === true);
  const state: PoolState = {
    options,
    limits,
    threads: openPoolThreads(options.threads, threadOptions(options, limits)),
    jobs: openPoolJobs(options.threads, limits, accounts, alone, growth),
    // Each process may hold its file several times, so several processes at once could use up the memory.
    storedJobs: openPoolJobs(1, { ...limits, timeoutMs: STORED_START_MS + limits.timeoutMs }, accounts, {
      ...alone,
      // The threads are already idle at this point.
      isPaid: () => true,
    }),
    versions: null,
    closed: false,
  };
  const run: EnginePool['run'] = (task, group) =>
    againAlone(state, group ?? null, (isAlone) => runOne(state, task, group ?? null, isAlone));
  return {
    run,
    runStored: (task, group) =>
      againAlone(state, group ?? null, (isAlone) => runOneStored(state, task, group ?? null, isAlone)),
    versions: () => versions(state, run),
    warmUp: async () => {
      growth.all();
      await Promise.all(Array.from({ length: options.threads }, () => run(warmUpTask())));
    },
    close: () => close(state),
  };
}

async function versions(state: PoolState, run: EnginePool['run']): Promise<EngineVersions> {
  const { rulesFolder, workerFile } = state.options;
  // Without rules of the operator they are known beforehand, and no caller waits for the engines to start.
  if (rulesFolder === undefined && workerFile === undefined) return OWN_VERSIONS;
  state.versions ??= engineVersions(run);
  const told = await state.versions;
  if (Object.values(told).includes(null)) state.versions = null;
  return told;
}

function warmUpTask(): EngineTask {
  return { engine: 'static', input: { bytes: new Uint8Array(), untrustedName: 'warm-up.txt', password: null } };
}

/** Runs a task, and runs it once more alone when it reached its deadline and its group has time left. */
async function againAlone<Report extends EngineReport | StoredFileReport>(
  state: PoolState,
  group: string | null,
  run: (isAlone: boolean) => Promise<Report>,
): Promise<Report> {
  const report = await run(false);
  const isLate = report.outcome === 'failed' && report.failure.code === 'timeout';
  if (!isLate || state.options.runsAgainAlone !== true || state.jobs.isUsedUp(group)) return report;
  return await state.jobs.quiet(() => state.storedJobs.quiet(() => run(true)));
}

async function runOne(
  state: PoolState,
  task: EngineTask,
  group: string | null,
  isAlone: boolean,
): Promise<EngineReport> {
  // The sandbox makes a new instance for each run, and the recording of a run that crashed must not be lost.
  for (let crashesLeft = task.engine === 'sandbox' ? 1 : MAX_CRASHES; ; ) {
    const parts = openSeenParts(task);
    const ended = await runTurn(state, task, group, parts.port, isAlone);
    const seen = parts.close();
    if (ended === 'yield') continue;
    if (ended === 'crashed') crashesLeft -= 1;
    if (ended === 'crashed' && crashesLeft > 0) continue;
    const report = ended === 'crashed' ? CRASHED : ended;
    if (report.outcome === 'completed' || seen.length === 0 || task.engine !== 'sandbox') return report;
    // The recording of a script counts even if its thread was ended. It is judged without its group, whose budget may be used up.
    const judged = await runTurn(state, { ...task, seen }, null, null, isAlone);
    return typeof judged === 'string' || judged.outcome === 'failed' ? report : judged;
  }
}

const CRASHED = failedReport('engine_failed', 'the engine crashed');

/** Returns the report, or a note that the task gave up its thread and must start again, or that the thread crashed. */
async function runTurn(
  state: PoolState,
  task: EngineTask,
  group: string | null,
  parts: MessagePort | null,
  isAlone: boolean,
): Promise<EngineReport | 'yield' | 'crashed'> {
  const meter = newMeter();
  const startedMs = { value: performance.now() };
  const usedMs = () => metered(meter, performance.now() - startedMs.value);
  const work = async (signal: AbortSignal): Promise<EngineReport | 'yield' | 'crashed'> => {
    startedMs.value = performance.now();
    const refused = refusal(state, group, task.engine === 'url' ? 0 : task.input.bytes.byteLength);
    if (refused !== null) return refused;
    const thread = state.threads.idle();
    try {
      const { message, transferList } = pack(task, state, meter, parts);
      const report = await thread.run(message, { signal, transferList });
      return report;
    } catch (error) {
      if (isOutOfMemory(error)) state.jobs.chargeMemory(group);
      return signal.reason === 'yield' ? 'yield' : reportFault(state, thread, signal, error);
    }
  };
  return await state.jobs.run(group, usedMs, work, isAlone);
}

/** Returns why a task is not started, or null when it may start. */
function refusal(state: PoolState, group: string | null, size: number): FailedReport | null {
  if (state.closed) return failedReport('engine_failed', 'the engine pool is closed');
  if (state.jobs.isUsedUp(group)) return endedReport(state.limits, 'group timeout');
  if (size <= state.limits.inputBytes) return null;
  return failedReport('oversize', `the file has ${size} bytes, at most ${state.limits.inputBytes} are analysed`);
}

/** Returns the only copy of the input. The caller keeps its bytes, and a small view of a large buffer is sent without that buffer. */
function pack(
  task: EngineTask,
  state: PoolState,
  meter: Meter,
  parts: MessagePort | null,
): { message: WorkerMessage; transferList: (ArrayBuffer | MessagePort)[] } {
  const { limits, options } = state;
  const common = { limits, meter, ...(options.rulesFolder !== undefined && { rulesFolder: options.rulesFolder }) };
  if (task.engine === 'url') return { message: { task, ...common }, transferList: [] };
  const bytes = new Uint8Array(task.input.bytes);
  const message = { task: { ...task, input: { ...task.input, bytes } }, ...common };
  if (parts === null) return { message, transferList: [bytes.buffer] };
  return { message: { ...message, parts }, transferList: [bytes.buffer, parts] };
}

async function runOneStored(
  state: PoolState,
  task: StoredFileTask,
  group: string | null,
  isAlone: boolean,
): Promise<StoredFileReport> {
  let child: number | null = null;
  const usedMs = () => (child === null ? 0 : timeOfProcess(child));
  const work = async (signal: AbortSignal): Promise<StoredFileReport> => {
    const refused = refusal(state, group, task.size);
    if (refused !== null) return refused;
    const onStart = (process: number) => {
      child = process;
    };
    const report = await runStoredFile(task, { limits: state.limits, signal, onStart }, state.options.rulesFolder);
    return signal.aborted ? endedReport(state.limits, signal.reason as Exclude<End, 'yield'>) : report;
  };
  return await state.storedJobs.run(group, usedMs, work, isAlone);
}

function threadOptions({ workerFile }: EnginePoolOptions, limits: EngineLimits) {
  return {
    filename: (workerFile ?? new URL('./worker-entry.mjs', import.meta.url)).href,
    resourceLimits: {
      maxOldGenerationSizeMb: limits.workerHeapMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: STACK_MB,
    },
  };
}

function reportFault(
  state: PoolState,
  thread: PoolThread,
  signal: AbortSignal,
  error: unknown,
): FailedReport | 'crashed' {
  const isNotStarted = error instanceof NotStartedError;
  // Piscina starts no new threads after one died while starting. It is thrown away, and the next task makes a new one.
  if (isNotStarted || thread.isDead()) void thread.drop();
  if (signal.aborted) return endedReport(state.limits, signal.reason as Exclude<End, 'yield'>);
  if (isNotStarted) return endedReport(state.limits, 'not started');
  return isOutOfMemory(error) ? failedReport('engine_failed', 'the engine ran out of memory') : 'crashed';
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

async function close(state: PoolState): Promise<void> {
  state.closed = true;
  for (const { controller } of [...state.jobs.running, ...state.storedJobs.running]) {
    controller.abort('closed' satisfies End);
  }
  await state.threads.close();
}
