import { createHash } from 'node:crypto';
import { AssetHashType, DockerImage, type Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { StageName } from '../pipeline/model.ts';
import { acknowledge } from './acknowledge.ts';
import { bundleStage, HANDLER, LAMBDAS_DIR } from './bundling/bundle.ts';

export interface StageFunctionProps {
  readonly stage: StageName;
  readonly timeout: Duration;
  readonly environment: Readonly<Record<string, string>>;
  /** A policy document (JSON) for the bundle. @default the policy as shipped */
  readonly policyJson?: string | undefined;
  readonly logRetention: logs.RetentionDays;
  /** @default no VPC: the function reaches AWS and the analysis service over the internet */
  readonly vpc?: ec2.IVpc | undefined;
}

/** Parse and rebuild hold several copies of an email of up to 42 MiB. Poll sends what submit could not send. */
const MEMORY_MB: Readonly<Partial<Record<StageName, number>>> = {
  parse: 2_048,
  submit: 1_536,
  poll: 1_536,
  fetch: 1_536,
  rebuild: 2_048,
  deliver: 1_024,
};
const DEFAULT_MEMORY_MB = 512;

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
export class StageFunction extends Construct {
  readonly function: lambda.Function;
  readonly logGroup: logs.ILogGroup;
  readonly role: iam.Role;

  constructor(scope: Construct, id: string, props: StageFunctionProps) {
    super(scope, id);
    const logGroup = new logs.LogGroup(this, 'Log', {
      retention: props.logRetention,
      // Logs hold ids and counts and nothing of a message. Nobody needs them after the stack is deleted.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.logGroup = logGroup;
    this.role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `Mail Airlock, stage ${props.stage}`,
    });
    logGroup.grantWrite(this.role);
    if (props.vpc !== undefined) this.allowNetworkInterfaces();
    this.function = new lambda.Function(this, 'Function', {
      description: `Mail Airlock, stage ${props.stage}`,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: stageCode(props.stage, props.policyJson),
      handler: HANDLER,
      role: this.role,
      logGroup,
      timeout: props.timeout,
      memorySize: MEMORY_MB[props.stage] ?? DEFAULT_MEMORY_MB,
      tracing: lambda.Tracing.ACTIVE,
      environment: { ...props.environment, POWERTOOLS_LOG_LEVEL: 'INFO' },
      ...(props.vpc === undefined ? {} : { vpc: props.vpc }),
    });
    acknowledge(
      this.role,
      'AwsSolutions-IAM5[Resource::*]',
      'X-Ray and the network interfaces of a VPC function have no resource-level permissions for these actions.',
    );
  }

  /** Gives the stage more permissions. */
  allow(actions: readonly string[], resources: readonly string[]): void {
    this.role.addToPrincipalPolicy(new iam.PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }

  /** Accepts that a permission on the objects of a bucket covers all of these names. */
  acknowledgeObjects(bucket: s3.IBucket, names: readonly string[]): void {
    const arn = nagName(Stack.of(this).resolve(bucket.bucketArn));
    const reason = 'Objects are named after runs and hashes that do not exist yet.';
    for (const name of names) acknowledge(this.role, `AwsSolutions-IAM5[Resource::${arn}/${name}]`, reason);
  }

  private allowNetworkInterfaces(): void {
    this.allow(
      [
        'ec2:AssignPrivateIpAddresses',
        'ec2:CreateNetworkInterface',
        'ec2:DeleteNetworkInterface',
        'ec2:DescribeNetworkInterfaces',
        'ec2:DescribeSubnets',
        'ec2:UnassignPrivateIpAddresses',
      ],
      ['*'],
    );
  }
}

/** esbuild makes the bundle during synth. CDK tells assets apart by these options, so they contain stage and policy. */
function stageCode(stage: StageName, policyJson: string | undefined): lambda.Code {
  const policy = createHash('sha256')
    .update(policyJson ?? '')
    .digest('hex');
  return lambda.Code.fromAsset(LAMBDAS_DIR, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('never-used'),
      command: [stage, policy],
      local: {
        tryBundle(outDir) {
          bundleStage(stage, outDir, policyJson === undefined ? {} : { policyJson });
          return true;
        },
      },
    },
  });
}

/** The form in which cdk-nag writes intrinsic functions in the id of a finding: `<LogicalId.Arn>`. */
function nagName(resolved: unknown): string {
  if (typeof resolved !== 'object' || resolved === null) return String(resolved);
  if ('Ref' in resolved) return `<${resolved.Ref}>`;
  if ('Fn::GetAtt' in resolved && Array.isArray(resolved['Fn::GetAtt'])) return `<${resolved['Fn::GetAtt'].join('.')}>`;
  if ('Fn::Join' in resolved && Array.isArray(resolved['Fn::Join'])) {
    const [separator, parts]: unknown[] = resolved['Fn::Join'];
    if (Array.isArray(parts)) return parts.map(nagName).join(String(separator));
  }
  throw new TypeError(`not the name of a resource: ${JSON.stringify(resolved)}`);
}
