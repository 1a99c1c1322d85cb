/**
 * Functions as Lambda runs them: each invocation is a process that can be killed at any call, and that has a clock of its own. A call of a
 * port is done at one moment and answered at a later one; what a killed process had sent may still be done.
 */
import { TransientError } from '../../lib/pipeline/errors.ts';
import { CALL_FAULTS, type CallFault, type Faults } from './faults.ts';
import { named, roll, rollOn } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** How an invocation ended, as its caller sees it. */
export type End<T> =
  | { readonly isDone: true; readonly value: T }
  | { readonly isDone: false; readonly error: string; readonly cause: string };

export interface Invocation {
  readonly name: string;
  readonly runLabel: string;
  /** Milliseconds by which its clock is wrong. */
  readonly skewMs: number;
  /** Does one call of a port. The answer never comes when the process is killed before. */
  call<T>(name: string, what: CallOptions, effect: () => T): Promise<T>;
  sleep(ms: number): Promise<void>;
}

export interface CallOptions {
  /** The faults that this call can have. */
  readonly faults?: readonly CallFault[];
  /** Throws when whatever is called is away. */
  readonly isAway: () => Error | null;
  /** Changes what is about to be read. */
  readonly spoil?: () => void;
}

/** A call that can have every fault but a changed object. */
export const USUAL_FAULTS = CALL_FAULTS.filter((fault) => fault !== 'object changed');

export interface Functions {
  /** Invokes a function. `ended` is called once, unless the invocation is still running at the end of time. */
  invoke<T>(
    name: string,
    runLabel: string,
    timeoutSeconds: number,
    work: (invocation: Invocation) => Promise<T>,
    ended: (end: End<T>) => void,
  ): void;
  /** How many invocations were killed or timed out, by run. */
  readonly killed: ReadonlyMap<string, number>;
}

/** Most calls take milliseconds. A slow one takes up to the time after which the client gives it up. */
const USUAL_MS = 40;
const SLOWEST_MS = 110_000;
const START_MS = { least: 200, more: 300 } as const;
/** Clocks of functions differ by less than this. Milliseconds. */
export const MAX_SKEW_MS = 4 * 60_000;

/** Functions over a scheduler and the faults of a seed. */
export function createFunctions(seed: number, scheduler: Scheduler, faults: Faults): Functions {
  const killed = new Map<string, number>();
  return {
    killed,
    invoke(name, runLabel, timeoutSeconds, work, ended) {
      const skew = faults.of(`${name} clock`, ['clock wrong']);
      const skewMs = skew === null ? 0 : (2 * roll(seed, `${name} skew`) - 1) * MAX_SKEW_MS;
      let isOver = false;
      let overAtMs = Number.POSITIVE_INFINITY;
      const end = (how: Parameters<typeof ended>[0]) => {
        if (isOver) return;
        isOver = true;
        overAtMs = scheduler.nowMs();
        ended(how);
      };
      const kill = (error: string) => {
        if (!isOver) killed.set(runLabel, (killed.get(runLabel) ?? 0) + 1);
        end({ isDone: false, error, cause: JSON.stringify({ errorType: error, errorMessage: `${name} was killed` }) });
      };
      const counts = new Map<string, number>();
      const invocation: Invocation = {
        name,
        runLabel,
        skewMs,
        sleep: (ms) =>
          new Promise((resolve) =>
            scheduler.after(ms, () => {
              if (isOver) return;
              scheduler.wake();
              resolve();
            }),
          ),
        call: (what, options, effect) => {
          const nth = (counts.get(what) ?? 0) + 1;
          counts.set(what, nth);
          const id = nth === 1 ? `${name} ${what}` : `${name} ${what} #${nth}`;
          return callOf(
            { seed, scheduler, faults, id, options, kill, isOver: () => isOver, overAtMs: () => overAtMs },
            effect,
          );
        },
      };
      scheduler.after(START_MS.least + roll(seed, `${name} starts`) * START_MS.more, () => {
        scheduler.wake();
        work(invocation).then(
          (value) => {
            end({ isDone: true, value });
          },
          (error: Error) => {
            const cause = JSON.stringify({ errorType: error.name, errorMessage: error.message });
            end({ isDone: false, error: error.name, cause });
          },
        );
        scheduler.after(timeoutSeconds * 1_000, () => {
          if (isOver) return;
          scheduler.wake();
          kill('Sandbox.Timedout');
        });
      });
    },
  };
}

interface Call {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly id: string;
  readonly options: CallOptions;
  readonly kill: (error: string) => void;
  readonly isOver: () => boolean;
  /** When its process ended, in milliseconds. */
  readonly overAtMs: () => number;
}

/** What a process sent before it was killed may still arrive for this long. Milliseconds. */
const ARRIVES_MS = 200;

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** One call: it travels, is done, and its answer travels back. */
function callOf<T>(call: Call, effect: () => T): Promise<T> {
  const { seed, scheduler, faults, id, options, isOver } = call;
  return new Promise((resolve, reject) => {
    // A process that was killed does nothing more.
    if (isOver()) return;
    const fault = faults.of(id, options.faults ?? USUAL_FAULTS);
    const start = named(seed, id);
    const travelMs = rollOn(start, ' travels') * USUAL_MS;
    const slowMs = fault === 'slow' ? rollOn(start, ' slow') ** 2 * SLOWEST_MS : 0;
    const isSlowBefore = slowMs > 0 && rollOn(start, ' slow where') < 0.5;
    const answerMs = rollOn(start, ' answer') < 0.3 ? travelMs / 2 : 0;
    const answer = (outcome: Outcome<T>) => {
      if (isOver()) return;
      scheduler.wake();
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.value);
    };
    const answerAfter = (ms: number, outcome: Outcome<T>) => {
      if (ms === 0) answer(outcome);
      else scheduler.after(ms, () => answer(outcome));
    };
    scheduler.after(travelMs + (isSlowBefore ? slowMs : 0), () => {
      if (isGone(call)) return;
      const outcome = arrive(call, fault, effect);
      if (outcome === null) return;
      // The client of the store heard no answer, and sends the request again.
      if (fault === 'done twice') scheduler.after(50 + travelMs, () => answer(done(effect)));
      else answerAfter(isSlowBefore || slowMs === 0 ? answerMs : slowMs, outcome);
    });
  });
}

/** What a killed process had sent is done, or it is not. */
function isGone({ seed, scheduler, id, isOver, overAtMs }: Call): boolean {
  const isLate = scheduler.nowMs() - overAtMs() > ARRIVES_MS;
  return isOver() && (isLate || roll(seed, `${id} arrives`) < 0.5);
}

/** Does the call, with its fault. Null when the process was killed over it. */
function arrive<T>(
  { scheduler, id, options, kill }: Call,
  fault: CallFault | null,
  effect: () => T,
): Outcome<T> | null {
  const killed = () => {
    scheduler.wake();
    kill('Runtime.ExitError');
    return null;
  };
  if (fault === 'killed before it') return killed();
  if (fault === 'refused') return { error: new TransientError(`${id} failed for now`) };
  const away = options.isAway();
  if (away !== null) return { error: away };
  if (fault === 'object changed') options.spoil?.();
  const outcome = done(effect);
  if (fault === 'killed after it') return killed();
  return fault === 'answer lost' ? { error: new TransientError(`${id} got no answer`) } : outcome;
}

function done<T>(effect: () => T): Outcome<T> {
  try {
    return { value: effect() };
  } catch (error) {
    return { error };
  }
}
