import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { EXPRESS_STATE, expressMachine, standardMachine } from '../../pipeline/deployed-machines.ts';
import type { StageName, Writer } from '../../pipeline/model.ts';
import definition from '../../pipeline/scan-email.asl.json' with { type: 'json' };
import { acknowledge } from '../acknowledge.ts';

/** The stages that are states. `parse` is not a state, because it starts the execution. */
export type StateStage = Exclude<StageName, 'parse'>;

export interface WorkflowProps {
  readonly functions: Readonly<Record<StateStage, lambda.IFunction>>;
  /** The time from the creation of the run to the last stage. After it the execution is ended, and a rule starts quarantine. */
  readonly timeout: Duration;
  readonly logRetention: logs.RetentionDays;
}

/**
 * Returns the name of a stage in the state machine. It is also the prefix of the resources of a writer of entries.
 *
 * @example
 * ```ts
 * stateOf('rebuild'); // => 'Rebuild'
 * ```
 */
export function stateOf(writer: Writer): string {
  return writer.charAt(0).toUpperCase() + writer.slice(1);
}

/**
 * Returns how long the state machine lets a stage run, in seconds. Its Lambda has the same limit.
 *
 * @example
 * ```ts
 * stateTimeoutSeconds('decide'); // => 60
 * ```
 */
export function stateTimeoutSeconds(stage: StateStage): number {
  const state = Object.entries(definition.States).find(([name]) => name === stateOf(stage))?.[1];
  if (state === undefined || !('TimeoutSeconds' in state))
    throw new TypeError(`state ${stateOf(stage)} has no timeout`);
  return state.TimeoutSeconds;
}

/**
 * The two state machines of scan-email.asl.json, which the local runner interprets, too. The Standard machine has an execution for each
 * attempt of a run. It first runs the Express machine. Only the Standard machine may invoke the functions that end a run.
 *
 * @example
 * ```ts
 * import { Duration, Stack } from 'aws-cdk-lib';
 * import { RetentionDays } from 'aws-cdk-lib/aws-logs';
 *
 * function workflowOf(stack: Stack, functions: WorkflowProps['functions']): Workflow {
 *   const props = { functions, timeout: Duration.hours(1), logRetention: RetentionDays.THREE_MONTHS };
 *   return new Workflow(stack, 'Workflow', props);
 * }
 * ```
 */
export class Workflow extends Construct {
  /** The Standard machine. Its executions are the attempts of runs. */
  readonly stateMachine: sfn.StateMachine;
  /** The Express machine. It takes most runs to the state in which they can end. */
  readonly express: sfn.StateMachine;
  /** The log of the Standard machine. */
  readonly log: logs.ILogGroup;

  constructor(scope: Construct, id: string, props: WorkflowProps) {
    super(scope, id);
    const log = (name: string) =>
      new logs.LogGroup(this, name, { retention: props.logRetention, removalPolicy: RemovalPolicy.DESTROY });
    this.log = log('Log');
    this.express = this.machine('Express', props, {
      log: log('ExpressLog'),
      definition: expressMachine(),
      type: sfn.StateMachineType.EXPRESS,
      level: sfn.LogLevel.ERROR,
    });
    acknowledge(
      this.express,
      'AwsSolutions-SF1',
      'Each stage logs what it did and the chain of the run has the rest; every event of this machine would cost more than its executions.',
    );
    this.stateMachine = this.machine('ScanEmail', props, {
      log: this.log,
      definition: { ...standardMachine(), TimeoutSeconds: props.timeout.toSeconds() },
      level: sfn.LogLevel.ALL,
      express: this.express,
    });
  }

  /** Makes a machine over the functions that its definition names, with a role that may invoke them. */
  private machine(id: string, { functions }: WorkflowProps, made: Machine): sfn.StateMachine {
    const text = JSON.stringify(made.definition);
    const tasks = (Object.entries(functions) as [StateStage, lambda.IFunction][]).filter(([stage]) =>
      text.includes(`\${${stateOf(stage)}Arn}`),
    );
    const role = new iam.Role(this, id === 'ScanEmail' ? 'Role' : `${id}Role`, {
      assumedBy: new iam.ServicePrincipal('states.amazonaws.com'),
    });
    const allow = (actions: string[], resources: string[]) =>
      role.addToPolicy(new iam.PolicyStatement({ actions, resources }));
    allow(
      ['lambda:InvokeFunction'],
      tasks.map(([, target]) => target.functionArn),
    );
    const arns = tasks.map(([stage, target]) => [`${stateOf(stage)}Arn`, target.functionArn] as const);
    const nested = made.express && ([`${EXPRESS_STATE}Arn`, made.express.stateMachineArn] as const);
    if (nested) allow(['states:StartSyncExecution'], [nested[1]]);
    acknowledge(
      role,
      'AwsSolutions-IAM5[Resource::*]',
      'X-Ray and the delivery of logs by Step Functions have no resource-level permissions for these actions.',
    );
    return new sfn.StateMachine(this, id, {
      ...(made.type && { stateMachineType: made.type }),
      definitionBody: sfn.DefinitionBody.fromString(text),
      definitionSubstitutions: Object.fromEntries(nested ? [...arns, nested] : arns),
      role,
      tracingEnabled: true,
      logs: {
        level: made.level,
        // The state has only ids and counts. The ledger has the rest.
        includeExecutionData: false,
        destination: made.log,
      },
    });
  }
}

/** The settings that differ between the two machines. */
interface Machine {
  readonly definition: object;
  /** @default a Standard machine: stating it would make CloudFormation replace machines that were deployed without it */
  readonly type?: sfn.StateMachineType;
  readonly log: logs.ILogGroup;
  readonly level: sfn.LogLevel;
  /** The machine that this one runs. */
  readonly express?: sfn.StateMachine;
}
