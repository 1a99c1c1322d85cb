/** What a script does while it is emulated: processes it starts, requests it makes, and everything else in the order it happens. */

/** A process that was started, in words only: nothing of it ever ran. */
export interface StartedProcess {
  readonly pid: number;
  /** Of the process that asked for it; 0 for the host of the script itself. */
  readonly ppid: number;
  readonly name: string;
  /** Untrusted. */
  readonly commandLine: string;
  /** Since the start of the script, by its own clock. */
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
  /** What it was done to: a path, a key, a URL. Untrusted. */
  readonly target: string;
  /** What went along, and what was answered. Untrusted. */
  readonly detail: string;
  readonly timeMs: number;
}

/** A request that a script made. Nothing was sent: the answer was made up. */
export interface RecordedRequest {
  readonly pid: number;
  readonly method: string;
  /** Untrusted. */
  readonly url: string;
  /** Lower case; empty for what is no URL. */
  readonly host: string;
  readonly port: number;
  readonly timeMs: number;
}
