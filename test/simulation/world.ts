/** Runs one seed: some mails through the airlock in told time, with the faults of the seed, and every invariant after every step. */
import { createAirlock } from './airlock.ts';
import { letAnalystsCome } from './analyst.ts';
import { type Arrival, arrivalsOf, bring } from './arrivals.ts';
import type { World } from './context.ts';
import { createFaults, type Fault, type FaultKind } from './faults.ts';
import { createFunctions } from './functions.ts';
import { isIdle, listenToReadings } from './memo.ts';
import { createObserver, type Observer, type Violation } from './observer.ts';
import { letOperatorCome } from './operator.ts';
import { NO_REFERENCE, referenceFrom } from './reference.ts';
import { createRunIndex } from './run-index.ts';
import { createScheduler } from './scheduler.ts';
import { createService } from './service.ts';
import { dependsOnOthers, type Setting, settingOf } from './setting.ts';
import { createObjects, createRecords } from './stores.ts';
import type { Reference } from './view.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** Only these faults, and only these mails as `mail N`. @default all of the seed */
  readonly only?: ReadonlySet<string> | undefined;
  /** Kinds of faults that do not happen. @default every kind may */
  readonly without?: ReadonlySet<FaultKind>;
  /** Called with a line for every step that changes something. @default nobody listens */
  readonly trace?: (line: string) => void;
}

export interface Simulation {
  readonly seed: number;
  readonly mails: readonly string[];
  readonly steps: number;
  /** Told seconds from the first mail to the last event. */
  readonly seconds: number;
  readonly faults: readonly Fault[];
  readonly violation: Violation | null;
  readonly digest: number;
}

const START_MS = Date.UTC(2026, 10, 20, 12);
/** A simulation that takes more steps than this comes to no end. */
const MAX_STEPS = 300_000;
/** By setting and run. A message names its run, so that each run has its own. */
const references = new Map<string, Reference>();

/** Runs a seed to its end, or to the first violation. */
export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const arrivals = arrivalsOf(options.seed).filter(({ label }) => options.only?.has(label) ?? true);
  const setting = settingOf(options.seed);
  for (const arrival of arrivals) {
    const name = nameOf(setting, arrival);
    if (!references.has(name)) references.set(name, await referenceOf(arrival, setting));
  }
  const observer = createObserver(arrivals, (arrival) => references.get(nameOf(setting, arrival)) ?? NO_REFERENCE, {
    setting,
    startMs: START_MS,
    trace: options.trace,
  });
  return await run(options, arrivals, observer, setting);
}

/** What becomes of a mail that comes alone when nothing goes wrong. */
async function referenceOf(arrival: Arrival, setting: Setting): Promise<Reference> {
  const observer = createObserver([], () => NO_REFERENCE, { setting, startMs: START_MS, trace: undefined });
  await run({ seed: 0, only: new Set() }, [arrival], observer, setting);
  const { end, content } = dependsOnOthers(setting, arrival.kind);
  const alone = referenceFrom(observer.view, arrival.runId);
  return { ...alone, isExact: !content, ...(end && { state: 'quarantined' }) };
}

const nameOf = ({ name }: Setting, { runId }: Arrival) => `${name} ${runId}`;

async function run(
  { seed, only, without = new Set() }: SimulationOptions,
  arrivals: readonly Arrival[],
  observer: Observer,
  setting: Setting,
): Promise<Simulation> {
  let steps = 0;
  const scheduler = createScheduler(START_MS, isIdle);
  const secondsNow = () => (scheduler.nowMs() - START_MS) / 1_000;
  const faults = createFaults({ seed, secondsNow, only, without });
  const functions = createFunctions(seed, scheduler, faults);
  const objects = createObjects(observer.onWritten);
  const records = createRecords(() => scheduler.nowMs() / 1_000, observer.onGivenUp);
  const onSaid = setting.name === 'passwords' ? observer.onSaid : () => {};
  const index = createRunIndex((run) => onSaid('the index', run));
  const service = createService({ seed, faults, nowMs: scheduler.nowMs, ...observer });
  observer.watch({ scheduler, faults, functions, objects, records, index });
  listenToReadings(observer.onReading);
  const world: World = {
    scheduler,
    faults,
    objects,
    records,
    service,
    index,
    setting,
    onSaid,
    emit(event) {
      onSaid('an event', event);
      observer.onEvent(event);
      airlock.hear(event);
    },
    startExecution(runId, attempt, input) {
      onSaid('the input of an execution', input);
      airlock.executions.start(runId, attempt, input);
    },
  };
  const labelOf = (runId: string) => observer.mails.get(runId)?.label ?? 'mail';
  const airlock = createAirlock({
    seed,
    world,
    functions,
    labelOf,
    onExecutionEnd: observer.onExecutionEnd,
    onDoubled: observer.onDoubled,
  });
  const { intake } = airlock;
  for (const arrival of arrivals)
    bring(arrival, seed, { scheduler, faults, objects, intake, onReplaced: observer.onReplaced });
  letOperatorCome({ seed, world, functions, intake, labelOf, onLastRound: observer.onLastRound });
  letAnalystsCome({ seed, world, functions, airlock, labelOf, onAnswered: observer.onAnswered }, arrivals);
  // Thousands of faults are errors, and nobody reads where each was made.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    await scheduler.run(() => observer.violation() !== null || steps++ > MAX_STEPS);
    await observer.atEnd();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return {
    seed,
    mails: arrivals.map(({ label, kind }) => `${label}: ${kind}`),
    steps,
    seconds: Math.round(secondsNow()),
    faults: faults.happened,
    violation: observer.violation(),
    digest: observer.digest(),
  };
}
