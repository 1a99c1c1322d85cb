import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../lib/infra/policy-text.ts';
import { ContextError, refuseUnknown } from '../../lib/infra/settings.ts';
import { STACK_ROWS } from '../../lib/local/config/stack.ts';
import { ConfigError } from '../../lib/pipeline/errors.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { resourcesOf, synthesize, theResource } from './synth.ts';

const run = promisify(execFile);

const templateWith = (context: Record<string, unknown>) => synthesize({ context }).template;

test('the documents list every setting with its default', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/aws.md'), 'utf8');
  const rows = STACK_ROWS.map(({ name, says, default: byDefault }) => `| \`${name}\` | ${says} | ${byDefault} |`);
  expect(text).toContain(`| context | says | default |\n|---|---|---|\n${rows.join('\n')}\n\n`);
});

describe('a name of the context', () => {
  test('that is no setting is refused, with those that it may have meant', () => {
    const names = ['analysisUrll', 'alarmMail', 'zzz', 'config', 'analysisUrl'];
    expect(() => refuseUnknown(names, ['config'])).toThrow(
      new ContextError([
        'analysisUrll: there is no such setting; is it analysisUrl or analysis?',
        'alarmMail: there is no such setting; is it alarmEmail or alarmTopicArn?',
        'zzz: there is no such setting (docs/aws.md has them all)',
      ]),
    );
  });

  test('that is of the CDK, and every setting, is taken', () => {
    const ofCdk = ['@aws-cdk/core:checkSecretUsage', 'aws:cdk:bundling-stacks', 'availability-zones:account=1'];
    expect(() => refuseUnknown([...ofCdk, ...STACK_ROWS.map(({ name }) => name)])).not.toThrow();
  });
});

describe('a value of the context', () => {
  test('alarmEmail: every alarm goes to a topic with this address', () => {
    const template = templateWith({ alarmEmail: 'ops@example.org' });
    const [topicId] = theResource(template, 'AWS::SNS::Topic', 'Alarms');
    const [, subscription] = theResource(template, 'AWS::SNS::Subscription', 'Alarms');
    expect(subscription.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.org' });
    for (const [, { Properties }] of resourcesOf(template, 'AWS::CloudWatch::Alarm'))
      expect(Properties.AlarmActions).toEqual([{ Ref: topicId }]);
  });

  test('retention: the bucket of that name forgets after so many days, and logs too', () => {
    const template = templateWith({ cleanRetentionDays: 30, quarantineRetentionDays: '14', logRetentionDays: 7 });
    const daysOf = (name: string) => {
      const [, bucket] = theResource(template, 'AWS::S3::Bucket', name);
      return (bucket.Properties.LifecycleConfiguration as { Rules: { ExpirationInDays?: number }[] }).Rules[0]
        ?.ExpirationInDays;
    };
    expect([daysOf('BucketsClean'), daysOf('BucketsQuarantine'), daysOf('BucketsIntake')]).toEqual([30, 14, 30]);
    for (const [, { Properties }] of resourcesOf(template, 'AWS::Logs::LogGroup'))
      expect(Properties.RetentionInDays).toBe(7);
  });

  test('buckets, keys, secrets and bus of the operator take the place of new ones', () => {
    const arn = (id: string) => `arn:aws:kms:eu-central-1:123456789012:key/${id}`;
    const template = templateWith({
      intakeBucketName: 'our-in',
      workBucketName: 'our-work',
      cleanBucketName: 'our-clean',
      quarantineBucketName: 'our-held',
      keyArn: arn('a'),
      cleanKeyArn: arn('b'),
      apiKeySecretName: 'our-key',
      eventBusName: 'our-bus',
    });
    for (const type of ['AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'])
      expect(
        resourcesOf(template, type).filter(([id]) => !id.includes('Signing')),
        type,
      ).toEqual([]);
    const all = JSON.stringify(template);
    for (const name of ['our-in', 'our-work', 'our-clean', 'our-held', 'key/a', 'key/b', 'our-key', 'our-bus'])
      expect(all).toContain(name);
  });

  test('ocsfFindings: the stages that end a run emit findings, and no other stage changes', () => {
    const told = (context: Record<string, unknown>) =>
      resourcesOf(templateWith(context), 'AWS::Lambda::Function')
        .filter(([, { Properties }]) => JSON.stringify(Properties.Environment).includes('AIRLOCK_OCSF_FINDINGS'))
        .map(([id]) => id.replace(/^MailAirlock(\w+)Function.*$/, '$1'));
    expect(told({ ocsfFindings: true })).toEqual(['Deliver', 'Quarantine']);
    expect(told({})).toEqual([]);
    expect(() => templateWith({ ocsfFindings: 'yes' })).toThrow('ocsfFindings: true or false is expected');
  });

  test('whenStackIsDeleted: everything goes with the stack', () => {
    const policies = (context: Record<string, unknown>) =>
      resourcesOf(templateWith(context), 'AWS::KMS::Key').map(
        ([, key]) => (key as { DeletionPolicy?: string }).DeletionPolicy,
      );
    expect(policies({ whenStackIsDeleted: 'destroy' })).toEqual(['Delete', 'Delete']);
    expect(policies({})).toEqual(['Retain', 'Retain']);
  });

  test('deadlineMinutes and maxConcurrentParses reach the functions', () => {
    const template = templateWith({ deadlineMinutes: 10, maxConcurrentParses: 3 });
    const [, poll] = theResource(template, 'AWS::Lambda::Function', 'PollFunction');
    expect(JSON.stringify(poll.Properties.Environment)).toContain('"AIRLOCK_DEADLINE_SECONDS":"600"');
    const limits = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(
      ([, { Properties }]) => Properties.ScalingConfig,
    );
    expect(limits).toContainEqual({ MaximumConcurrency: 3 });
  });

  test('that cannot be used is refused, and all of them are said at once', () => {
    const wrong = {
      deadlineMinutes: 'soon',
      workRetentionDays: '-1',
      logRetentionDays: 8,
      alarmEmail: 'nobody',
      whenStackIsDeleted: 'maybe',
    };
    const lines = [
      'deadlineMinutes: a whole number from 1 on is expected, not "soon"',
      'alarmEmail: a mail address is expected, not "nobody"',
      'workRetentionDays: a whole number from 1 on is expected, not "-1"',
      'logRetentionDays: one of 1, 3, 5, 7, 14',
      'whenStackIsDeleted: keep or destroy is expected, not "maybe"',
    ];
    const message = (() => {
      try {
        templateWith(wrong);
        return '';
      } catch (error) {
        return String(error);
      }
    })();
    for (const line of lines) expect(message).toContain(line);
    const two = { alarmEmail: 'a@example.org', alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:ops' };
    expect(() => templateWith(two)).toThrow('only one of them can be set');
  });
});

describe('the app says in a few lines what cannot be used:', () => {
  const folder = scratchDirectory();
  const written = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a prop out of its bounds',
      { config: 'none', deadlineMinutes: 600_000, workRetentionDays: 3 },
      'MailAirlock cannot be built:\n  - deadline: from 60 seconds to 24 hours, not 36000000 seconds\n  - workRetention: at least 7 days, not 3\n',
    ],
    [
      'a policy',
      { config: 'none', policyFile: written('policy.json', '{"nonsense":1}') },
      `the policy file ${join(folder, 'policy.json')} cannot be used:\n  - line 1: nonsense: there is no such field. The fields there are ${Object.keys(DEFAULT_POLICY).join(', ')}.\n`,
    ],
    [
      'a configuration',
      { config: written('airlock.config.json', '{"stack": {"desk": 5}}') },
      `${join(folder, 'airlock.config.json')} cannot be used:\n  - line 1: stack.desk: true or false is expected, not 5\n`,
    ],
  ])('%s', async (_, context, says) => {
    const app = join(import.meta.dirname, '../../bin/app.ts');
    const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_VALIDATION: 'false' };
    const failed = await run(process.execPath, ['--import', 'tsx', app], { env }).then(
      () => null,
      (error: { code: number; stderr: string }) => error,
    );
    expect([failed?.code, failed?.stderr]).toEqual([1, says]);
  });
});

test('a policy file that is not there is named', () => {
  const file = join(scratchDirectory(), 'missing.json');
  const issue = `ENOENT: no such file or directory, open '${file}'`;
  expect(() => readPolicy(file)).toThrow(new ConfigError(`the policy file ${file}`, [issue]));
});
