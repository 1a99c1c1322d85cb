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

export function createSteps({ limits, now, alarms, entryOf, stepOf, onFault }: StepOptions): Steps {
  const inProgress = new Map<string, Promise<void>>();
  const lanes: Record<LaneName, Lane> = {
    judging: { most: limits.concurrentJudgements, waiting: new FairQueue<string>(), running: 0 },
    sending: { most: limits.concurrentSends, waiting: new FairQueue<string>(), running: 0 },
    // It only waits for what is being sent.
    closing: { most: limits.queuedMessages, waiting: new FairQueue<string>(), running: 0 },
    telling: { most: 1, waiting: new FairQueue<string>(), running: 0 },
  };
  let isStopped = false;

  const begin = ({ envelope }: Entry, lane: LaneName, timeMs: number) => {
    if (isStopped) return;
    alarms.at(timeMs, () => {
      lanes[lane].waiting.push(envelope.peer.address, envelope.id);
      advance(lane);
    });
  };
  const schedule = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    const lane = laneOf(entry.progress);
    if (lane !== null) begin(entry, lane, Date.parse(entry.progress.nextAttemptAt));
  };
  /** Handles a fault of the disk: the same step is repeated, or its result is noted again. */
  const retryLater = (entry: Entry, error: unknown) => {
    onFault(error, entry.envelope.id);
    const lane = laneOf(entry.progress);
    if (lane !== null) begin(entry, lane, now() + limits.firstRetrySeconds * 1000);
  };
  const advance = (name: LaneName) => {
    const lane = lanes[name];
    while (!isStopped && lane.running < lane.most) {
      const id = lane.waiting.take(() => true);
      if (id === undefined) return;
      const entry = entryOf(id);
      // There may be two alarms for one message, when a person wanted it at once.
      if (entry === undefined || laneOf(entry.progress) !== name || inProgress.has(id)) continue;
      if (Date.parse(entry.progress.nextAttemptAt) > now()) continue;
      lane.running += 1;
      const step = stepOf(entry)
        .then(
          () => () => schedule(entryOf(id)),
          (error: unknown) => () => retryLater(entry, error),
        )
        .then((goOn) => {
          lane.running -= 1;
          inProgress.delete(id);
          goOn();
          advance(name);
        });
      inProgress.set(id, step);
    }
  };

  return {
    schedule,
    async alone(id, work) {
      for (let current = inProgress.get(id); current !== undefined; current = inProgress.get(id)) await current;
      const result = work();
      const ended = () => {
        inProgress.delete(id);
        // An alarm in the meantime found the message in progress.
        schedule(entryOf(id));
      };
      inProgress.set(id, result.then(ended, ended));
      return result;
    },
    inProgress: (id) => inProgress.get(id) ?? null,
    isStopped: () => isStopped,
    async stop() {
      isStopped = true;
      while (inProgress.size > 0) await Promise.all(inProgress.values());
    },
  };
}
