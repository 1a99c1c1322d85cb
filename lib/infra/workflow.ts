import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageName, Writer } from '../pipeline/model.ts';
import definition from '../pipeline/scan-email.asl.json' with { type: 'json' };
import { acknowledge } from './acknowledge.ts';

/** The stages that are states. `parse` is not a state, because it starts the execution. */
export type StateStage = Exclude<StageName, 'parse'>;

export interface WorkflowProps {
  readonly functions: Readonly<Record<StateStage, lambda.IFunction>>;
  /** From the creation of the run to the last stage. After this time the execution is ended, and a rule starts quarantine. */
  readonly timeout: Duration;
  readonly logRetention: logs.RetentionDays;
}

/**
 * The name of a stage in the state machine, and of what belongs to whoever writes an entry.
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
 * How long the state machine lets a stage run, in seconds. Its Lambda has the same limit.
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
 * The Standard state machine from scan-email.asl.json, the same file that the local runner interprets.
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
  readonly stateMachine: sfn.StateMachine;

  constructor(scope: Construct, id: string, props: WorkflowProps) {
    super(scope, id);
    const functions = Object.entries(props.functions) as [StateStage, lambda.IFunction][];
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('states.amazonaws.com') });
    role.addToPolicy(
      new iam.PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: functions.map(([, target]) => target.functionArn),
      }),
    );
    this.stateMachine = new sfn.StateMachine(this, 'ScanEmail', {
      definitionBody: sfn.DefinitionBody.fromString(
        JSON.stringify({ ...definition, TimeoutSeconds: props.timeout.toSeconds() }),
      ),
      definitionSubstitutions: Object.fromEntries(
        functions.map(([stage, target]) => [`${stateOf(stage)}Arn`, target.functionArn]),
      ),
      role,
      tracingEnabled: true,
      logs: {
        level: sfn.LogLevel.ALL,
        // The state has only ids and counts; the ledger has the rest.
        includeExecutionData: false,
        destination: new logs.LogGroup(this, 'Log', {
          retention: props.logRetention,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      },
    });
    acknowledge(
      role,
      'AwsSolutions-IAM5[Resource::*]',
      'X-Ray and the delivery of logs by Step Functions have no resource-level permissions for these actions.',
    );
  }
}
