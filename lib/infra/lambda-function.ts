import { AssetHashType, DockerImage, type Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { HANDLER, LAMBDAS_DIR } from '#bundles';
import { acknowledge } from './acknowledge.ts';

export interface LambdaFunctionProps {
  readonly description: string;
  readonly code: lambda.Code;
  readonly timeout: Duration;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly logRetention: logs.RetentionDays;
  /** @default no VPC: the function reaches AWS over the internet */
  readonly network?: Network | undefined;
  /** Key that encrypts the environment, so that only its users see it. @default a key of AWS */
  readonly environmentKey?: kms.IKey | undefined;
}

/** The subnets of a function, and the targets that it may reach from there. */
export interface Network {
  readonly vpc: ec2.IVpc;
  /** @default the private subnets */
  readonly subnets?: ec2.SubnetSelection;
  /** @default its own group, which may reach everything */
  readonly securityGroup?: ec2.ISecurityGroup;
  /**
   * Lets a role use the endpoint of S3 in a network without another way out.
   * @default the network reaches AWS over the internet, or by what its owner put there
   */
  readonly openS3?: (role: iam.IRole, actions: readonly string[], resources: readonly string[]) => void;
}

/**
 * A Lambda with its own log group and its own role, which at first may only write its log.
 *
 * @example
 * ```ts
 * import { Duration, Stack } from 'aws-cdk-lib';
 * import { RetentionDays } from 'aws-cdk-lib/aws-logs';
 *
 * function deadline(stack: Stack, code: LambdaFunctionProps['code']): LambdaFunction {
 *   const limits = { timeout: Duration.minutes(1), memoryMb: 512, environment: {}, logRetention: RetentionDays.ONE_WEEK };
 *   return new LambdaFunction(stack, 'Mine', { description: 'a function', code, ...limits });
 * }
 * ```
 */
export class LambdaFunction extends Construct {
  readonly function: lambda.Function;
  readonly logGroup: logs.ILogGroup;
  readonly role: iam.Role;
  private readonly network: Network | null;

  constructor(scope: Construct, id: string, props: LambdaFunctionProps) {
    super(scope, id);
    const { description, code, timeout, network, environmentKey } = props;
    this.network = network ?? null;
    const logGroup = new logs.LogGroup(this, 'Log', {
      retention: props.logRetention,
      // Logs hold ids and counts, and nothing of a message. Nobody needs them after the stack is deleted.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.logGroup = logGroup;
    this.role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description,
    });
    logGroup.grantWrite(this.role);
    if (network !== undefined) this.allowNetworkInterfaces();
    this.function = new lambda.Function(this, 'Function', {
      description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code,
      handler: HANDLER,
      role: this.role,
      logGroup,
      timeout,
      memorySize: props.memoryMb,
      tracing: lambda.Tracing.ACTIVE,
      environment: { ...props.environment, POWERTOOLS_LOG_LEVEL: 'INFO' },
      ...(environmentKey && { environmentEncryption: environmentKey }),
      ...(network !== undefined && {
        vpc: network.vpc,
        ...(network.subnets && { vpcSubnets: network.subnets }),
        ...(network.securityGroup && { securityGroups: [network.securityGroup] }),
      }),
    });
    acknowledge(
      this.role,
      'AwsSolutions-IAM5[Resource::*]',
      'X-Ray and the network interfaces of a VPC function have no resource-level permissions for these actions.',
    );
  }

  /** True when the endpoint of S3 is the only way out of its network. */
  get isIsolated(): boolean {
    return this.network?.openS3 !== undefined;
  }

  /** Gives the function more permissions, and the network access for them. */
  allow(actions: readonly string[], resources: readonly string[], conditions: iam.Conditions = {}): void {
    this.role.addToPrincipalPolicy(
      new iam.PolicyStatement({ actions: [...actions], resources: [...resources], conditions }),
    );
    const ofS3 = actions.filter((action) => action.startsWith('s3:'));
    if (ofS3.length > 0) this.network?.openS3?.(this.role, ofS3, resources);
  }

  /** Lets the function read objects of these names in a bucket, notice that one is missing, and put others. */
  allowNames(bucket: s3.IBucket, reads: readonly string[], writes: readonly string[] = []): void {
    const objects = (names: readonly string[]) => names.map((name) => bucket.arnForObjects(name));
    this.allow(['s3:GetObject'], objects(reads));
    if (writes.length > 0) this.allow(['s3:PutObject'], objects(writes));
    // Without this permission, S3 answers 403 for a missing object.
    this.allow(['s3:ListBucket'], [bucket.bucketArn]);
    this.acknowledgeObjects(bucket, [...reads, ...writes]);
  }

  /** Lets the function find runs in the index. DynamoDB decrypts the key of the table on behalf of the reader of an item. */
  allowIndex(table: dynamodb.ITable, key: kms.IKey): void {
    this.allow(['dynamodb:Query', 'dynamodb:BatchGetItem'], [table.tableArn]);
    this.allow(['kms:Decrypt'], [key.keyArn]);
    this.function.addEnvironment('AIRLOCK_RUNS_TABLE', table.tableName);
  }

  /** Accepts that a permission on the objects of a bucket covers all of these names. */
  acknowledgeObjects(bucket: s3.IBucket, names: readonly string[]): void {
    acknowledgeNames(this.role, bucket, names);
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

/**
 * Accepts that a permission of a role on the objects of a bucket covers all of these names.
 *
 * @example
 * ```ts
 * import type { IRole } from 'aws-cdk-lib/aws-iam';
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 *
 * const mayPutMail = (role: IRole, intake: IBucket) => acknowledgeNames(role, intake, ['ses/*']);
 * ```
 */
export function acknowledgeNames(role: iam.IRole, bucket: s3.IBucket, names: readonly string[]): void {
  const arn = nagName(Stack.of(role).resolve(bucket.bucketArn));
  const reason = 'Objects are named after runs and hashes that do not exist yet.';
  const patterns = names.filter((name) => name.includes('*'));
  for (const name of patterns) acknowledge(role, `AwsSolutions-IAM5[Resource::${arn}/${name}]`, reason);
}

/**
 * Makes code that `bundle` writes into a folder during synth. CDK tells assets apart by `options`, which holds everything beside the
 * sources on which the bundle depends.
 *
 * @example
 * ```ts
 * import { bundleStage } from './lib/infra/bundling/bundle.ts';
 *
 * bundledCode(['decide'], (outDir) => bundleStage('decide', outDir));
 * ```
 */
export function bundledCode(options: readonly string[], bundle: (outDir: string) => void): lambda.Code {
  return lambda.Code.fromAsset(LAMBDAS_DIR, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('never-used'),
      command: [...options],
      local: {
        tryBundle(outDir) {
          bundle(outDir);
          return true;
        },
      },
    },
  });
}

/** Returns an intrinsic function in the form that cdk-nag writes in the id of a finding: `<LogicalId.Arn>`. */
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
