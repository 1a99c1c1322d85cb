/** What the pool sends to a worker thread and gets back. */
import type { DisarmReport, DynamicReport, EngineLimits, FailedReport, FileInput, StaticReport } from './engine.ts';
import type { Meter } from './meter.ts';
import type { PageReport, UrlReport, UrlVisit } from './url-report.ts';

export type EngineTask =
  | { readonly engine: 'static'; readonly input: FileInput }
  | { readonly engine: 'disarm'; readonly input: FileInput }
  | { readonly engine: 'sandbox'; readonly input: FileInput }
  /** A page that was downloaded from `url`. */
  | { readonly engine: 'page'; readonly input: FileInput; readonly url: string; readonly contentType: string }
  | { readonly engine: 'url'; readonly url: string; readonly visit?: UrlVisit };

export type EngineReport = StaticReport | DisarmReport | UrlReport | DynamicReport | PageReport | FailedReport;

/** Crosses the thread border: the task and the limits it runs under. */
export interface WorkerMessage {
  readonly task: EngineTask;
  readonly limits: EngineLimits;
  /** Told when the task is taken up. */
  readonly meter: Meter;
  /** Folder of the operator's YARA rules. */
  readonly rulesFolder?: string;
}

/** Engine version of a report that no engine lived to write. */
export const POOL_VERSION = 'pool-1.0.0';
