import { createHash } from 'node:crypto';
import { Annotations, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { WayOut, type WayOutProps } from '../way-out.ts';
import { objectsOf, patternOf, type Source } from './source.ts';

export type SourceTagsProps = Omit<WayOutProps, 'name' | 'ends'>;

/** Roles that read objects before they are tagged, and roles besides the tagging one that put objects with tags. */
export interface Exceptions {
  readonly readers: readonly iam.IRole[];
  readonly taggers: readonly iam.IRole[];
}

/** The version is named, because another may be the newest by now. */
const ACTIONS = ['s3:GetObjectVersionTagging', 's3:PutObjectVersionTagging'];
const TAGGING = [
  's3:PutObjectTagging',
  's3:PutObjectVersionTagging',
  's3:DeleteObjectTagging',
  's3:DeleteObjectVersionTagging',
];

/**
 * Tags every incoming object with its fate. Its role may tag objects of the given buckets, and writes nothing else.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 *
 * function tagAll(stack: Stack, bucket: IBucket, props: SourceTagsProps): void {
 *   new SourceTags(stack, 'Tag', props).watch({ bucket });
 * }
 * ```
 */
export class SourceTags extends WayOut {
  constructor(scope: Construct, id: string, props: SourceTagsProps) {
    super(scope, id, { ...props, name: 'tag', ends: ['MessageDelivered', 'MessageQuarantined'] });
  }

  /** Lets it tag the objects of a source. */
  watch(source: Source): void {
    this.allow(ACTIONS, [objectsOf(source)]);
    this.acknowledgeObjects(source.bucket, [patternOf(source)]);
  }

  /**
   * Forbids everybody but the roles that read the objects to read objects that are not tagged as clean, and to tag objects. The policy of
   * the bucket says so, even if other policies allow more. Synth warns when the policy belongs to another stack.
   */
  denyUnclean(source: Source, { readers, taggers }: Exceptions): void {
    const { bucket } = source;
    const everybody = { effect: iam.Effect.DENY, principals: [new iam.AnyPrincipal()] };
    const objects = { resources: [objectsOf(source)] };
    const others = (roles: readonly iam.IRole[]) => ({
      ArnNotEquals: { 'aws:PrincipalArn': roles.map(({ roleArn }) => roleArn) },
    });
    const statements = [
      new iam.PolicyStatement({
        sid: `OnlyCleanIsRead${this.sidOf(source)}`,
        ...everybody,
        ...objects,
        actions: ['s3:GetObject', 's3:GetObjectVersion'],
        // An absent key makes the condition true, so an object without a tag cannot be read.
        conditions: { StringNotEquals: { 's3:ExistingObjectTag/airlock-state': 'clean' }, ...others(readers) },
      }),
      new iam.PolicyStatement({
        sid: `OnlyTagTags${this.sidOf(source)}`,
        ...everybody,
        ...objects,
        actions: TAGGING,
        conditions: others([this.role, ...taggers]),
      }),
    ];
    const added = statements.map((statement) => bucket.addToResourcePolicy(statement).statementAdded);
    if (!added.includes(false)) return;
    const text = JSON.stringify(Stack.of(this).resolve(statements.map((one) => one.toStatementJson())), null, 2);
    Annotations.of(this).addWarningV2(
      `mail-airlock:unclean-objects-can-be-read-${bucket.node.id}${this.sidOf(source)}`,
      `Objects that are not clean can be read, because the policy of the bucket belongs to another stack. Add these statements to it:\n${text}`,
    );
  }

  /** Names of statements must be unique in a policy, and a bucket may have several sources. */
  private sidOf(source: Source): string {
    const pattern = patternOf(source);
    return pattern === '*' ? '' : createHash('sha256').update(pattern).digest('hex').slice(0, 8);
  }
}
