/** Runs the two deployed state machines in the interpreter of the twin and counts the states they enter, without waiting for real. */
import { stateOf } from '../../lib/local/session/workflow.ts';
import { EXPRESS_STATE, expressMachine, standardMachine } from '../../lib/pipeline/deployed-machines.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import type { STAGES } from '../../lib/pipeline/stages.ts';
import { type Definition, definitionOf } from '../twin/workflow/definition.ts';
import { StateError } from '../twin/workflow/execution.ts';
import { runInTwin } from '../twin/workflow/run-in-twin.ts';

export type StateStage = keyof typeof STAGES;
export type MachineName = 'standard' | 'express';
/** `machine` is the one that invokes the function of the stage. */
export type StageHandlers = Readonly<Record<StateStage, (run: Run, machine: MachineName) => Promise<Run>>>;

const read = (machine: object) => definitionOf(JSON.stringify(machine).replace(/\$\{\w+Arn\}/g, 'arn'), {});
const MACHINES: Readonly<Record<MachineName, Definition>> = {
  standard: read(standardMachine()),
  express: read(expressMachine()),
};

export interface Execution {
  /** Names of the states of each machine in the order they were entered. */
  readonly entered: Readonly<Record<MachineName, readonly string[]>>;
  /** Seconds of the waits of each machine. */
  readonly waits: Readonly<Record<MachineName, number>>;
}

export interface ExecuteOptions {
  /** Told of each wait, which passes at once. @default nobody is */
  readonly onWait?: (seconds: number) => void;
  /** No Express execution can be started, so the Standard machine does everything. @default they can */
  readonly isAlone?: boolean;
}

/**
 * Runs one execution of the Standard machine. Throws when it fails, and when a state was retried: a retry is a transition that this count would
 * not show.
 */
export async function execute(
  handlers: StageHandlers,
  run: Run,
  { onWait = () => {}, isAlone = false }: ExecuteOptions = {},
): Promise<Execution> {
  const entered: Record<MachineName, string[]> = { standard: [], express: [] };
  const waits: Record<MachineName, number> = { standard: 0, express: 0 };
  const handlerOf = new Map(Object.entries(handlers).map(([name, handle]) => [stateOf(name as StateStage), handle]));
  const runMachine = (machine: MachineName, input: object): Promise<unknown> => {
    let calls = 0;
    return runInTwin(MACHINES[machine], input, {
      onState: (state) => {
        entered[machine].push(state);
        calls = 0;
      },
      onWait: (seconds) => {
        waits[machine] += seconds;
        onWait(seconds);
      },
      invoke: async (state, data) => {
        calls += 1;
        if (calls > 1) throw new Error(`state ${state} was retried`);
        if (state === EXPRESS_STATE && isAlone) throw new StateError('Sfn.SfnException', 'there is none');
        if (state !== EXPRESS_STATE) return { ...(await handlerOf.get(state)?.(data as Run, machine)) };
        const { Input } = data as { readonly Input: string };
        return { Status: 'SUCCEEDED', Output: JSON.stringify(await runMachine('express', JSON.parse(Input))) };
      },
    });
  };
  await runMachine('standard', { ...run });
  return { entered, waits };
}

/**
 * What is billed for an execution: every state of the Standard machine that is entered. AWS's own words are that a transition is counted each
 * time a step is executed; the start is counted as one more, so that the cost is never told too low.
 */
export function transitionsOf({ entered }: Execution): number {
  return entered.standard.length + 1;
}

/** What would be billed for a run that an Express execution did the stages of, if the Standard machine had done them. */
export function transitionsAlone(execution: Execution): number {
  // The last state of the Express machine is a word, and the task that runs it has a choice behind it.
  return transitionsOf(execution) - NESTING + execution.entered.express.length - 1;
}

const NESTING = 2;

/** Events of an execution that a machine logs: how a task, and how any other state, is entered, done and left. */
const EVENTS = { task: 5, other: 2, ends: 2 } as const;

/** The events that the Standard machine writes to its log. The Express one logs errors only. */
export function loggedEvents({ entered }: Execution): number {
  const isTask = (state: string) => MACHINES.standard.States[state]?.Type === 'Task';
  const events = entered.standard.map((state) => (isTask(state) ? EVENTS.task : EVENTS.other));
  return events.reduce<number>((sum, each) => sum + each, EVENTS.ends);
}
