import { createHash } from 'node:crypto';
import type { Duration } from 'aws-cdk-lib';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { bundleStage } from '#bundles';
import type { StageName } from '../../pipeline/model.ts';
import { STAGE_MEMORY_MB } from '../../pipeline/stage-memory.ts';
import { bundledCode, LambdaFunction, type Network } from '../lambda-function.ts';

export interface StageFunctionProps {
  readonly stage: StageName;
  readonly timeout: Duration;
  readonly environment: Readonly<Record<string, string>>;
  /** A policy document (JSON) for the bundle. @default the policy as shipped */
  readonly policyJson?: string | undefined;
  readonly logRetention: logs.RetentionDays;
  /** @default no VPC: the function reaches AWS and the analysis service over the internet */
  readonly network?: Network | undefined;
  /** @default the environment is encrypted with a key of AWS */
  readonly environmentKey?: kms.IKey | undefined;
}

/**
 * One stage as a Lambda, with its own log group, its own bundle, and its own role, which at first may only write its log.
 *
 * @example
 * ```ts
 * import { App, Duration, Stack } from 'aws-cdk-lib';
 * import { RetentionDays } from 'aws-cdk-lib/aws-logs';
 *
 * const props = { timeout: Duration.minutes(5), environment: {}, logRetention: RetentionDays.THREE_MONTHS };
 * const decide = new StageFunction(new Stack(new App(), 'Mail'), 'Decide', { stage: 'decide', ...props });
 * decide.allow(['events:PutEvents'], ['*']);
 * ```
 */
export class StageFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: StageFunctionProps) {
    const { stage, policyJson } = props;
    super(scope, id, {
      description: `Mail Airlock, stage ${stage}`,
      code: stageCode(stage, policyJson),
      timeout: props.timeout,
      memoryMb: STAGE_MEMORY_MB[stage],
      environment: props.environment,
      logRetention: props.logRetention,
      network: props.network,
      environmentKey: props.environmentKey,
    });
  }
}

/** esbuild makes the bundle during synth, with the policy in it. */
function stageCode(stage: StageName, policyJson: string | undefined): lambda.Code {
  const policy = createHash('sha256')
    .update(policyJson ?? '')
    .digest('hex');
  return bundledCode([stage, policy], (outDir) =>
    bundleStage(stage, outDir, policyJson === undefined ? {} : { policyJson }),
  );
}
