/** The messages between the pool and a worker thread. */
import type { MessagePort } from 'node:worker_threads';
import type { Meter } from '../../formats/threads/meter.ts';
import type { DisarmReport, DynamicReport, EngineLimits, FailedReport, FileInput, StaticReport } from '../engine.ts';
import type { RecordingPart } from '../script/recording-parts.ts';
import type { PageReport, UrlReport, UrlVisit } from '../url-report.ts';

export type EngineTask =
  | { readonly engine: 'static'; readonly input: FileInput }
  | { readonly engine: 'disarm'; readonly input: FileInput }
  /** With `seen`, nothing is run: the recording of a thread that was ended is judged. */
  | { readonly engine: 'sandbox'; readonly input: FileInput; readonly seen?: readonly RecordingPart[] }
  /** A page that was downloaded from `url`. */
  | { readonly engine: 'page'; readonly input: FileInput; readonly url: string; readonly contentType: string }
  | { readonly engine: 'url'; readonly url: string; readonly visit?: UrlVisit };

export type EngineReport = StaticReport | DisarmReport | UrlReport | DynamicReport | PageReport | FailedReport;

/** The message to a thread: the task and its limits. */
export interface WorkerMessage {
  readonly task: EngineTask;
  readonly limits: EngineLimits;
  /** The meter that the thread starts when it takes the task. */
  readonly meter: Meter;
  /** Takes parts of the recording of a script while it runs. */
  readonly parts?: MessagePort;
  /** Folder of the operator's YARA rules. */
  readonly rulesFolder?: string;
}

/** Engine version of a report for an engine that crashed. */
export const POOL_VERSION = 'pool-1.0.0';
