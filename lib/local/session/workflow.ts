/**
 * Runs `scan-email.asl.json`, the same file that CDK deploys, in this process. The state machine has the order, the waits, the retries and
 * the failure edge. No part of the flow is written here again.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Run, StageName } from '../../pipeline/model.ts';
import { type Definition, execute, readDefinition, StateError } from './states-language.ts';

type LocalHandler = (run: Run) => Promise<Run>;
type LocalStages = Readonly<Record<Exclude<StageName, 'parse'>, LocalHandler>>;

export interface Workflow {
  /** Runs one execution to its end. Rejects on abort, or when a stage and then the failure edge failed for good. */
  run(run: Run, signal: AbortSignal): Promise<Run>;
}

export interface WorkflowOptions {
  readonly stages: LocalStages;
  /** For a person who waits: milliseconds between the attempts of a stage, and fewer attempts. @default the values of the definition */
  readonly retryIntervalMs?: number;
}

/** The only wait of the definition whose length comes from a stage. The others are pauses after a failure. */
const TOLD_WAIT = 'Wait';

/** Returns the state machine over local stages. */
export function createWorkflow({ stages, retryIntervalMs }: WorkflowOptions): Workflow {
  const definition = loadDefinition(retryIntervalMs !== undefined);
  const stageOf = new Map(Object.entries(stages).map(([name, stage]) => [stateOf(name as StageName), stage]));
  const sleepMs = (seconds: number, state: string) =>
    retryIntervalMs === undefined || state === TOLD_WAIT ? seconds * 1_000 : retryIntervalMs;
  return {
    async run(run, signal) {
      const { stop, end } = stopWith(signal, definition.TimeoutSeconds * 1_000);
      let current: Promise<Run> | null = null;
      const invoke = async (state: string, input: object, timeoutSeconds: number): Promise<object> => {
        stop.throwIfAborted();
        const stage = stageOf.get(state);
        if (stage === undefined) throw new TypeError(`there is no stage for the state ${state}`);
        current = stage(input as Run);
        return await inTime(current, timeoutSeconds, stop);
      };
      const sleep = (seconds: number, state: string) => pause(sleepMs(seconds, state), undefined, { signal: stop });
      try {
        return (await execute(definition, { ...run }, { invoke, sleep, jitter: Math.random })) as Run;
      } finally {
        end();
        // An aborted execution leaves its stage running. Wait for the end of the stage, so that its output is complete.
        await Promise.allSettled([current]);
      }
    },
  };
}

/**
 * Makes a signal that stops with another one, or after a time. Signals that Node combines cost more than a stage when the collector frees
 * them.
 */
function stopWith(signal: AbortSignal, timeoutMs: number): { readonly stop: AbortSignal; readonly end: () => void } {
  const control = new AbortController();
  const stopped = () => control.abort(signal.reason);
  if (signal.aborted) stopped();
  signal.addEventListener('abort', stopped, { once: true });
  const late = () => control.abort(new DOMException('The run took longer than its time.', 'TimeoutError'));
  const timer = setTimeout(late, timeoutMs).unref();
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stopped);
  };
  return { stop: control.signal, end };
}

/**
 * Returns the result of a task. Throws StateError when it fails or takes too long, like Step Functions, and the reason of `stop` when that
 * comes.
 */
async function inTime(task: Promise<Run>, timeoutSeconds: number, stop: AbortSignal): Promise<object> {
  let end: () => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    const late = () => reject(new StateError('States.Timeout', `it took longer than ${timeoutSeconds} seconds`));
    const timer = setTimeout(late, timeoutSeconds * 1_000);
    const stopped = () => reject(stop.reason);
    stop.addEventListener('abort', stopped, { once: true });
    end = () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', stopped);
    };
  });
  try {
    return await Promise.race([task, over]);
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof StateError || !(error instanceof Error)) throw error;
    throw new StateError(error.name, error.message);
  } finally {
    end();
  }
}

/** A person waits for the result, so the retries of a stage are shorter than an outage on AWS may last. */
const MAX_RETRIES = 8;

/** A fault that only a person can mend. On a laptop, that person waits for the answer. */
const MENDED_BY_HAND = 'ConfigError';

/** Returns the definition, with few retries when somebody waits. */
function loadDefinition(isHurried: boolean): Definition {
  const json = readFileSync(new URL('../../pipeline/scan-email.asl.json', import.meta.url), 'utf8');
  const fewer = (key: string, value: unknown) => {
    if (key === 'ErrorEquals') return (value as string[]).filter((error) => error !== MENDED_BY_HAND);
    return key === 'MaxAttempts' ? Math.min(Number(value), MAX_RETRIES) : value;
  };
  return readDefinition(JSON.parse(json, isHurried ? fewer : undefined));
}

/** Returns the state of a stage: `submit` is state `Submit`. */
export function stateOf(stage: StageName): string {
  return `${stage[0]?.toUpperCase()}${stage.slice(1)}`;
}
