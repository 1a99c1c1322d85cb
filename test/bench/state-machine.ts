/** Runs `scan-email.asl.json` in the interpreter and counts the states it enters, without waiting for real. */
import '../simulation/with-resolvers.ts';
import { readFileSync } from 'node:fs';
import { StateMachine } from 'aws-local-stepfunctions';
import { stateOf } from '../../lib/local/workflow.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import type { STAGES } from '../../lib/pipeline/stages.ts';

type Definition = ConstructorParameters<typeof StateMachine>[0];
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
  const json = readFileSync(DEFINITION, 'utf8').replace(/\$\{(\w+)Arn\}/g, localArn('$1'));
  const machine = new StateMachine(JSON.parse(json) as Definition, { validationOptions: { noValidate: true } });
  const taskResourceLocalHandlers = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      stateOf(name as StateStage),
      async (input: unknown) => ({ ...(await handle(input as Run)) }),
    ]),
  );
  const execution = machine.run(
    { ...run },
    { overrides: { taskResourceLocalHandlers, waitTimeOverrides: { Wait: 0 } } },
  );
  const entered: string[] = [];
  const reading = (async () => {
    for await (const event of execution.eventLogs) {
      if (event.type === 'StateRetried') throw new Error(`state ${event.state.name} was retried`);
      if (event.type === 'StateEntered') entered.push(event.state.name);
    }
  })();
  const end = (await execution.result) as unknown as Run;
  await reading;
  return { entered, end };
}

function localArn(name: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
}

/**
 * What is billed for an execution: every state that is entered. AWS's own words are that a transition is counted each time a
 * step is executed; the start is counted as one more, so that the cost is never told too low.
 */
export function transitionsOf(execution: Execution): number {
  return execution.entered.length + 1;
}
