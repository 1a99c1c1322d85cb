/** What the pool sends to a worker thread and gets back. */
import type { MessagePort } from 'node:worker_threads';
import type { DisarmReport, DynamicReport, EngineLimits, FailedReport, FileInput, StaticReport } from './engine.ts';
import type { Meter } from './meter.ts';
import type { RecordingPart } from './sandbox/recording-parts.ts';
import type { PageReport, UrlReport, UrlVisit } from './url-report.ts';

export type EngineTask =
  | { readonly engine: 'static'; readonly input: FileInput }
  | { readonly engine: 'disarm'; readonly input: FileInput }
  /** With `seen` nothing is run: it is what a thread saw of the file before it was ended, and is judged. */
  | { readonly engine: 'sandbox'; readonly input: FileInput; readonly seen?: readonly RecordingPart[] }
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
  /** Takes parts of the recording of a script while it runs. */
  readonly parts?: MessagePort;
  /** Folder of the operator's YARA rules. */
  readonly rulesFolder?: string;
}

/** Engine version of a report that no engine lived to write. */
export const POOL_VERSION = 'pool-1.0.0';
