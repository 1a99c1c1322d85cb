import { describe, expect, test } from 'vitest';
import { grantsOf } from './policy-walk.ts';
import { resourcesOf, synthesize, theResource } from './synth.ts';

const { template } = synthesize({ context: { sesRecipients: 'example.com, bob@example.org' } });
const idOf = (type: string, part: string, from = template) => theResource(from, type, part)[0];
const intake = idOf('AWS::S3::Bucket', 'BucketsIntake');
const key = idOf('AWS::KMS::Key', 'BucketsKey');

describe('SES', () => {
  const [, rule] = theResource(template, 'AWS::SES::ReceiptRule', 'Rule');

  test('receives for the recipients only, with TLS, and says what it thinks of the mail', () => {
    expect(rule.Properties.Rule).toMatchObject({
      Enabled: true,
      Recipients: ['example.com', 'bob@example.org'],
      ScanEnabled: true,
      TlsPolicy: 'Require',
    });
  });

  test('puts mail into the intake bucket through a role that may do that and say so, and nothing else', () => {
    const role = idOf('AWS::IAM::Role', 'DoorsSesRole');
    const granted = grantsOf(template)
      .filter(({ who, effect }) => effect === 'Allow' && who.includes(role))
      .flatMap(({ actions, resources }) => actions.map((action) => `${action} ${resources.join()}`));
    const topic = idOf('AWS::SNS::Topic', 'DoorsSes');
    expect(granted.sort()).toEqual([
      `kms:Encrypt <${key}.Arn>`,
      `kms:GenerateDataKey <${key}.Arn>`,
      `s3:PutObject <${intake}.Arn>/ses/*`,
      `sns:Publish <${topic}>`,
    ]);
    const trust = JSON.stringify(theResource(template, 'AWS::IAM::Role', 'DoorsSesRole')[1].Properties);
    for (const each of ['aws:SourceAccount', 'aws:SourceArn', 'ses.amazonaws.com']) expect(trust).toContain(each);
    const actions = (rule.Properties.Rule as { Actions: { S3Action: object }[] }).Actions;
    expect(actions).toHaveLength(1);
    // `KmsKeyArn` would encrypt on the side of the client, and nobody could read the mail.
    expect(actions[0]?.S3Action).toEqual({
      BucketName: { Ref: intake },
      ObjectKeyPrefix: 'ses/',
      IamRoleArn: { 'Fn::GetAtt': [role, 'Arn'] },
      TopicArn: { Ref: topic },
    });
  });

  test('who notes envelopes writes nothing else, and an alarm says when one is lost', () => {
    const role = idOf('AWS::IAM::Role', 'DoorsSesEnvelopeRole');
    const writes = grantsOf(template)
      .filter(({ who, effect }) => effect === 'Allow' && who.includes(role))
      .flatMap(({ actions, resources }) => actions.map((action) => `${action} ${resources.join()}`))
      .filter((line) => line.startsWith('s3:'));
    expect(writes).toEqual([`s3:PutObject <${idOf('AWS::S3::Bucket', 'BucketsWork')}.Arn>/envelopes/*`]);
    expect(theResource(template, 'AWS::CloudWatch::Alarm', 'EnvelopesWaiting')).toBeDefined();
  });

  test('gets a rule in the set that is active, when that is named', () => {
    const context = { sesRecipients: 'example.com', sesRuleSetName: 'ours' };
    const other = synthesize({ context }).template;
    expect(resourcesOf(other, 'AWS::SES::ReceiptRuleSet')).toEqual([]);
    expect(theResource(other, 'AWS::SES::ReceiptRule', 'Rule')[1].Properties.RuleSetName).toBe('ours');
  });

  test.each([
    [{ sesRecipients: '.' }, 'an address or a domain is expected'],
    [{ sesRecipients: 'a@b@example.com' }, 'an address or a domain is expected'],
    [{ sesRecipients: Array(101).fill('example.com').join() }, 'from 1 to 100'],
    [{ sesRuleSetName: 'ours' }, 'nothing is received'],
    [{ mailManagerRecipients: '*' }, 'an address or a domain is expected'],
  ])('%j is refused', (context, says) => {
    expect(() => synthesize({ context })).toThrow(says);
  });
});

describe('Mail Manager', () => {
  const { template: own } = synthesize({ context: { mailManagerRecipients: 'example.com,bob@example.org' } });
  const propertiesOf = (type: string) =>
    theResource(own, `AWS::SES::MailManager${type}`, 'DoorsMailManager')[1].Properties;

  test('refuses other recipients, what comes without TLS 1.2, and what is over 40 MB', () => {
    const { DefaultAction, MaxMessageSizeBytes, PolicyStatements } = propertiesOf('TrafficPolicy');
    expect([DefaultAction, MaxMessageSizeBytes]).toEqual(['DENY', 41_943_040]);
    const tls = { Evaluate: { Attribute: 'TLS_PROTOCOL' }, Operator: 'MINIMUM_TLS_VERSION', Value: 'TLS1_2' };
    const to = (Operator: string, value: string) => ({
      Action: 'ALLOW',
      Conditions: [
        { StringExpression: { Evaluate: { Attribute: 'RECIPIENT' }, Operator, Values: [value] } },
        { TlsExpression: tls },
      ],
    });
    expect(PolicyStatements).toEqual([to('ENDS_WITH', '@example.com'), to('EQUALS', 'bob@example.org')]);
  });

  test('puts mail into the intake bucket through a role that may do that, and nothing else', () => {
    const role = idOf('AWS::IAM::Role', 'DoorsMailManagerRole', own);
    const granted = grantsOf(own).filter(({ who, effect }) => effect === 'Allow' && who.includes(role));
    expect(granted.flatMap(({ actions }) => actions).sort()).toEqual([
      'kms:Encrypt',
      'kms:GenerateDataKey',
      's3:PutObject',
    ]);
    const [rule] = propertiesOf('RuleSet').Rules as { Actions: { WriteToS3: object }[] }[];
    expect(rule?.Actions[0]?.WriteToS3).toMatchObject({ S3Prefix: 'mail-manager/' });
    expect(propertiesOf('IngressPoint')).toMatchObject({ Type: 'OPEN' });
  });
});

test('a stack without these settings has none of it', () => {
  expect(Object.keys(synthesize().template.Resources).filter((id) => id.includes('Doors'))).toEqual([]);
});
