/**
 * Limits of AWS on the size of the parts of a stack. CDK and CloudFormation do not check them beforehand, so a deployment would fail in the
 * middle. Here a stack over a limit fails at synth instead, with a sentence.
 */
import { Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct } from 'constructs';

/** The use of one limit. */
export interface LimitUse {
  /** The path of the resource, or of the role whose policies are added up. */
  readonly path: string;
  readonly what: keyof typeof MOST;
  /** Bytes of JSON without spaces. A value that is known only at deployment counts as `UNKNOWN_BYTES`. */
  readonly used: number;
  readonly most: number;
}

/** In bytes, from the quotas of each service. */
const MOST = {
  environment: 4_096,
  definition: 1_048_576,
  'inline policies': 10_240,
  'managed policy': 6_144,
  'bucket policy': 20_480,
  'queue policy': 8_192,
  'topic policy': 30_720,
  'key policy': 32_768,
  'endpoint policy': 20_480,
  'event pattern': 2_048,
} as const;

/** The assumed size of a value that is known only at deployment: a name, as long as a bucket name can be, or an ARN. */
const UNKNOWN_BYTES = { name: 63, arn: 100 } as const;

/**
 * Returns the use of each limit below a construct, in the order of the tree. Call it when the tree is complete.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const nearest = (stack: Stack) => Math.max(...limitUses(stack).map(({ used, most }) => used / most));
 * ```
 */
export function limitUses(scope: IConstruct): LimitUse[] {
  const policies = new Map<string, number>();
  const uses = scope.node.findAll().flatMap((node): LimitUse[] => {
    const path = node.node.path;
    const size = (value: unknown) => bytesOf(Stack.of(node).resolve(value));
    if (node instanceof iam.CfnPolicy) {
      // The inline policies of a role count together.
      const role = JSON.stringify(Stack.of(node).resolve(node.roles));
      const used = (policies.get(role) ?? 0) + size(node.policyDocument);
      policies.set(role, used);
      return [{ path, what: 'inline policies', used, most: MOST['inline policies'] }];
    }
    const sized = sizedOf(node);
    return sized === null ? [] : [{ path, what: sized[0], used: size(sized[1]), most: MOST[sized[0]] }];
  });
  return uses.filter(({ used }) => used > 0);
}

/**
 * Returns one sentence for each limit that is exceeded.
 *
 * @example
 * ```ts
 * import { Annotations, type Stack } from 'aws-cdk-lib';
 *
 * const check = (stack: Stack) => limitIssues(stack).forEach((sentence) => Annotations.of(stack).addError(sentence));
 * ```
 */
export function limitIssues(scope: IConstruct): string[] {
  return limitUses(scope)
    .filter(({ used, most }) => used > most)
    .map(
      ({ path, what, used, most }) =>
        `The ${what} of ${path} has ${used} bytes, and AWS allows ${most}. Sources, with their prefixes and places of results, are most of what makes it long: use fewer or shorter ones, or a second airlock.`,
    );
}

function sizedOf(node: IConstruct): [keyof typeof MOST, unknown] | null {
  if (node instanceof lambda.CfnFunction) return ['environment', node.environment];
  if (node instanceof sfn.CfnStateMachine) return ['definition', node.definitionString];
  if (node instanceof iam.CfnManagedPolicy) return ['managed policy', node.policyDocument];
  if (node instanceof s3.CfnBucketPolicy) return ['bucket policy', node.policyDocument];
  if (node instanceof sqs.CfnQueuePolicy) return ['queue policy', node.policyDocument];
  if (node instanceof sns.CfnTopicPolicy) return ['topic policy', node.policyDocument];
  if (node instanceof kms.CfnKey) return ['key policy', node.keyPolicy];
  if (node instanceof ec2.CfnVPCEndpoint) return ['endpoint policy', node.policyDocument];
  if (node instanceof events.CfnRule) return ['event pattern', node.eventPattern];
  return null;
}

/** Returns the bytes of a value after CloudFormation has resolved it. */
function bytesOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object') return String(value).length;
  if (Array.isArray(value)) return 2 + sumOf(value, (each) => bytesOf(each) + 3);
  const [[name, argument] = ['', null], ...others] = Object.entries(value);
  if (others.length === 0 && name === 'Fn::Join') return sumOf((argument as [string, unknown[]])[1], bytesOf);
  if (others.length === 0 && name === 'Ref') return UNKNOWN_BYTES.name;
  if (others.length === 0 && name.startsWith('Fn::')) return UNKNOWN_BYTES.arn;
  return 2 + sumOf(Object.entries(value), ([key, each]) => Buffer.byteLength(key) + bytesOf(each) + 6);
}

const sumOf = <T>(values: readonly T[], size: (value: T) => number): number =>
  values.reduce((sum, value) => sum + size(value), 0);
