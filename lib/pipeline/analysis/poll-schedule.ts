/** The times of polls. This is pure arithmetic: the state machine does all the waiting, and a test can compare the figures. */
import type { Kind } from '../model.ts';

export interface PollSchedule {
  /**
   * The usual duration of an analysis of each kind, in seconds. The slowest outstanding kind sets the wait. A message is not done before
   * its slowest analysis, so an early answer of a fast one only costs a poll.
   */
  readonly firstSeconds: Readonly<Record<Kind, number>>;
  /** The factor by which each wait is longer than the one before. */
  readonly factor: number;
  /** The longest wait, in seconds. */
  readonly capSeconds: number;
  /** Whether waits are rounded to whole seconds, as Step Functions needs. */
  readonly wholeSeconds: boolean;
  /**
   * Whether a run waits until its deadline for a service that is away or refuses the key. If not, the stage fails after a few tries, and
   * the person who started the scan is told.
   */
  readonly waitsForService: boolean;
}

/** For the deployed state machines: a poll costs the work of a function, and three transitions once a run is left to the Standard one. */
export const STEP_FUNCTIONS_SCHEDULE: PollSchedule = {
  firstSeconds: { static: 5, cdr: 5, url_analysis: 10, sandbox: 75 },
  factor: 1.5,
  capSeconds: 120,
  wholeSeconds: true,
  waitsForService: true,
};

/**
 * Seconds after which our own engines have usually answered. A job reaches a warm function in one or two seconds, and a starting one in a
 * few more. Our sandbox is an emulation, while a service uses a virtual machine.
 */
const OWN_ENGINES_SECONDS: Readonly<Record<Kind, number>> = { static: 3, cdr: 3, url_analysis: 3, sandbox: 10 };

/** Returns the schedule for a deployment whose own engines do these kinds. */
export function withOwnEngines(schedule: PollSchedule, kinds: readonly Kind[]): PollSchedule {
  const own = kinds.map((kind) => [kind, OWN_ENGINES_SECONDS[kind]] as const);
  return { ...schedule, firstSeconds: { ...schedule.firstSeconds, ...Object.fromEntries(own) } };
}

/** For one machine, where a poll costs a loopback request. */
export const LOCAL_SCHEDULE: PollSchedule = {
  firstSeconds: { static: 0.03, cdr: 0.03, url_analysis: 0.03, sandbox: 0.03 },
  factor: 1.5,
  capSeconds: 2,
  wholeSeconds: false,
  waitsForService: false,
};

/** For one machine on which nobody waits for a single message. A run then waits for a service that is away. */
export const GATEWAY_SCHEDULE: PollSchedule = { ...LOCAL_SCHEDULE, waitsForService: true };

export interface WaitFacts {
  readonly outstandingKinds: readonly Kind[];
  /** The number of polls so far. */
  readonly polls: number;
  /** The longest wait that the service asked for; null when it asked for none. */
  readonly retryAfterSeconds: number | null;
  /** Seconds until the run's deadline. */
  readonly remainingSeconds: number;
}

/** Returns the seconds until the next useful poll; 0 when nothing is outstanding. Never waits past the run's deadline. */
export function nextWaitSeconds(schedule: PollSchedule, facts: WaitFacts): number {
  if (facts.outstandingKinds.length === 0) return 0;
  const first = Math.max(...facts.outstandingKinds.map((kind) => schedule.firstSeconds[kind]));
  const ours = Math.min(schedule.capSeconds, first * schedule.factor ** facts.polls);
  const wanted = Math.max(ours, facts.retryAfterSeconds ?? 0);
  const seconds = Math.max(0, Math.min(wanted, facts.remainingSeconds));
  return schedule.wholeSeconds ? Math.max(1, Math.ceil(seconds)) : seconds;
}
