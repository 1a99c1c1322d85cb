/**
 * Analyses each large file in its own process. The engines keep several copies of a file while they read it, so a few large uploads at once
 * would crash the process that serves requests. Here the memory is freed when the process ends, for any file.
 */
import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { DisarmReport, EngineFailureCode, EngineLimits, FailedReport, StaticReport } from '../engine.ts';
import { POOL_VERSION } from './task.ts';

/** A file on this machine. */
export interface StoredFileTask {
  readonly engine: 'static' | 'disarm';
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** As claimed by the submitter: a hint, never trusted. */
  readonly untrustedName: string;
  readonly password: string | null;
  /** As in FileInput. @default false */
  readonly keepMetadata?: boolean;
  /** The path to which a disarmed file is written. The file exists afterwards only when the report says so. */
  readonly outputPath: string;
}

/** A disarm report whose bytes are in the file at the task's `outputPath`. */
export type StoredDisarmReport = Omit<DisarmReport, 'bytes'>;
export type StoredFileReport = StaticReport | StoredDisarmReport | FailedReport;

/** The message to the process. */
export interface StoredFileMessage {
  readonly task: StoredFileTask;
  readonly limits: EngineLimits;
  readonly rulesFolder?: string;
}

/** Processor time for loading the engines. The deadline of the engine itself starts after that. */
export const STORED_START_MS = 20_000;
/**
 * Returns the options of the process. Memory outside the heap holds the file, its copies and wasm, and the limits of the engines bound it.
 */
const heapArgs = (limits: EngineLimits) => [`--max-old-space-size=${limits.workerHeapMb}`];

/** Control of a task: `signal` ends its process, and `onStart` receives the number of the process. */
export interface StoredFileRun {
  readonly limits: EngineLimits;
  readonly signal: AbortSignal;
  readonly onStart?: (process: number) => void;
}

/**
 * Runs one task and returns its report. Never rejects: a crash and a signal end as `engine_failed`, an input over
 * `limits.inputBytes` as `oversize`. It has no deadline of its own: the owner of the signal measures the time.
 */
export function runStoredFile(
  task: StoredFileTask,
  { limits, signal, onStart }: StoredFileRun,
  rulesFolder?: string,
): Promise<StoredFileReport> {
  if (task.size > limits.inputBytes) {
    const message = `the file has ${task.size} bytes, at most ${limits.inputBytes} are analysed`;
    return Promise.resolve(failed('oversize', message));
  }
  return new Promise((resolve) => {
    // Hostile bytes must not run beside secrets, so the process does not see the environment and the loaders of its parent.
    const child = fork(new URL('./stored-file-entry.mjs', import.meta.url), [], {
      env: {},
      execArgv: heapArgs(limits),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A report carries the bytes of the files that were extracted.
      serialization: 'advanced',
    });
    const end = (report: StoredFileReport) => {
      signal.removeEventListener('abort', stop);
      child.kill('SIGKILL');
      // A killed process may leave a half-written file, which nobody needs.
      const tidy = report.outcome === 'failed' ? rm(task.outputPath, { force: true }) : Promise.resolve();
      tidy.catch(() => undefined).finally(() => resolve(report));
    };
    const stop = () => end(failed('engine_failed', 'the engine was stopped'));
    if (child.pid !== undefined) onStart?.(child.pid);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    child.once('message', (report) => end(report as StoredFileReport));
    child.once('error', () => end(failed('engine_failed', 'the engine could not start')));
    child.once('exit', () => end(failed('engine_failed', 'the engine crashed')));
    child.send(
      { task, limits, ...(rulesFolder !== undefined && { rulesFolder }) } satisfies StoredFileMessage,
      () => undefined,
    );
  });
}

function failed(code: EngineFailureCode, message: string): FailedReport {
  return { outcome: 'failed', failure: { code, message }, engineVersion: POOL_VERSION };
}
