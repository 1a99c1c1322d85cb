/** The behaviour of an emulated script: the processes it starts, the requests it makes, and all other events in order. */

/** A process that the script tried to start. It is only recorded; nothing ever runs. */
export interface StartedProcess {
  readonly pid: number;
  /** Id of the process that started it; 0 for the host of the script. */
  readonly ppid: number;
  readonly name: string;
  /** Untrusted. */
  readonly commandLine: string;
  /** Time since the start of the script, on its own clock. */
  readonly timeMs: number;
}

export const BEHAVIOUR_TYPES = [
  'process',
  'file',
  'registry',
  'network',
  'code',
  'timer',
  'environment',
  'object',
  'message',
] as const;
export type BehaviourType = (typeof BEHAVIOUR_TYPES)[number];

/** One thing a script did, in the order it happened. */
export interface BehaviourEvent {
  readonly id: number;
  readonly pid: number;
  readonly type: BehaviourType;
  /** Kebab-case: `file-write`, `registry-read`, `http-request`. */
  readonly operation: string;
  /** The object of the operation: a path, a key, a URL. Untrusted. */
  readonly target: string;
  /** The data that was sent and the answer. Untrusted. */
  readonly detail: string;
  readonly timeMs: number;
}

/** A request that a script made. Nothing was sent: the answer was made up. */
export interface RecordedRequest {
  readonly pid: number;
  readonly method: string;
  /** Untrusted. */
  readonly url: string;
  /** In lower case; empty when the URL is not valid. */
  readonly host: string;
  readonly port: number;
  readonly timeMs: number;
}
