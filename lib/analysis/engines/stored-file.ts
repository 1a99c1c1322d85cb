/**
 * Large files in a process of their own. The engines hold a file several times over while they read it; in the process that
 * serves requests, a few large uploads at once would be its end. Here the memory is gone with the process, whatever the file did.
 */
import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { DisarmReport, EngineFailureCode, EngineLimits, FailedReport, StaticReport } from './engine.ts';
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
  /** Where a disarmed file is written. Exists afterwards only when the report says so. */
  readonly outputPath: string;
}

/** A disarm whose bytes lie at the task's `outputPath`. */
export type StoredDisarmReport = Omit<DisarmReport, 'bytes'>;
export type StoredFileReport = StaticReport | StoredDisarmReport | FailedReport;

/** What the process is sent. */
export interface StoredFileMessage {
  readonly task: StoredFileTask;
  readonly limits: EngineLimits;
  readonly rulesFolder?: string;
}

/** Processor time until the engines are loaded; the deadline of the engine itself counts from there. */
export const STORED_START_MS = 20_000;
/** Memory outside the heap is the file itself, its copies and wasm: bounded by the limits of the engines. */
const heapArgs = (limits: EngineLimits) => [`--max-old-space-size=${limits.workerHeapMb}`];

/** What a task is run under: `signal` ends its process, whose number `onStart` is told. */
export interface StoredFileRun {
  readonly limits: EngineLimits;
  readonly signal: AbortSignal;
  readonly onStart?: (process: number) => void;
}

/**
 * Runs one task and returns its report. Never rejects: a crash and a signal end as `engine_failed`, an input over
 * `limits.inputBytes` as `oversize`. It has no deadline of its own: whoever gives the signal measures it.
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
    // Hostile bytes run beside no secrets: the process sees neither the environment nor the loaders of its parent.
    const child = fork(new URL('./stored-file-entry.mjs', import.meta.url), [], {
      env: {},
      execArgv: heapArgs(limits),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A report carries the bytes of what was taken out of the file.
      serialization: 'advanced',
    });
    const end = (report: StoredFileReport) => {
      signal.removeEventListener('abort', stop);
      child.kill('SIGKILL');
      // What a killed process left half written is nobody's.
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
