/** What the pool sends to a worker thread and gets back. */
import type { DisarmReport, EngineLimits, FailedReport, FileInput, StaticReport, UrlReport } from './engine.ts';

export type EngineTask =
  | { readonly engine: 'static'; readonly input: FileInput }
  | { readonly engine: 'disarm'; readonly input: FileInput }
  | { readonly engine: 'url'; readonly url: string };

export type EngineReport = StaticReport | DisarmReport | UrlReport | FailedReport;

/** Crosses the thread border: the task and the limits it runs under. */
export interface WorkerMessage {
  readonly task: EngineTask;
  readonly limits: EngineLimits;
}

/** Engine version of a report that no engine lived to write. */
export const POOL_VERSION = 'pool-1.0.0';
