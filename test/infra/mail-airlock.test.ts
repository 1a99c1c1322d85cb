import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as events from 'aws-cdk-lib/aws-events';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as sns from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { MailAirlock } from '../../lib/infra/mail-airlock.ts';
import type { MailAirlockProps } from '../../lib/infra/mail-airlock-props.ts';
import { STAGE_NAMES } from '../../lib/pipeline/model.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { resourcesOf, synthesize, textOf, theResource } from './synth.ts';

const { template } = synthesize();
const URL = 'https://analysis.example.com';

function build(props: (stack: Stack) => Partial<MailAirlockProps>) {
  const app = new App({ outdir: scratchDirectory(), context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'Mine');
  new MailAirlock(stack, 'Airlock', { analysisUrl: URL, ...props(stack) });
  expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  return app.synth().getStackByName('Mine').template;
}

describe('the buckets', () => {
  const buckets = resourcesOf(template, 'AWS::S3::Bucket');

  test('are closed to the public, encrypted, and forget by age', () => {
    expect(buckets).toHaveLength(5);
    for (const [, { Properties }] of buckets) {
      expect(Object.values(Properties.PublicAccessBlockConfiguration as object)).toEqual([true, true, true, true]);
      expect(Properties.BucketEncryption).toBeDefined();
      expect(JSON.stringify(Properties.LifecycleConfiguration)).toContain('ExpirationInDays');
    }
  });

  test('keep no version for long after it expired, but in the intake bucket as long as its event may wait', () => {
    const kept = buckets.flatMap(([id, { Properties }]) => {
      const { Rules } = Properties.LifecycleConfiguration as { Rules: Record<string, unknown>[] };
      return Rules.flatMap((rule) =>
        rule.NoncurrentVersionExpiration ? [[roleOf(id), rule.NoncurrentVersionExpiration]] : [],
      );
    });
    const days = (NoncurrentDays: number) => ({ NoncurrentDays });
    expect(Object.fromEntries(kept)).toEqual({ Intake: days(14), Work: days(1), Clean: days(1), Quarantine: days(1) });
  });

  const roleOf = (id: string) => id.replace(/^MailAirlockBuckets|.{8}$/g, '');

  test('of the flow are versioned, have a customer key, and log every access', () => {
    const flow = buckets.filter(([id]) => !id.includes('AccessLogs'));
    expect(flow).toHaveLength(4);
    for (const [, { Properties }] of flow) {
      expect(Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
      expect(JSON.stringify(Properties.BucketEncryption)).toContain('aws:kms');
      expect(Properties.LoggingConfiguration).toBeDefined();
    }
    for (const [, key] of resourcesOf(template, 'AWS::KMS::Key')) expect(key.Properties.EnableKeyRotation).toBe(true);
  });

  test('refuse what does not come over TLS', () => {
    const policies = resourcesOf(template, 'AWS::S3::BucketPolicy');
    expect(policies).toHaveLength(5);
    for (const [, policy] of policies) expect(JSON.stringify(policy)).toContain('{"aws:SecureTransport":"false"}');
  });
});

describe('the way in', () => {
  test('leads from the intake bucket over EventBridge and a queue to parse', () => {
    const [intakeId, intake] = theResource(template, 'AWS::S3::Bucket', 'BucketsIntake');
    expect(intake.Properties.NotificationConfiguration).toEqual({
      EventBridgeConfiguration: { EventBridgeEnabled: true },
    });
    const [queueId] = theResource(template, 'AWS::SQS::Queue', 'IntakeQueue');
    const [, rule] = theResource(template, 'AWS::Events::Rule', 'ObjectCreated');
    expect(rule.Properties.EventPattern).toMatchObject({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: [{ Ref: intakeId }] } },
    });
    expect(JSON.stringify(rule.Properties.Targets)).toContain(queueId);
    expect(mappingOf('ParseFunction')).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 20 },
    });
  });

  test('hides a mail from other functions for longer than a function can run', () => {
    const [, parse] = theResource(template, 'AWS::Lambda::Function', 'ParseFunction');
    const [, queue] = theResource(template, 'AWS::SQS::Queue', 'IntakeQueue');
    expect(queue.Properties.VisibilityTimeout).toBeGreaterThan(Number(parse.Properties.Timeout));
  });

  test('sends every mail that fails there to quarantine', () => {
    const [casualtiesId] = theResource(template, 'AWS::SQS::Queue', 'Casualties');
    const arn = `<${casualtiesId}.Arn>`;
    const [, queue] = theResource(template, 'AWS::SQS::Queue', 'IntakeQueue');
    const redrive = queue.Properties.RedrivePolicy as { deadLetterTargetArn: unknown };
    expect(textOf(redrive.deadLetterTargetArn)).toBe(arn);
    const [, ended] = theResource(template, 'AWS::Events::Rule', 'ExecutionEndedBadly');
    expect(ended.Properties.EventPattern).toMatchObject({ detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'] } });
    expect((ended.Properties.Targets as { Arn: unknown }[]).map((target) => textOf(target.Arn))).toEqual([arn]);
    expect(textOf(mappingOf('QuarantineFunction').EventSourceArn)).toBe(arn);
  });

  test('raises an alarm for late mail, failed executions, a failed quarantine and a service that is away or refuses', () => {
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([id]) =>
      id.replace(/^MailAirlockMonitoring|.{8}$/g, ''),
    );
    expect(alarms.sort()).toEqual([
      'CasualtiesStuck',
      'CasualtiesWaiting',
      'ExecutionsAborted',
      'ExecutionsFailed',
      'ExecutionsTimedOut',
      'ExpressBroken',
      'HeldByFault',
      'IntakeLate',
      'QuarantineErrors',
      'QuarantinedShare',
      'ServiceAway',
      'ServiceRefuses',
      'Throttled',
      'UnfiledWaiting',
    ]);
  });

  test('counts how the service answers, and what the state machine did, from the logs of those who know it', () => {
    const filters = resourcesOf(template, 'AWS::Logs::MetricFilter').map(([id, { Properties }]) => {
      const [{ MetricValue }] = Properties.MetricTransformations as [{ MetricValue: string }];
      return `${id.replace(/^MailAirlockMonitoringRuns|.{8}$/g, '')} ${Properties.FilterPattern} ${MetricValue}`;
    });
    const inStages = (name: string, stages: readonly string[], rest: string) =>
      stages.map((stage) => `${name}In${stage} ${rest}`);
    const asking = ['submit', 'poll', 'fetch'];
    expect(filters.sort()).toEqual(
      [
        ...inStages('ServiceAway', asking, '{ $.fault = "away" } 1'),
        ...inStages('ServiceRefuses', STAGE_NAMES, '{ $.fault = "misconfigured" } 1'),
        'ExpressUnheardInLog { ($.type = "TaskStartFailed") || ($.type = "TaskSubmitFailed") || ($.type = "TaskFailed") || ($.type = "TaskTimedOut") } 1',
        'StatesEnteredInLog { $.type = "*StateEntered" } 1',
      ].sort(),
    );
    const [, alarm] = theResource(template, 'AWS::CloudWatch::Alarm', 'ServiceRefuses');
    const named = resourcesOf(template, 'AWS::Logs::MetricFilter').flatMap(
      ([, { Properties }]) => Properties.MetricTransformations as { MetricName: string }[],
    );
    expect(named.filter(({ MetricName }) => MetricName === alarm.Properties.MetricName)).toHaveLength(
      STAGE_NAMES.length,
    );
  });

  test('raises an alarm when an Express execution breaks or is not heard of, and the other machine does its work', () => {
    const [, alarm] = theResource(template, 'AWS::CloudWatch::Alarm', 'ExpressBroken');
    const [expressId] = theResource(template, 'AWS::StepFunctions::StateMachine', 'Express');
    const [, machine] = theResource(template, 'AWS::StepFunctions::StateMachine', 'ScanEmail');
    const [, filter] = theResource(template, 'AWS::Logs::MetricFilter', 'ExpressUnheardInLog');
    const [{ MetricName: unheard }] = filter.Properties.MetricTransformations as [{ MetricName: string }];
    const metrics = alarm.Properties.Metrics as {
      Expression?: string;
      MetricStat?: { Metric: { MetricName: string; Dimensions?: { Value: unknown }[] } };
    }[];
    const sum = metrics.flatMap(({ Expression }) => Expression ?? []);
    expect(sum).toEqual(['FILL(failed, 0) + FILL(timedOut, 0) + FILL(unheard, 0)']);
    const added = metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    expect(
      added.map(({ MetricName, Dimensions = [] }) => [MetricName, ...Dimensions.map(({ Value }) => Value)]),
    ).toEqual([['ExecutionsFailed', { Ref: expressId }], ['ExecutionsTimedOut', { Ref: expressId }], [unheard]]);
    expect(alarm.Properties).toMatchObject({ Threshold: 1, EvaluationPeriods: 1 });
    // What was not heard of stands in the log of the machine that waited, which must have every event.
    const { Level, Destinations } = machine.Properties.LoggingConfiguration as {
      Level: string;
      Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: unknown } }];
    };
    expect(Level).toBe('ALL');
    expect(textOf(Destinations[0].CloudWatchLogsLogGroup.LogGroupArn)).toContain(
      textOf(filter.Properties.LogGroupName).replace(/[<>]/g, ''),
    );
    // Task events are those of integrations, and no other state has one: every stage is called as a function.
    const text = textOf(machine.Properties.DefinitionString);
    expect(text.match(/arn:aws:states:::[\w:-]+/g)).toEqual(['arn:aws:states:::aws-sdk:sfn:startSyncExecution']);
  });

  test('raises an alarm when any stage is throttled for a quarter of an hour', () => {
    const [, { Properties }] = theResource(template, 'AWS::CloudWatch::Alarm', 'Throttled');
    const metrics = (Properties.Metrics as { MetricStat?: { Metric: { MetricName: string } } }[]).flatMap(
      ({ MetricStat }) => MetricStat?.Metric.MetricName ?? [],
    );
    expect(metrics).toEqual(STAGE_NAMES.map(() => 'Throttles'));
    // CloudWatch refuses an alarm over more metrics.
    expect(metrics.length).toBeLessThanOrEqual(10);
    expect(Properties).toMatchObject({ Threshold: 1, EvaluationPeriods: 3 });
  });

  test('has every stage write metrics under a name of this airlock, and reads them under the same', () => {
    const functions = resourcesOf(template, 'AWS::Lambda::Function');
    const names = functions.flatMap(([id, { Properties }]) => {
      const { AIRLOCK_METRICS: name } = (Properties.Environment as { Variables: Record<string, unknown> }).Variables;
      return name === undefined ? [] : [[/^MailAirlock(\w+?)Function/.exec(id)?.[1]?.toLowerCase(), name] as const];
    });
    expect(new Set(names.map(([stage]) => stage))).toEqual(new Set(STAGE_NAMES));
    const [name, ...others] = new Set(names.map(([, name]) => name));
    expect(others).toEqual([]);
    const [, { Properties }] = theResource(template, 'AWS::CloudWatch::Alarm', 'HeldByFault');
    expect(Properties).toMatchObject({
      Namespace: 'MailAirlock',
      MetricName: 'heldByFault',
      Dimensions: [{ Name: 'airlock', Value: name }],
    });
  });

  test('shows verdicts, reasons and money on the dashboard', () => {
    const { template: withEngines } = synthesize({ context: { analysisUrl: '' } });
    const [, { Properties }] = theResource(withEngines, 'AWS::CloudWatch::Dashboard', 'Dashboard');
    const body = textOf(Properties.DashboardBody);
    for (const shown of [
      'verdict_malicious',
      'removed_executable',
      'outstanding',
      'analysisSeconds',
      'dollars per mail',
    ])
      expect(body).toContain(shown);
    expect(body).toMatch(/SEARCH\('\{MailAirlock,airlock,reason\} airlock=/);
    // A function costs what its memory and its time cost.
    expect(body).toContain('FILL(parseMs, 0) * 2 + ');
    expect(body).toContain(') / 1000) * 13.3334 / 1000000');
    for (const engine of ['static', 'sandbox', 'cdr', 'url_analysis']) expect(body).toContain(`engine_${engine}Times`);
  });

  function mappingOf(name: string) {
    const found = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').filter(([, { Properties }]) =>
      textOf(Properties.FunctionName).includes(name),
    );
    expect(found).toHaveLength(1);
    return found[0]?.[1].Properties ?? {};
  }
});

describe('the rest', () => {
  test('keeps submissions in a table that is paid by use, expires its entries and can be restored', () => {
    const [, table] = theResource(template, 'AWS::DynamoDB::Table', 'Submissions');
    expect(table.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'expiresAtSeconds', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    });
  });

  test('does not invent a key for the service, but leaves the secret empty', () => {
    const [, secret] = theResource(template, 'AWS::SecretsManager::Secret', 'ApiKey');
    expect(secret.Properties.GenerateSecretString).toBeUndefined();
    expect(secret.Properties.SecretString).toBeUndefined();
  });

  test('synthesizes to the same template twice', () => {
    expect(synthesize().template).toEqual(template);
  });

  test('uses the buckets and keys it is given', () => {
    const built = build((stack) => ({
      intakeBucket: s3.Bucket.fromBucketName(stack, 'In', 'our-mail'),
      workBucket: s3.Bucket.fromBucketName(stack, 'Work', 'our-work'),
      cleanBucket: s3.Bucket.fromBucketName(stack, 'Clean', 'our-clean-mail'),
      quarantineBucket: s3.Bucket.fromBucketName(stack, 'Quarantine', 'our-quarantine'),
      key: kms.Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-central-1:123456789012:key/a'),
      cleanKey: kms.Key.fromKeyArn(stack, 'CleanKey', 'arn:aws:kms:eu-central-1:123456789012:key/b'),
    }));
    expect(resourcesOf(built, 'AWS::S3::Bucket')).toEqual([]);
    expect(resourcesOf(built, 'AWS::KMS::Key')).toEqual([]);
    const [, rule] = theResource(built, 'AWS::Events::Rule', 'ObjectCreated');
    expect(rule.Properties.EventPattern).toMatchObject({ detail: { bucket: { name: ['our-mail'] } } });
    const [, told] = theResource(built, 'Custom::S3BucketNotifications', 'In');
    expect(told.Properties).toMatchObject({
      BucketName: 'our-mail',
      NotificationConfiguration: { EventBridgeConfiguration: {} },
      Managed: false,
    });
  });

  test('sets the notifications of a given intake bucket of the same app itself', () => {
    const stack = new Stack(
      new App({ outdir: scratchDirectory(), context: { 'aws:cdk:bundling-stacks': [] } }),
      'Mine',
    );
    const intakeBucket = new s3.Bucket(stack, 'Ours') as s3.IBucket;
    new MailAirlock(stack, 'Airlock', { analysisUrl: URL, intakeBucket });
    const built = Template.fromStack(stack).toJSON() as typeof template;
    const [, ours] = theResource(built, 'AWS::S3::Bucket', 'Ours');
    expect(ours.Properties.NotificationConfiguration).toEqual({
      EventBridgeConfiguration: { EventBridgeEnabled: true },
    });
  });

  test('warns of rules of the policy that count for the gateway alone', () => {
    const rules = { recipients: { 'b.example': {} }, firstMessage: { afterSeconds: 30 } };
    const warnings = [{ recipients: {} }, rules].map((policy) => {
      const stack = new Stack(
        new App({ outdir: scratchDirectory(), context: { 'aws:cdk:bundling-stacks': [] } }),
        'Mine',
      );
      new MailAirlock(stack, 'Airlock', { policyFile: policyFile(JSON.stringify(policy)) });
      return Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('recipients and firstMessage'))
        .length;
    });
    expect(warnings).toEqual([0, 1]);
  });

  test('warns when others can write to the given clean bucket, with the statement that closes it', () => {
    const stack = new Stack(
      new App({ outdir: scratchDirectory(), context: { 'aws:cdk:bundling-stacks': [] } }),
      'Mine',
    );
    const cleanBucket = s3.Bucket.fromBucketName(stack, 'Clean', 'our-clean-mail');
    new MailAirlock(stack, 'Airlock', { analysisUrl: URL, cleanBucket });
    const [warning] = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('Others can write'));
    const [, statement = ''] = String(warning?.entry.data).split(/to it:\n| \[ack: /);
    expect(JSON.parse(statement)).toMatchObject({
      Effect: 'Deny',
      Action: ['s3:PutObject', 's3:ReplicateObject'],
      Condition: {
        ArnNotEquals: { 'aws:PrincipalArn': { 'Fn::GetAtt': [expect.stringContaining('DeliverRole'), 'Arn'] } },
      },
    });
  });

  test('puts the functions into the given network, with the secrets, bus and topic of the operator', () => {
    const built = build((stack) => ({
      vpc: ec2.Vpc.fromVpcAttributes(stack, 'Vpc', {
        vpcId: 'vpc-1',
        availabilityZones: ['eu-central-1a'],
        privateSubnetIds: ['subnet-1'],
      }),
      apiKeySecret: secretsmanager.Secret.fromSecretNameV2(stack, 'Secret', 'our-key'),
      eventBus: events.EventBus.fromEventBusName(stack, 'Bus', 'our-bus'),
      alarmTopic: sns.Topic.fromTopicArn(stack, 'Topic', 'arn:aws:sns:eu-central-1:123456789012:ops'),
    }));
    for (const [id, { Properties }] of resourcesOf(built, 'AWS::Lambda::Function'))
      expect([id, JSON.stringify(Properties.VpcConfig).includes('subnet-1')]).toEqual([id, !id.includes('Rebuild')]);
    for (const [, { Properties }] of resourcesOf(built, 'AWS::CloudWatch::Alarm'))
      expect(Properties.AlarmActions).toEqual(['arn:aws:sns:eu-central-1:123456789012:ops']);
    const secrets = resourcesOf(built, 'AWS::SecretsManager::Secret').filter(([id]) => !id.includes('Signing'));
    expect(secrets).toEqual([]);
    const [, submit] = theResource(built, 'AWS::Lambda::Function', 'SubmitFunction');
    expect(JSON.stringify(submit.Properties.Environment)).toContain('secret:our-key');
  });

  test.each([
    ['a service without TLS', { analysisUrl: 'http://analysis.example.com' }, /analysisUrl: must be an https/],
    ['a service that is no URL', { cdrUrl: 'cdr' }, /cdrUrl: must be an https/],
    ['a work bucket that forgets too early', { workRetention: Duration.days(1) }, /workRetention: at least 7 days/],
    [
      'a deadline that times everything out',
      { deadline: Duration.minutes(0) },
      /deadline: from 60 seconds to 24 hours/,
    ],
    ['a deadline of a year', { deadline: Duration.minutes(600_000) }, /not 36000000 seconds/],
    ['too few parsers', { maxConcurrentParses: 1 }, /maxConcurrentParses: from 2 to 1000, not 1/],
    [
      'a policy file with a fault',
      { policyFile: policyFile('{"types": {"pdf": {"verdicts": {"unknown": "keep"}}}}') },
      /policy/,
    ],
  ])('refuses %s at synth', (_, props: Partial<MailAirlockProps>, message) => {
    expect(() => build(() => props)).toThrow(message);
  });

  test('takes a policy file', () => {
    expect(() => build(() => ({ policyFile: policyFile('{}') }))).not.toThrow();
  });

  test.each<[string, Partial<MailAirlockProps> & { readonly analysisUrl?: undefined }, RegExp]>([
    [
      'a kind of a service that is nowhere',
      { analysis: { sandbox: 'service' } },
      /analysis: sandbox is done by the service/,
    ],
    ['a CDR service that nobody asks', { cdrUrl: 'https://cdr.example.com' }, /cdrUrl: the engines disarm/],
    ['too many engines', { maxConcurrentEngines: 5_000 }, /maxConcurrentEngines: from 2 to 1000, not 5000/],
  ])('without a service refuses %s at synth', (_, props, message) => {
    const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Mine');
    expect(() => new MailAirlock(stack, 'Airlock', props)).toThrow(message);
  });

  test('refuses a service that does nothing, and a network of the engines with a way out', () => {
    const analysis = { static: 'engines', cdr: 'engines', sandbox: 'engines', url_analysis: 'engines' } as const;
    expect(() => build(() => ({ analysis }))).toThrow(/analysisUrl: the engines do every kind of analysis/);
    const withExit = (stack: Stack) => new ec2.Vpc(stack, 'Open', { natGateways: 1 });
    expect(() => build((stack) => ({ engineVpc: withExit(stack) as ec2.IVpc }))).toThrow(
      /engineVpc: it has no isolated/,
    );
  });
});

function policyFile(json: string): string {
  const file = join(scratchDirectory(), 'policy.json');
  writeFileSync(file, json);
  return file;
}
