/** Runs `scan-email.asl.json` in the interpreter of the twin and counts the states it enters, without waiting for real. */
import { readFileSync } from 'node:fs';
import { stateOf } from '../../lib/local/workflow.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import type { STAGES } from '../../lib/pipeline/stages.ts';
import { definitionOf } from '../twin/workflow/definition.ts';
import { runInTwin } from '../twin/workflow/run-in-twin.ts';

export type StateStage = keyof typeof STAGES;
export type StageHandlers = Readonly<Record<StateStage, (run: Run) => Promise<Run>>>;

const DEFINITION = new URL('../../lib/pipeline/scan-email.asl.json', import.meta.url);

export interface Execution {
  /** Names of the states in the order they were entered. */
  readonly entered: readonly string[];
  readonly end: Run;
}

/**
 * Runs one execution; Wait states pass at once. Throws when the execution fails, and when a state was retried: a retry is
 * a transition that this count would not show.
 */
export async function execute(handlers: StageHandlers, run: Run): Promise<Execution> {
  const definition = definitionOf(readFileSync(DEFINITION, 'utf8').replace(/\$\{\w+Arn\}/g, 'arn'), {});
  const handlerOf = new Map(Object.entries(handlers).map(([name, handle]) => [stateOf(name as StateStage), handle]));
  const entered: string[] = [];
  const calls = new Map<string, number>();
  const end = await runInTwin(
    definition,
    { ...run },
    {
      onState: (state) => {
        entered.push(state);
        calls.set(state, 0);
      },
      invoke: async (state, input) => {
        const call = (calls.get(state) ?? 0) + 1;
        calls.set(state, call);
        if (call > 1) throw new Error(`state ${state} was retried`);
        return { ...(await handlerOf.get(state)?.(input as Run)) };
      },
    },
  );
  return { entered, end: end as Run };
}

/**
 * What is billed for an execution: every state that is entered. AWS's own words are that a transition is counted each time a
 * step is executed; the start is counted as one more, so that the cost is never told too low.
 */
export function transitionsOf(execution: Execution): number {
  return execution.entered.length + 1;
}
