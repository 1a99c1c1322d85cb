/**
 * The files that were dropped at this desk, and their progress: the stages report here as they begin and end. One is analysed at a time.
 */
import { DEFAULT_LIMITS } from '../pipeline/limits.ts';
import type { StageName } from '../pipeline/model.ts';

/** Every limit of dropping, with the attack it stops. */
export const DROP_LIMITS = {
  /** A file that fills memory while it is taken in. A larger mail would be held unread. */
  fileBytes: DEFAULT_LIMITS.emailBytes,
  /** A form with megabytes around its file. */
  formBytes: DEFAULT_LIMITS.emailBytes + 64 * 1024,
  /** A name of megabytes, which every page would show. Characters; the end is kept, because it has the extension. */
  nameLength: 255,
  /** A form that never ends blocks everybody else. Milliseconds for a whole request on this machine. */
  requestMs: 60_000,
  /** A page that opens streams without end: each has a connection and a timer. Streams at the same time. */
  watchers: 200,
  /** A desk that is used for months. Dropped files whose stages are remembered; the mail itself stays in the lists. */
  remembered: 50,
  /** A connection that died unnoticed keeps its place. Milliseconds between signs of life of a stream. */
  heartbeatMs: 15_000,
} as const;

/** How often and how long a stage worked. Milliseconds since the epoch. */
export interface Step {
  readonly times: number;
  readonly begunAt: number;
  /** Null while it works, and when it failed. */
  readonly doneAt: number | null;
  readonly tookMs: number;
}

/** One dropped file. */
export interface Dropped {
  readonly runId: string;
  readonly untrustedName: string;
  readonly size: number;
  readonly steps: ReadonlyMap<StageName, Step>;
  /** Null while it is running; `failed` is why its run did not end, else null. */
  readonly end: { readonly failed: string | null } | null;
  /** Counts its changes. */
  readonly version: number;
  /** Resolves at the next change. */
  readonly changed: Promise<void>;
}

/** A file that was taken in, and the run that was not begun yet. */
export interface TakenIn {
  readonly runId: string;
  /** Runs it to its end. Resolves with the reason when there is none, else with null. */
  readonly run: () => Promise<string | null>;
}

/** The right to drop one file. Exactly one of its functions is called. */
export interface Place {
  /** Begins the run, and returns at once. */
  begin(untrustedName: string, size: number, taken: TakenIn): Dropped;
  /** Frees the place: nothing was taken in. */
  leave(): void;
}

export interface Drops {
  /** Returns the right to drop a file, or null while another file is taken in or analysed. */
  enter(): Place | null;
  of(runId: string): Dropped | null;
  /** Returns the files, the newest first. */
  list(): readonly Dropped[];
  /** The state machine reports the running run here. */
  readonly begun: (stage: StageName) => void;
  readonly done: (stage: StageName) => void;
}

type Changing = { -readonly [Key in keyof Dropped]: Dropped[Key] } & { steps: Map<StageName, Step> };

/** Makes the memory of one desk. `now` is in milliseconds since the epoch. */
export function createDrops(now: () => number): Drops {
  const known = new Map<string, Changing>();
  let isTaken = false;
  let current: Changing | null = null;
  const step = (stage: StageName, change: (before: Step | undefined) => Step) => {
    if (current === null) return;
    current.steps.set(stage, change(current.steps.get(stage)));
    changeOf(current);
  };
  return {
    enter: () => {
      if (isTaken) return null;
      isTaken = true;
      return {
        leave: () => {
          isTaken = false;
        },
        begin: (untrustedName, size, { runId, run }) => {
          const dropped = newDropped(runId, untrustedName, size);
          known.delete(runId);
          known.set(runId, dropped);
          for (const old of [...known.keys()].slice(0, -DROP_LIMITS.remembered)) known.delete(old);
          current = dropped;
          void endOf(run).then((failed) => {
            [isTaken, current] = [false, null];
            dropped.end = { failed };
            changeOf(dropped);
          });
          return dropped;
        },
      };
    },
    of: (runId) => known.get(runId) ?? null,
    list: () => [...known.values()].reverse(),
    begun: (stage) =>
      step(stage, (before) => ({
        times: (before?.times ?? 0) + 1,
        begunAt: before?.begunAt ?? now(),
        doneAt: null,
        tookMs: before?.tookMs ?? 0,
      })),
    done: (stage) =>
      step(stage, (before) => {
        const begunAt = before?.begunAt ?? now();
        return { times: before?.times ?? 1, begunAt, doneAt: now(), tookMs: now() - begunAt };
      }),
  };
}

async function endOf(run: TakenIn['run']): Promise<string | null> {
  try {
    return await run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function newDropped(runId: string, untrustedName: string, size: number): Changing {
  const { changed } = waiting();
  return { runId, untrustedName, size, steps: new Map(), end: null, version: 0, changed };
}

const WAKERS = new WeakMap<Promise<void>, () => void>();

function waiting(): { changed: Promise<void> } {
  let wake: () => void = () => {};
  const changed = new Promise<void>((resolve) => {
    wake = resolve;
  });
  WAKERS.set(changed, wake);
  return { changed };
}

/** Wakes all readers that wait for a change. */
function changeOf(dropped: Changing): void {
  const before = dropped.changed;
  dropped.version += 1;
  dropped.changed = waiting().changed;
  WAKERS.get(before)?.();
}
