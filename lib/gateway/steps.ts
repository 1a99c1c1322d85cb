/**
 * Begins the steps of messages: each at its time, never two of one message at once, and in each lane only as many together as the limits
 * allow. Peers take turns. This module does not know the work of a step.
 */
import { FairQueue } from '../formats/threads/fair-queue.ts';
import { type Lane, type LaneName, laneOf } from './lanes.ts';
import type { GatewayLimits } from './limits.ts';
import type { Entry } from './spool-reading.ts';
import type { Alarms } from './timers.ts';

export interface StepOptions {
  readonly limits: GatewayLimits;
  readonly now: () => number;
  readonly alarms: Alarms;
  /** Returns the present state of a message, or undefined when none of its steps may begin. */
  readonly entryOf: (id: string) => Entry | undefined;
  /** Runs the next step of a message. When it rejects, it is repeated later. */
  readonly stepOf: (entry: Entry) => Promise<void>;
  readonly onFault: (error: unknown, id: string) => void;
}

export interface Steps {
  /** Makes the next step of a message begin, if there is one. */
  schedule(entry: Entry | undefined): void;
  /** Does work on a message when no step of it is in progress, and begins none until then. Rejects as the work does. */
  alone<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when the step of a message in progress has ended; null when none is. */
  inProgress(id: string): Promise<void> | null;
  isStopped(): boolean;
  /** Begins nothing more, and resolves when the steps in progress have ended. */
  stop(): Promise<void>;
}

/** Returns the steps. Nothing begins before `schedule`. */
export function createSteps(options: StepOptions): Steps {
  return new TimedSteps(options);
}

class TimedSteps implements Steps {
  private readonly running = new Map<string, Promise<void>>();
  private readonly lanes: Readonly<Record<LaneName, Lane>>;
  private hasStopped = false;

  constructor(private readonly options: StepOptions) {
    const { concurrentJudgements, concurrentSends, queuedMessages } = options.limits;
    this.lanes = {
      judging: laneOfMost(concurrentJudgements),
      sending: laneOfMost(concurrentSends),
      // It only waits for what is being sent.
      closing: laneOfMost(queuedMessages),
      telling: laneOfMost(1),
    };
  }

  schedule(entry: Entry | undefined): void {
    if (entry !== undefined) this.begin(entry, Date.parse(entry.progress.nextAttemptAt));
  }

  async alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    for (let current = this.running.get(id); current !== undefined; current = this.running.get(id)) await current;
    const result = work();
    const ended = () => {
      this.running.delete(id);
      // An alarm in the meantime found the message in progress.
      this.schedule(this.options.entryOf(id));
    };
    this.running.set(id, result.then(ended, ended));
    return result;
  }

  inProgress(id: string): Promise<void> | null {
    return this.running.get(id) ?? null;
  }

  isStopped(): boolean {
    return this.hasStopped;
  }

  async stop(): Promise<void> {
    this.hasStopped = true;
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private begin({ envelope, progress }: Entry, timeMs: number): void {
    const name = laneOf(progress);
    if (this.hasStopped || name === null) return;
    this.options.alarms.at(timeMs, () => {
      this.lanes[name].waiting.push(envelope.peer.address, envelope.id);
      this.advance(name);
    });
  }

  /** Runs waiting steps of a lane, as long as there is room. */
  private advance(name: LaneName): void {
    const lane = this.lanes[name];
    while (!this.hasStopped && lane.running < lane.most) {
      const id = lane.waiting.take(() => true);
      if (id === undefined) return;
      const entry = this.options.entryOf(id);
      if (entry !== undefined && this.isDue(entry, name)) this.run(entry, name);
    }
  }

  /** Two alarms may end for one message, when a person wanted it at once. Only one of them begins its step. */
  private isDue({ envelope, progress }: Entry, name: LaneName): boolean {
    if (laneOf(progress) !== name || this.running.has(envelope.id)) return false;
    return Date.parse(progress.nextAttemptAt) <= this.options.now();
  }

  private run(entry: Entry, name: LaneName): void {
    const { entryOf, stepOf } = this.options;
    const { id } = entry.envelope;
    const lane = this.lanes[name];
    lane.running += 1;
    const step = stepOf(entry)
      .then(
        () => () => this.schedule(entryOf(id)),
        (error: unknown) => () => this.retryLater(entry, error),
      )
      .then((goOn) => {
        lane.running -= 1;
        this.running.delete(id);
        goOn();
        this.advance(name);
      });
    this.running.set(id, step);
  }

  /** Handles a fault of the disk: the same step is repeated, or its result is noted again. */
  private retryLater(entry: Entry, error: unknown): void {
    const { limits, now, onFault } = this.options;
    onFault(error, entry.envelope.id);
    this.begin(entry, now() + limits.firstRetrySeconds * 1000);
  }
}

const laneOfMost = (most: number): Lane => ({ most, waiting: new FairQueue<string>(), running: 0 });
