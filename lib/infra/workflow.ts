import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageName } from '../pipeline/model.ts';
import definition from '../pipeline/scan-email.asl.json' with { type: 'json' };
import { acknowledge } from './acknowledge.ts';

/** The stages that are states. `parse` is not: it is what starts an execution. */
export type StateStage = Exclude<StageName, 'parse'>;

export interface WorkflowProps {
  readonly functions: Readonly<Record<StateStage, lambda.IFunction>>;
  /** From birth to the last stage. The execution is ended after this, and quarantine follows by rule. */
  readonly timeout: Duration;
  readonly logRetention: logs.RetentionDays;
}

/** The name a stage has in the state machine. */
export function stateOf(stage: StageName): string {
  return stage.charAt(0).toUpperCase() + stage.slice(1);
}

/** How long the state machine lets a stage run, in seconds: its Lambda gets the same. */
export function stateTimeoutSeconds(stage: StateStage): number {
  const state = Object.entries(definition.States).find(([name]) => name === stateOf(stage))?.[1];
  if (state === undefined || !('TimeoutSeconds' in state))
    throw new TypeError(`state ${stateOf(stage)} has no timeout`);
  return state.TimeoutSeconds;
}

/** The Standard state machine over scan-email.asl.json: the very file that the local runner interprets. */
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
        // The state is ids and counts; the ledger is the record.
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
      'X-Ray and the delivery of logs by Step Functions know no resource-level permissions for these actions.',
    );
  }
}
