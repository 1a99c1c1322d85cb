/**
 * Runs `scan-email.asl.json`, the same file that CDK deploys, in this process. The state machine has the order, the waits,
 * the retries and the failure edge. Nothing of the flow is written here a second time.
 */
import './with-resolvers.ts';
import { readFileSync } from 'node:fs';
import { StateMachine } from 'aws-local-stepfunctions';
import type { Run, StageName } from '../pipeline/model.ts';

type Definition = ConstructorParameters<typeof StateMachine>[0];
type LocalHandler = (run: Run) => Promise<Run>;

export interface Workflow {
  /** Runs one execution to its end. Rejects on abort, or when a stage and then the failure edge failed for good. */
  run(run: Run, signal: AbortSignal): Promise<Run>;
}

export interface WorkflowOptions {
  readonly stages: Readonly<Record<Exclude<StageName, 'parse'>, LocalHandler>>;
  /** For a person who waits: milliseconds between the attempts of a stage, and fewer attempts. @default what the definition says */
  readonly retryIntervalMs?: number;
}

/** The state machine over local stages. */
export function createWorkflow(options: WorkflowOptions): Workflow {
  const definition = loadDefinition(options.retryIntervalMs !== undefined);
  // A test validates the definition; doing it at every start would cost each scan a quarter of a second.
  const machine = new StateMachine(definition, { validationOptions: { noValidate: true } });
  const names = Object.keys(options.stages) as (keyof typeof options.stages)[];
  const interval = options.retryIntervalMs;
  const retryIntervalOverrides =
    interval === undefined ? {} : Object.fromEntries(names.map((name) => [stateOf(name), interval]));
  return {
    async run(run, signal) {
      // Step Functions waits whole seconds, but the loopback service answers in hundredths. So each wait is set when it is known.
      const waitTimeOverrides = { Wait: 0, ...(interval !== undefined && { WaitForService: interval }) };
      let current: Promise<Run> | null = null;
      const handler = (name: keyof typeof options.stages) => async (input: unknown) => {
        signal.throwIfAborted();
        current = options.stages[name](input as Run);
        const next = await current;
        waitTimeOverrides.Wait = next.waitSeconds * 1000;
        return { ...next };
      };
      const taskResourceLocalHandlers = Object.fromEntries(names.map((name) => [stateOf(name), handler(name)]));
      const overrides = { taskResourceLocalHandlers, waitTimeOverrides, retryIntervalOverrides };
      const execution = machine.run({ ...run }, { overrides });
      const abort = () => execution.abort();
      signal.addEventListener('abort', abort, { once: true });
      try {
        return (await execution.result) as unknown as Run;
      } finally {
        signal.removeEventListener('abort', abort);
        // An aborted execution leaves its stage running. Wait for the stage to end, so that what it wrote is complete.
        await Promise.allSettled([current]);
      }
    },
  };
}

/** A person waits for the result, so a stage is not tried again for as long as an outage on AWS may last. */
const MOST_RETRIES = 8;

/** What only a person mends. On a laptop, that person waits for the answer. */
const MENDED_BY_HAND = 'ConfigError';

/** The definition, with few retries where somebody waits, and invented ARNs for the Lambdas: locally every task is a function. */
function loadDefinition(isHurried: boolean): Definition {
  const json = readFileSync(new URL('../pipeline/scan-email.asl.json', import.meta.url), 'utf8');
  const named = json.replace(/\$\{(\w+)Arn\}/g, 'arn:aws:lambda:us-east-1:000000000000:function:$1');
  const fewer = (key: string, value: unknown) => {
    if (key === 'ErrorEquals') return (value as string[]).filter((error) => error !== MENDED_BY_HAND);
    return key === 'MaxAttempts' ? Math.min(Number(value), MOST_RETRIES) : value;
  };
  return JSON.parse(named, isHurried ? fewer : undefined) as Definition;
}

/** Stage `submit` is state `Submit`. */
export function stateOf(stage: StageName): string {
  return `${stage[0]?.toUpperCase()}${stage.slice(1)}`;
}
