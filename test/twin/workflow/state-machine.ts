/** Step Functions: StartExecution, executions by name, and the events about how they end. */
import type { Resource } from '../assembly/assembly.ts';
import type { ToldClock } from '../clock.ts';
import type { Functions } from '../lambdas/functions.ts';
import type { Gate } from '../policies/gate.ts';
import { AwsError, type Service } from '../servers/call.ts';
import type { EventBus } from '../servers/event-bus.ts';
import { jsonService } from '../servers/json-service.ts';
import { type Definition, definitionOf } from './definition.ts';
import { runStates, StateError } from './execution.ts';

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
}

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

  private async run(execution: Execution): Promise<void> {
    const { clock } = this.options;
    const { signal } = execution.controller;
    const timer = new AbortController();
    void clock.work(async () => {
      await clock.sleep((this.definition.TimeoutSeconds ?? Number.MAX_SAFE_INTEGER) * 1000, timer.signal);
      if (timer.signal.aborted || execution.status !== 'RUNNING') return;
      execution.status = 'TIMED_OUT';
      execution.controller.abort();
    });
    const failure = await clock.work(() => this.ended(execution, signal));
    timer.abort();
    this.tell(execution, failure);
  }

  private async ended(execution: Execution, signal: AbortSignal): Promise<StateError | null> {
    const context = {
      clock: this.options.clock,
      definition: this.definition,
      signal,
      invoke: (resource: string, input: unknown, begun: () => void) => this.invoke(resource, input, begun),
      onState: (state: string) => {
        execution.states.push(state);
        this.onState(execution, state);
      },
    };
    try {
      await runStates(context, JSON.parse(execution.input));
      if (execution.status === 'RUNNING') execution.status = 'SUCCEEDED';
      return null;
    } catch (error) {
      if (execution.status === 'RUNNING') execution.status = 'FAILED';
      return error instanceof StateError ? error : new StateError('States.Runtime', String(error));
    }
  }

  private async invoke(functionArn: string, input: unknown, begun: () => void) {
    const need = { action: 'lambda:InvokeFunction', resource: functionArn };
    const isAllowed = this.options.gate.allows({ roleArn: this.roleArn, service: null }, [need]);
    if (!isAllowed) return { error: { errorType: 'Lambda.AWSLambdaException', errorMessage: 'not authorized' } };
    return this.options.functions.invoke(functionArn, input, begun);
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
