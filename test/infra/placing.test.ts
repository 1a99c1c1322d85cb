import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../lib/infra/sources/source.ts';
import { MailAirlockStack } from '../../lib/infra/stack.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { allows, grantsOf, statementsOf } from './policy-walk.ts';
import { type Template as Json, resourcesOf, synthesize, textOf, theResource } from './synth.ts';

const NO_BUNDLING = { 'aws:cdk:bundling-stacks': [] };

interface Given {
  readonly uploads: s3.IBucket;
  readonly others: s3.IBucket;
  readonly stack: MailAirlockStack;
}

/** The stack with one bucket of uploads, and another one of their owner. */
function stackWith(
  sourcesOf: (given: Given) => readonly Source[],
  context: Readonly<Record<string, unknown>> = {},
): Json {
  process.env.CDK_VALIDATION = 'false';
  const app = new App({ outdir: scratchDirectory(), context: { ...NO_BUNDLING, ...context } });
  const stack = new MailAirlockStack(app, 'MailAirlock');
  const encryptionKey = new kms.Key(stack, 'UploadsKey');
  const encryption = s3.BucketEncryption.KMS;
  const uploads = new s3.Bucket(stack, 'Uploads', { versioned: true, encryption, encryptionKey }) as s3.IBucket;
  const others = new s3.Bucket(stack, 'Others') as s3.IBucket;
  for (const source of sourcesOf({ uploads, others, stack })) stack.airlock.addSource(source);
  return Template.fromStack(stack).toJSON() as Json;
}

/** Who may do something, by the names of roles. */
function who(template: Json, action: string, resource: string): string[] {
  const can = grantsOf(template).filter((one) => one.effect === 'Allow' && one.raw.Principal === undefined);
  const roles = can.filter((one) => allows(one, [action], [resource])).flatMap((one) => one.who);
  return [...new Set(roles.map((id) => id.replace(/^MailAirlock(\w+?)Role.*$/, '$1')))].sort();
}
const arnOf = (template: Json, part: string) => `<${theResource(template, 'AWS::S3::Bucket', part)[0]}.Arn>`;

describe('results in place', () => {
  const template = stackWith(({ uploads }) => [{ bucket: uploads, prefix: 'in/', keys: 'in-place' }], {
    tagSources: true,
    denyUncleanReads: true,
  });
  const uploads = arnOf(template, 'Uploads');

  test('deliver alone writes objects of the source, with its key, and nothing outside of the prefix', () => {
    expect(who(template, 's3:PutObject', `${uploads}/in/a.pdf`)).toEqual(['Deliver']);
    expect(who(template, 's3:PutObjectTagging', `${uploads}/in/a.pdf`)).toEqual(['Deliver']);
    expect(who(template, 's3:PutObject', `${uploads}/out/a.pdf`)).toEqual([]);
    expect(who(template, 's3:DeleteObject', `${uploads}/in/a.pdf`)).toEqual([]);
    const [key] = theResource(template, 'AWS::KMS::Key', 'UploadsKey');
    expect(who(template, 'kms:GenerateDataKey', `<${key}.Arn>`)).toEqual(['Deliver']);
  });

  test('deliver alone writes the notes by which parse knows results of ours', () => {
    expect(who(template, 's3:PutObject', `${arnOf(template, 'BucketsWork')}/placed/a.json`)).toEqual(['Deliver']);
  });

  test('the clean bucket still has one writer', () => {
    expect(who(template, 's3:PutObject', `${arnOf(template, 'BucketsClean')}/a`)).toEqual(['Deliver']);
  });

  test('deliver is excepted from the policy that refuses reads and tags, as nobody else is', () => {
    const excepted = (sid: RegExp) =>
      statementsOf(template)
        .filter(({ raw, resources }) => sid.test(String(raw.Sid)) && resources.includes(`${uploads}/in/*`))
        .flatMap(({ raw }) => {
          const { ArnNotEquals } = raw.Condition as { ArnNotEquals: Record<string, unknown> };
          return [ArnNotEquals['aws:PrincipalArn']].flat().map(textOf);
        })
        .map((arn) => arn.replace(/^<MailAirlock(?:WaysOut)?(\w+?)Role.*$/, '$1'))
        .sort();
    expect(excepted(/^OnlyCleanIsRead/)).toEqual(['Deliver', 'Parse', 'Quarantine', 'Rebuild']);
    expect(excepted(/^OnlyTagTags/)).toEqual(['Deliver', 'Tag']);
  });

  test('deliver hears of deliveries of this source, what it cannot put is kept, and an alarm says so', () => {
    const [, rule] = theResource(template, 'AWS::Events::Rule', 'PlacingDelivered');
    const [bucket] = theResource(template, 'AWS::S3::Bucket', 'Uploads');
    expect(rule.Properties.EventPattern).toEqual({
      source: ['mail-airlock'],
      'detail-type': ['MessageDelivered'],
      detail: { intake: { bucket: [{ Ref: bucket }] } },
    });
    const [letters] = theResource(template, 'AWS::SQS::Queue', 'PlacingDeadLetters');
    const [, queue] = theResource(template, 'AWS::SQS::Queue', 'PlacingQueue');
    expect(queue.Properties.RedrivePolicy).toMatchObject({ deadLetterTargetArn: { 'Fn::GetAtt': [letters, 'Arn'] } });
    const [alarm] = theResource(template, 'AWS::CloudWatch::Alarm', 'ResultsWaiting');
    expect(JSON.stringify(theResource(template, 'AWS::CloudWatch::Dashboard', 'Dashboard')[1])).toContain(alarm);
  });

  test('deliver and parse are told where results go', () => {
    const [uploadsId] = theResource(template, 'AWS::S3::Bucket', 'Uploads');
    for (const stage of ['ParseFunction', 'DeliverFunction']) {
      const [, { Properties }] = theResource(template, 'AWS::Lambda::Function', stage);
      const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
      const told = JSON.parse(textOf(Variables.AIRLOCK_SOURCES).replaceAll(`<${uploadsId}>`, 'uploads'));
      expect(told).toEqual([
        { bucket: 'uploads', prefix: 'in/', results: { keys: 'in-place', bucket: 'uploads', prefix: '' } },
      ]);
    }
  });
});

test('mirrored results lie in the clean bucket, whose one writer needs no more permission to write', () => {
  const template = stackWith(({ uploads }) => [{ bucket: uploads, keys: 'mirrored' }]);
  const [, deliver] = theResource(template, 'AWS::Lambda::Function', 'DeliverFunction');
  expect(JSON.stringify(deliver.Properties.Environment)).toContain('clean/');
  expect(who(template, 's3:PutObject', `${arnOf(template, 'BucketsClean')}/clean/a`)).toEqual(['Deliver']);
  expect(who(template, 's3:PutObject', `${arnOf(template, 'Uploads')}/a`)).toEqual([]);
});

test.each(['by-run', 'mirrored'] as const)(
  '%s in another bucket: its policy refuses every other writer there',
  (keys) => {
    const template = stackWith(({ uploads, others }) => [
      { bucket: uploads, prefix: 'a/', keys, destination: { bucket: others, prefix: 'team-a/' } },
      { bucket: uploads, prefix: 'b/', keys, destination: { bucket: others, prefix: 'team-b/' } },
    ]);
    const others = arnOf(template, 'Others');
    expect(who(template, 's3:PutObject', `${others}/team-a/x`)).toEqual(['Deliver']);
    expect(who(template, 's3:PutObject', `${others}/elsewhere/x`)).toEqual([]);
    const sealed = statementsOf(template).filter(({ raw, resources }) => {
      return String(raw.Sid).startsWith('OnlyDeliverWrites') && resources.some((one) => one.startsWith(others));
    });
    expect(sealed.map(({ resources, effect }) => [effect, ...resources])).toEqual([
      ['Deny', `${others}/team-a/*`],
      ['Deny', `${others}/team-b/*`],
    ]);
    expect(resourcesOf(template, 'AWS::Events::Rule').filter(([id]) => id.includes('PlacingDelivered'))).toHaveLength(
      1,
    );
  },
);

test('without a word about results nothing of it is there', () => {
  const template = stackWith(({ uploads }) => [{ bucket: uploads }]);
  expect(Object.keys(template.Resources).filter((id) => id.includes('Placing'))).toEqual([]);
  const [, deliver] = theResource(template, 'AWS::Lambda::Function', 'DeliverFunction');
  expect(JSON.stringify(deliver.Properties.Environment)).not.toContain('AIRLOCK_SOURCES');
});

describe('is refused at synth:', () => {
  const mirrored = { keys: 'mirrored' } as const;
  test.each<[string, (given: Given) => readonly Source[], string]>([
    ['in place without versions', ({ others }) => [{ bucket: others, keys: 'in-place' }], 'Set versioned: true'],
    [
      'in place and elsewhere',
      ({ uploads, others }) => [{ bucket: uploads, keys: 'in-place', destination: { bucket: others } }],
      'leave destination out',
    ],
    [
      'results that come in again',
      ({ uploads }) => [{ bucket: uploads, ...mirrored, destination: { bucket: uploads, prefix: 'clean/' } }],
      'would come in again',
    ],
    [
      'results that come in by another source',
      ({ uploads, others }) => [
        { bucket: others, prefix: 'in/' },
        { bucket: uploads, ...mirrored, destination: { bucket: others } },
      ],
      'would come in again',
    ],
    [
      'a later source in which results lie',
      ({ uploads, others }) => [
        { bucket: uploads, ...mirrored, destination: { bucket: others, prefix: 'out/' } },
        { bucket: others },
      ],
      'would come in again',
    ],
    [
      'results in the intake bucket',
      ({ uploads, stack }) => [{ bucket: uploads, ...mirrored, destination: { bucket: stack.airlock.intakeBucket } }],
      'would come in again',
    ],
    [
      'two buckets under one prefix',
      ({ uploads, others }) => [
        { bucket: uploads, ...mirrored },
        { bucket: others, ...mirrored },
      ],
      'a prefix of its own',
    ],
    [
      'a prefix in the clean bucket that could be that of a delivery',
      ({ uploads }) => [{ bucket: uploads, ...mirrored, destination: { prefix: '' } }],
      'could replace deliveries',
    ],
    [
      'the place of keys',
      ({ uploads }) => [{ bucket: uploads, ...mirrored, destination: { prefix: 'keys/' } }],
      'could replace deliveries',
    ],
    [
      'a prefix that is a pattern',
      ({ uploads }) => [{ bucket: uploads, ...mirrored, destination: { prefix: 'a*/' } }],
      'must not begin with /',
    ],
  ])('%s', (_, sources, says) => {
    expect(() => stackWith(sources)).toThrow(says);
  });
});

describe('the setting sources', () => {
  const settingOf = (sources: string) => {
    const { template } = synthesize({ context: { sources } });
    const [, { Properties }] = theResource(template, 'AWS::Lambda::Function', 'ParseFunction');
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
    const [clean] = theResource(template, 'AWS::S3::Bucket', 'BucketsClean');
    return JSON.parse(textOf(Variables.AIRLOCK_SOURCES).replaceAll(`<${clean}>`, 'clean'));
  };

  test.each([
    ['uploads/in/*.pdf=in-place', { keys: 'in-place', bucket: 'uploads', prefix: '' }],
    ['uploads/year=2026/*=mirrored', { keys: 'mirrored', bucket: 'clean', prefix: 'clean/' }],
    ['uploads=mirrored:results/team-a/', { keys: 'mirrored', bucket: 'results', prefix: 'team-a/' }],
    ['uploads=by-run:results', { keys: 'by-run', bucket: 'results', prefix: '' }],
  ])('%s', (text, results) => {
    expect(settingOf(text)).toMatchObject([{ bucket: 'uploads', results }]);
  });

  test('a prefix may look like a word of ours', () => {
    expect(settingOf('uploads/year=2026/')).toEqual([{ bucket: 'uploads', prefix: 'year=2026/' }]);
  });

  test.each(['uploads=mirrored:RESULTS', 'UPLOADS=in-place'])('%s is refused', (sources) => {
    expect(() => synthesize({ context: { sources } })).toThrow('is expected');
  });
});
