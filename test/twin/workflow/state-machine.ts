/** Step Functions: StartExecution, executions by name, the events about how they end, and Express executions that others wait for. */
import type { Resource } from '../assembly/assembly.ts';
import { unknown } from '../assembly/refuse.ts';
import type { ToldClock } from '../clock.ts';
import type { InvocationResult } from '../lambdas/function-process.ts';
import type { Functions } from '../lambdas/functions.ts';
import type { Gate } from '../policies/gate.ts';
import { AwsError, type Service } from '../servers/call.ts';
import type { EventBus } from '../servers/event-bus.ts';
import { jsonService } from '../servers/json-service.ts';
import { type Definition, definitionOf } from './definition.ts';
import { runStates, StateError } from './execution.ts';
import { ProcessorWaits } from './processor-waits.ts';

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

export interface Execution {
  readonly name: string;
  readonly arn: string;
  readonly input: string;
  status: ExecutionStatus;
  /** States that were entered. */
  readonly states: string[];
  /** Aborts it. */
  readonly controller: AbortController;
}

export interface StateMachineOptions {
  readonly clock: ToldClock;
  readonly gate: Gate;
  readonly bus: EventBus;
  readonly functions: Functions;
  readonly resource: Resource;
  /** Machines that tasks of this one can run and wait for. @default none */
  readonly express?: readonly StateMachine[];
}

/** What can happen to an Express execution: it is not started, it breaks while the function of this state works, or its caller hears no more of it then. */
export type ExpressFault =
  | { readonly do: 'refuse' }
  | { readonly do: 'break'; readonly at: string }
  | { readonly do: 'lose'; readonly at: string };

/** No Express execution lasts longer. */
const MAX_EXPRESS_SECONDS = 300;
const START_SYNC = 'arn:aws:states:::aws-sdk:sfn:startSyncExecution';

/** What Step Functions does with the role of a machine that logs and is traced. */
const OWN_ACTIONS = [
  'logs:CreateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:DescribeLogGroups',
  'logs:DescribeResourcePolicies',
  'logs:GetLogDelivery',
  'logs:ListLogDeliveries',
  'logs:PutResourcePolicy',
  'logs:UpdateLogDelivery',
  'xray:GetSamplingRules',
  'xray:GetSamplingTargets',
  'xray:PutTelemetryRecords',
  'xray:PutTraceSegments',
];

export class StateMachine {
  readonly arn: string;
  /** By name. */
  readonly executions = new Map<string, Execution>();
  /** Called at each state that an execution enters. */
  onState: (execution: Execution, state: string) => void = () => {};
  /** What happens to an Express execution that a task of this machine runs. */
  spoil: (name: string) => ExpressFault | null = () => null;
  private readonly options: StateMachineOptions;
  private readonly definition: Definition;
  private readonly roleArn: string;

  constructor(options: StateMachineOptions) {
    const { arn, properties } = options.resource;
    this.options = options;
    this.arn = arn;
    this.roleArn = String(properties.RoleArn);
    const substitutions = (properties.DefinitionSubstitutions ?? {}) as Record<string, string>;
    this.definition = definitionOf(String(properties.DefinitionString), substitutions);
    if (!options.gate.mayAssume('states.amazonaws.com', this.roleArn))
      throw new Error('Step Functions may not take its role');
    const caller = { roleArn: this.roleArn, service: null };
    options.gate.allows(
      caller,
      OWN_ACTIONS.map((action) => ({ action, resource: '*' })),
    );
  }

  /** Starts an execution. The same name with the same input again starts nothing while it runs, and is an error afterwards. */
  start(name: string, input: string): Execution {
    const known = this.executions.get(name);
    if (known?.status === 'RUNNING' && known.input === input) return known;
    if (known) throw new AwsError('ExecutionAlreadyExists', 400, `execution ${name} exists`);
    const arn = `${this.arn.replace(':stateMachine:', ':execution:')}:${name}`;
    const execution: Execution = { name, arn, input, status: 'RUNNING', states: [], controller: new AbortController() };
    this.executions.set(name, execution);
    this.tell(execution, null);
    void this.run(execution);
    return execution;
  }

  /** Ends an execution as a person does in the console. */
  abort(name: string): void {
    const execution = this.executions.get(name);
    if (execution?.status !== 'RUNNING') return;
    execution.status = 'ABORTED';
    execution.controller.abort();
  }

  /**
   * Runs an Express execution and says how it ended, as StartSyncExecution does. Its function goes on when it breaks or runs out of time. `lost`
   * is called when its caller hears no more of it.
   */
  async runSync(name: string, input: string, fault: ExpressFault | null, lost: () => void): Promise<object> {
    const { clock } = this.options;
    const arn = `${this.arn.replace(':stateMachine:', ':express:')}:${name}`;
    const execution: Execution = { name, arn, input, status: 'RUNNING', states: [], controller: new AbortController() };
    const { signal } = execution.controller;
    const over = (status: ExecutionStatus) => {
      if (execution.status !== 'RUNNING') return;
      execution.status = status;
      execution.controller.abort();
    };
    const [waits, timer] = [new ProcessorWaits(clock), new AbortController()];
    void clock.work(async () => {
      await waits.sleep(this.definition.TimeoutSeconds ?? MAX_EXPRESS_SECONDS, timer.signal);
      over('TIMED_OUT');
    });
    const onWork = () => {
      if (fault === null || fault.do === 'refuse' || fault.at !== execution.states.at(-1)) return;
      if (fault.do === 'break') over('FAILED');
      else lost();
    };
    const cut = new Promise<Ended>((resolve) => {
      signal.addEventListener('abort', () => resolve({ output: null, failure: null }), { once: true });
    });
    const { output, failure } = await Promise.race([clock.work(() => this.ended(execution, { waits, onWork })), cut]);
    timer.abort();
    if (execution.status === 'SUCCEEDED') return { Status: 'SUCCEEDED', Output: JSON.stringify(output) };
    return { Status: execution.status, Error: failure?.error ?? 'States.Timeout', Cause: failure?.message ?? '' };
  }

  private async run(execution: Execution): Promise<void> {
    const { clock } = this.options;
    const timer = new AbortController();
    void clock.work(async () => {
      await clock.sleep((this.definition.TimeoutSeconds ?? Number.MAX_SAFE_INTEGER) * 1000, timer.signal);
      if (timer.signal.aborted || execution.status !== 'RUNNING') return;
      execution.status = 'TIMED_OUT';
      execution.controller.abort();
    });
    const { failure } = await clock.work(() => this.ended(execution));
    timer.abort();
    this.tell(execution, failure);
  }

  private async ended(execution: Execution, watched?: Watched): Promise<Ended> {
    const context = {
      name: execution.name,
      clock: this.options.clock,
      definition: this.definition,
      signal: execution.controller.signal,
      invoke: async (resource: string, input: unknown, begun: () => void) => {
        const waited = watched?.waits.begin();
        const onBegin = () => {
          waited?.();
          watched?.onWork();
          begun();
        };
        return this.invoke(resource, input, onBegin, execution.controller.signal).finally(waited);
      },
      onState: (state: string) => {
        execution.states.push(state);
        this.onState(execution, state);
      },
    };
    try {
      const output = await runStates(context, JSON.parse(execution.input));
      if (execution.status === 'RUNNING') execution.status = 'SUCCEEDED';
      return { output, failure: null };
    } catch (error) {
      if (execution.status === 'RUNNING') execution.status = 'FAILED';
      const failure = error instanceof StateError ? error : new StateError('States.Runtime', String(error));
      return { output: null, failure };
    }
  }

  private async invoke(
    resource: string,
    input: unknown,
    begun: () => void,
    signal: AbortSignal,
  ): Promise<InvocationResult> {
    if (resource === START_SYNC) return this.startSync(input as Readonly<Record<string, string>>, signal);
    const need = { action: 'lambda:InvokeFunction', resource };
    const isAllowed = this.options.gate.allows({ roleArn: this.roleArn, service: null }, [need]);
    if (!isAllowed) return { error: { errorType: 'Lambda.AWSLambdaException', errorMessage: 'not authorized' } };
    return this.options.functions.invoke(resource, input, begun);
  }

  /**
   * The task begins for nobody, so its own limit does not run: the Express execution has one that is shorter. That one goes on when the execution
   * that waits for it is ended.
   */
  private async startSync(
    { StateMachineArn = '', Name = '', Input = '' }: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<InvocationResult> {
    const machine = this.options.express?.find(({ arn }) => arn === StateMachineArn);
    if (machine === undefined) unknown('state machine', StateMachineArn);
    const need = { action: 'states:StartSyncExecution', resource: machine.arn };
    const isAllowed = this.options.gate.allows({ roleArn: this.roleArn, service: null }, [need]);
    if (!isAllowed) return failedWith('Sfn.SfnException', 'not authorized');
    const fault = this.spoil(Name);
    if (fault?.do === 'refuse') return failedWith('Sfn.ThrottlingException', 'Rate exceeded');
    let lose = () => {};
    const lost = new Promise<InvocationResult>((resolve) => {
      lose = () => resolve(failedWith('Sfn.SdkClientException', 'the connection broke'));
    });
    signal.addEventListener('abort', lose, { once: true });
    const ended = machine.runSync(Name, Input, fault, lose).then((result) => ({ result }));
    return this.options.clock.awaitOthers(Promise.race([ended, lost]));
  }

  private tell({ arn, name, status, input }: Execution, failure: StateError | null): void {
    const { clock, bus } = this.options;
    const detail = {
      executionArn: arn,
      stateMachineArn: this.arn,
      name,
      status,
      stopDate: status === 'RUNNING' ? null : clock.now(),
      input,
      error: status === 'FAILED' ? (failure?.error ?? null) : null,
      cause: status === 'FAILED' ? (failure?.message ?? null) : null,
    };
    const event = {
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      resources: [arn],
      detail,
    };
    bus.put(event);
  }
}

/** What is watched of an execution for which another one waits. */
interface Watched {
  readonly waits: ProcessorWaits;
  /** Called when a function begins to work for it. */
  readonly onWork: () => void;
}

interface Ended {
  readonly output: unknown;
  readonly failure: StateError | null;
}

const failedWith = (errorType: string, errorMessage: string): InvocationResult => ({
  error: { errorType, errorMessage },
});

/** The service over these machines. */
export function statesService(machines: readonly StateMachine[], clock: ToldClock): Service {
  const machineOf = (arn: unknown): StateMachine => {
    const found = machines.find((one) => one.arn === arn);
    if (!found) throw new AwsError('StateMachineDoesNotExist', 400, `no state machine ${arn}`);
    return found;
  };
  return jsonService('AWSStepFunctions', {
    StartExecution: {
      fields: ['input', 'name', 'stateMachineArn'],
      needs: ({ stateMachineArn }) => [{ action: 'states:StartExecution', resource: machineOf(stateMachineArn).arn }],
      run({ stateMachineArn, name, input }) {
        const { arn } = machineOf(stateMachineArn).start(String(name), String(input));
        return { executionArn: arn, startDate: clock.now() / 1000 };
      },
    },
  });
}
