import { App } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../lib/infra/sources/source.ts';
import { MailAirlockStack } from '../../lib/infra/stack.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { statementsOf } from './policy-walk.ts';
import { resourcesOf, synthesize, theResource } from './synth.ts';

const NO_BUNDLING = { 'aws:cdk:bundling-stacks': [] };

/** The stack with sources of its owner. */
function stackWith(add: (stack: MailAirlockStack) => void, context: Readonly<Record<string, unknown>> = {}) {
  process.env.CDK_VALIDATION = 'false';
  const app = new App({ outdir: scratchDirectory(), context: { ...NO_BUNDLING, ...context } });
  const stack = new MailAirlockStack(app, 'MailAirlock');
  add(stack);
  return { stack, template: Template.fromStack(stack).toJSON() as Parameters<typeof resourcesOf>[0] };
}
const versioned = { versioned: true };
const bucketIn = (stack: MailAirlockStack, props: s3.BucketProps = versioned) =>
  new s3.Bucket(stack, 'Uploads', props) as s3.IBucket;

describe('a source', () => {
  test.each<[string, Omit<Source, 'bucket'>, object | undefined]>([
    ['whole', {}, undefined],
    ['with a prefix', { prefix: 'in/' }, { key: [{ prefix: 'in/' }] }],
    ['with a suffix', { suffix: '.pdf' }, { key: [{ suffix: '.pdf' }] }],
    ['with both', { prefix: 'in/', suffix: '.pdf' }, { key: [{ wildcard: 'in/*.pdf' }] }],
  ])('%s sends exactly its objects to parse', (_, limits, object) => {
    const { template } = stackWith((stack) => stack.airlock.addSource({ bucket: bucketIn(stack), ...limits }));
    const [, rule] = theResource(template, 'AWS::Events::Rule', 'SourcesCreated1');
    const [uploads, bucket] = theResource(template, 'AWS::S3::Bucket', 'Uploads');
    const detail = { bucket: { name: [{ Ref: uploads }] }, ...(object && { object }) };
    expect(rule.Properties.EventPattern).toMatchObject({ source: ['aws.s3'], detail });
    expect((rule.Properties.EventPattern as { detail: object }).detail).toEqual(detail);
    const notifications = { EventBridgeConfiguration: { EventBridgeEnabled: true } };
    expect(bucket.Properties.NotificationConfiguration).toEqual(notifications);
  });

  test('is read by the three stages that look at it, with its key, and by nobody else', () => {
    const { template } = stackWith((stack) => {
      const encryptionKey = new kms.Key(stack, 'UploadsKey');
      const bucket = bucketIn(stack, { ...versioned, encryption: s3.BucketEncryption.KMS, encryptionKey });
      stack.airlock.addSource({ bucket, prefix: 'in/' });
    });
    const [uploads] = theResource(template, 'AWS::S3::Bucket', 'Uploads');
    const [key] = theResource(template, 'AWS::KMS::Key', 'UploadsKey');
    const roles = (action: string, resource: string) =>
      statementsOf(template)
        .filter(({ effect, raw }) => effect === 'Allow' && raw.Principal === undefined)
        .filter(({ actions, resources }) => actions.includes(action) && resources.includes(resource))
        .flatMap(({ who }) => who.map((id) => id.replace(/^MailAirlock(\w+?)Role.*$/, '$1')))
        .sort();
    const readers = ['Parse', 'Quarantine', 'Rebuild'];
    expect(roles('s3:GetObjectVersion', `<${uploads}.Arn>/in/*`)).toEqual(readers);
    expect(roles('kms:Decrypt', `<${key}.Arn>`)).toEqual(readers);
    expect(roles('s3:PutObject', `<${uploads}.Arn>/in/*`)).toEqual([]);
    expect(roles('s3:PutObjectVersionTagging', `<${uploads}.Arn>/in/*`)).toEqual([]);
  });

  test('is told to the functions that read, also one that is added later', () => {
    const { template } = stackWith((stack) => {
      const bucket = bucketIn(stack);
      stack.airlock.addSource({ bucket, prefix: 'a/' });
      stack.airlock.addSource({ bucket, prefix: 'b/', maximumBytes: 5 });
    });
    const [uploads] = theResource(template, 'AWS::S3::Bucket', 'Uploads');
    const [, parse] = theResource(template, 'AWS::Lambda::Function', 'ParseFunction');
    const { Variables } = parse.Properties.Environment as {
      Variables: Record<string, { 'Fn::Join': [string, unknown[]] }>;
    };
    const text = (Variables.AIRLOCK_SOURCES?.['Fn::Join'][1] ?? []).map((one) =>
      typeof one === 'string' ? one : uploads,
    );
    expect(JSON.parse(text.join(''))).toEqual([
      { bucket: uploads, prefix: 'a/' },
      { bucket: uploads, prefix: 'b/', maximumBytes: 5 },
    ]);
  });

  test.each<[Omit<Source, 'bucket'>, string]>([
    [{ prefix: 'in*' }, 'must not hold'],
    [{ suffix: '?' }, 'must not hold'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: IAM would expand it
    [{ prefix: '${aws:x}' }, 'must not hold'],
    [{ maximumBytes: 0 }, 'from 1 to'],
    [{ maximumBytes: 50_000_000 }, 'from 1 to'],
  ])('%j is refused', (limits, says) => {
    expect(() => stackWith((stack) => stack.airlock.addSource({ bucket: bucketIn(stack), ...limits }))).toThrow(says);
  });

  test('without versions is warned of', () => {
    const { stack } = stackWith((one) => one.airlock.addSource({ bucket: bucketIn(one, {}) }));
    const warned = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('has no versions'));
    expect(warned).toHaveLength(1);
  });

  test('is tagged, and its policy refuses what is not clean, when the airlock is asked to', () => {
    const { template } = stackWith(
      (stack) => {
        const bucket = bucketIn(stack);
        stack.airlock.addSource({ bucket, prefix: 'a/' });
        stack.airlock.addSource({ bucket, prefix: 'b/' });
      },
      { tagSources: true, denyUncleanReads: true },
    );
    const [uploads] = theResource(template, 'AWS::S3::Bucket', 'Uploads');
    const [, policy] = theResource(template, 'AWS::S3::BucketPolicy', 'Uploads');
    const statements = (policy.Properties.PolicyDocument as { Statement: { Sid: string; Resource: unknown }[] })
      .Statement;
    expect(new Set(statements.map(({ Sid }) => Sid)).size).toBe(4);
    const denied = statementsOf(template).filter(({ raw }) => /^OnlyCleanIsRead\w/.test(String(raw.Sid)));
    expect(denied.flatMap(({ resources }) => resources)).toEqual([`<${uploads}.Arn>/a/*`, `<${uploads}.Arn>/b/*`]);
  });
});

describe('the setting', () => {
  test('sources: buckets by name, with prefix and suffix', () => {
    const { template } = synthesize({ context: { sources: 'uploads/in/*.pdf, scans' } });
    const rules = resourcesOf(template, 'AWS::Events::Rule').filter(([id]) => id.includes('SourcesCreated'));
    expect(rules.map(([, { Properties }]) => (Properties.EventPattern as { detail: object }).detail)).toEqual([
      { bucket: { name: ['uploads'] }, object: { key: [{ wildcard: 'in/*.pdf' }] } },
      { bucket: { name: ['scans'] } },
    ]);
  });

  test.each(['UPLOADS', 'uploads/a*b*c', 'a', ''.padEnd(3, ',')])('sources=%s is refused', (sources) => {
    expect(() => synthesize({ context: { sources } })).toThrow('BUCKET or BUCKET/PREFIX*SUFFIX is expected');
  });

  test('intakeWriters: both policies name the role, which may put and not read', () => {
    const role = 'arn:aws:iam::444455556666:role/gateway';
    const { template } = synthesize({ context: { intakeWriters: role } });
    const named = statementsOf(template).filter(({ who }) => who.includes(`AWS:${role}`));
    expect(named.map(({ actions, effect }) => [effect, ...actions])).toEqual(
      expect.arrayContaining([
        ['Allow', 's3:PutObject'],
        ['Allow', 'kms:Decrypt', 'kms:GenerateDataKey'],
      ]),
    );
    expect(named).toHaveLength(2);
  });

  test('intakeWriters is refused for anything but ARNs, and where the policies belong to another stack', () => {
    expect(() => synthesize({ context: { intakeWriters: '*' } })).toThrow('the ARN of a role');
    const context = { intakeWriters: 'arn:aws:iam::444455556666:root', intakeBucketName: 'theirs' };
    expect(() => synthesize({ context })).toThrow('belong to another stack');
  });
});
