import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { PAUSES_MS } from '../../lambdas/shared/batches.ts';
import { MAX_SENDING_MS } from '../../lib/pipeline/results/forward.ts';
import { FORWARD_SECONDS, SEND_SECONDS } from '../../lib/pipeline/results/relay-port.ts';
import { allows, grantsOf, statementsOf } from './policy-walk.ts';
import { resourcesOf, synthesize, textOf, theResource } from './synth.ts';

const { template } = synthesize({ context: { tagSources: true, denyUncleanReads: true } });
const roleOf = (part: string) => theResource(template, 'AWS::IAM::Role', part)[0];
const intake = theResource(template, 'AWS::S3::Bucket', 'BucketsIntake')[0];

describe('the role that tags', () => {
  const granted = grantsOf(template).filter(({ who, effect }) => effect === 'Allow' && who.includes(roleOf('Tag')));

  test('may tag objects that came in, and write nothing else', () => {
    const writes = granted.filter((one) =>
      one.actions.some((action) => !/^(s3:(Get|List)|kms:Decrypt|xray:|logs:|sqs:)/.test(action)),
    );
    expect(writes.map(({ actions, resources }) => ({ actions, resources }))).toEqual([
      {
        actions: ['s3:GetObjectVersionTagging', 's3:PutObjectVersionTagging'],
        resources: [`<${intake}.Arn>/*`],
      },
    ]);
  });

  test('reads chains and keys, and no mail', () => {
    const reads = granted
      .filter(({ actions }) => actions.includes('s3:GetObject'))
      .flatMap(({ resources }) => resources);
    const work = theResource(template, 'AWS::S3::Bucket', 'BucketsWork')[0];
    expect(reads).toEqual([`<${work}.Arn>/keys/*`, `<${work}.Arn>/runs/*.json`]);
  });

  test('hears of every end, keeps what it cannot do, and an alarm says so', () => {
    const [, rule] = theResource(template, 'AWS::Events::Rule', 'WaysOutTag');
    expect(rule.Properties.EventPattern).toEqual({
      source: ['mail-airlock'],
      'detail-type': ['MessageDelivered', 'MessageQuarantined'],
    });
    const [letters] = theResource(template, 'AWS::SQS::Queue', 'TagDeadLetters');
    const [, queue] = theResource(template, 'AWS::SQS::Queue', 'TagQueue');
    expect(queue.Properties.RedrivePolicy).toMatchObject({ deadLetterTargetArn: { 'Fn::GetAtt': [letters, 'Arn'] } });
    expect(theResource(template, 'AWS::CloudWatch::Alarm', 'TagWaiting')[1].Properties.Threshold).toBe(1);
  });
});

describe('the policy of the intake bucket', () => {
  const statement = (sid: string) => {
    const [found, ...more] = statementsOf(template).filter(({ raw }) => raw.Sid === sid);
    if (found === undefined || more.length > 0) throw new Error(`${1 + more.length} statements ${sid}`);
    return found;
  };

  test('refuses to read what has no tag or another one, but for the roles that judge it', () => {
    const found = statement('OnlyCleanIsRead');
    expect(found).toMatchObject({ effect: 'Deny', who: ['AWS:*'], actions: ['s3:GetObject', 's3:GetObjectVersion'] });
    const { StringNotEquals, ArnNotEquals } = found.raw.Condition as Record<string, Record<string, unknown>>;
    expect(StringNotEquals).toEqual({ 's3:ExistingObjectTag/airlock-state': 'clean' });
    const readers = [ArnNotEquals?.['aws:PrincipalArn']].flat().map(textOf);
    expect(readers).toEqual(['ParseRole', 'RebuildRole', 'QuarantineRole'].map((name) => `<${roleOf(name)}.Arn>`));
  });

  test('lets nobody but the tagging role tag', () => {
    const found = statement('OnlyTagTags');
    expect(found).toMatchObject({ effect: 'Deny', who: ['AWS:*'] });
    for (const action of ['Put', 'Delete'].flatMap((verb) => [
      `s3:${verb}ObjectTagging`,
      `s3:${verb}ObjectVersionTagging`,
    ]))
      expect([action, allows({ ...found, effect: 'Allow' }, [action], [`<${intake}.Arn>/any`])]).toEqual([
        action,
        true,
      ]);
  });
});

test('a stack without these options has none of it', () => {
  const plain = synthesize().template;
  expect(Object.keys(plain.Resources).filter((id) => id.includes('WaysOut'))).toEqual([]);
  expect(statementsOf(plain).filter(({ raw }) => /OnlyCleanIsRead|OnlyTagTags/.test(String(raw.Sid)))).toEqual([]);
});

test('denying reads without tags is refused, because nothing could ever be read', () => {
  expect(() => synthesize({ context: { denyUncleanReads: true } })).toThrow('set tagSources, too');
});

test('the policy of a given bucket cannot be changed here, so the statements to add are shown', () => {
  const context = { tagSources: true, denyUncleanReads: true, intakeBucketName: 'uploads' };
  const { stack } = synthesize({ context });
  const warned = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('OnlyCleanIsRead'));
  expect(warned).toHaveLength(1);
});

test('events of a bus of the owner are heard on that bus', () => {
  const context = { tagSources: true, eventBusName: 'our-bus' };
  const [, rule] = theResource(synthesize({ context }).template, 'AWS::Events::Rule', 'WaysOutTag');
  expect(rule.Properties.EventBusName).toBe('our-bus');
});

describe('the role that sends delivered mail on', () => {
  const context = { sesRecipients: 'example.com', forwardSecretName: 'relay' };
  const own = synthesize({ context }).template;
  const role = theResource(own, 'AWS::IAM::Role', 'WaysOutForwardRole')[0];
  const granted = grantsOf(own)
    .filter(({ who, effect }) => effect === 'Allow' && who.includes(role))
    .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((one) => `${action} ${one}`)));
  const bucket = (part: string) => `<${theResource(own, 'AWS::S3::Bucket', part)[0]}.Arn>`;

  test('reads clean messages, chains and envelopes, and writes notes of what was sent', () => {
    expect(granted.filter((line) => line.startsWith('s3:')).sort()).toEqual(
      [
        `s3:GetObject ${bucket('BucketsClean')}/*/message.eml`,
        ...['envelopes/*', 'forwarded/*', 'keys/*', 'runs/*.json'].map(
          (name) => `s3:GetObject ${bucket('BucketsWork')}/${name}`,
        ),
        `s3:ListBucket ${bucket('BucketsClean')}`,
        `s3:ListBucket ${bucket('BucketsWork')}`,
        `s3:PutObject ${bucket('BucketsWork')}/forwarded/*`,
      ].sort(),
    );
  });

  test('reads one secret, hears of deliveries only, and waits for days', () => {
    const secrets = granted.filter((line) => line.startsWith('secretsmanager:'));
    expect(secrets).toHaveLength(1);
    expect(secrets[0]).toContain(':secret:relay-??????');
    const [, rule] = theResource(own, 'AWS::Events::Rule', 'WaysOutForward');
    expect(rule.Properties.EventPattern).toEqual({ source: ['mail-airlock'], 'detail-type': ['MessageDelivered'] });
    const [, queue] = theResource(own, 'AWS::SQS::Queue', 'ForwardQueue');
    expect(queue.Properties).toMatchObject({ VisibilityTimeout: 600, RedrivePolicy: { maxReceiveCount: 432 } });
    expect(theResource(own, 'AWS::CloudWatch::Alarm', 'ForwardWaiting')).toBeDefined();
  });

  test('is of a function that outlives every try, and whose claim outlives it', () => {
    const [id, { Properties }] = theResource(own, 'AWS::Lambda::Function', 'WaysOutForward');
    const seconds = Number(Properties.Timeout);
    const [, source] = theResource(own, 'AWS::Lambda::EventSourceMapping', 'WaysOutForward');
    expect([source.Properties.FunctionName, source.Properties.BatchSize]).toEqual([{ Ref: id }, 1]);
    const pauses = PAUSES_MS.reduce((sum, ms) => sum + ms, 0);
    expect((PAUSES_MS.length + 1) * SEND_SECONDS + pauses / 1_000).toBeLessThan(seconds - 60);
    expect(seconds).toBe(FORWARD_SECONDS);
    const skewed = 1_000 * seconds + 10 * 60_000;
    expect(MAX_SENDING_MS).toBeGreaterThanOrEqual(skewed);
    // SQS gives no message out again while its function may live.
    expect(seconds).toBeLessThan(600);
  });

  test('is not there without mail that has envelopes', () => {
    expect(() => synthesize({ context: { forwardSecretName: 'relay' } })).toThrow('say with sesRecipients for whom');
  });
});

describe('the role that sends delivered mail on by SES', () => {
  const context = { sesRecipients: 'example.com', forwardSesIdentities: 'example.com, ana@example.org' };
  const own = synthesize({ context }).template;
  const role = theResource(own, 'AWS::IAM::Role', 'WaysOutForwardRole')[0];
  const granted = grantsOf(own).filter(({ who, effect }) => effect === 'Allow' && who.includes(role));

  test('may send in the name of exactly the identities, and reads no secret', () => {
    const sends = granted.filter(({ actions }) => actions.some((action) => action.startsWith('ses:')));
    const arn = 'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity';
    expect(sends.map(({ actions, resources }) => ({ actions, resources }))).toEqual([
      { actions: ['ses:SendEmail', 'ses:SendRawEmail'], resources: [`${arn}/ana@example.org`, `${arn}/example.com`] },
    ]);
    expect(granted.flatMap(({ actions }) => actions).filter((action) => action.startsWith('secretsmanager:'))).toEqual(
      [],
    );
  });

  test('nobody else may send', () => {
    const others = grantsOf(own).filter(
      ({ who, actions }) => !who.includes(role) && actions.some((action) => /^(?:ses:|\*)/.test(action)),
    );
    expect(others).toEqual([]);
  });

  test.each([
    [{ forwardSesIdentities: 'example.com' }, 'say with sesRecipients for whom'],
    [{ ...context, forwardSecretName: 'relay' }, 'leave the other out'],
    [{ ...context, forwardSesIdentities: '*' }, 'an address or a domain is expected'],
  ])('%j is refused', (wrong, says) => {
    expect(() => synthesize({ context: wrong })).toThrow(says);
  });
});

describe('the role that indexes runs', () => {
  const own = synthesize({ context: { indexRuns: true, workRetentionDays: 45 } }).template;
  const role = theResource(own, 'AWS::IAM::Role', 'WaysOutIndexRole')[0];
  const granted = grantsOf(own)
    .filter(({ who, effect }) => effect === 'Allow' && who.includes(role))
    .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((one) => `${action} ${one}`)));
  const [table, { Properties }] = theResource(own, 'AWS::DynamoDB::Table', 'IndexRuns');

  test('reads chains and keys, writes items of its own table, and nothing else', () => {
    const work = `<${theResource(own, 'AWS::S3::Bucket', 'BucketsWork')[0]}.Arn>`;
    expect(granted.filter((line) => /^(?:s3|dynamodb):/.test(line)).sort()).toEqual([
      ...['BatchWriteItem', 'GetItem', 'PutItem', 'UpdateItem'].map((action) => `dynamodb:${action} <${table}.Arn>`),
      ...['keys/*', 'runs/*.json'].map((name) => `s3:GetObject ${work}/${name}`),
      `s3:ListBucket ${work}`,
    ]);
  });

  test('hears of ends, and of executions of its own state machine that begin', () => {
    const [machine] = theResource(own, 'AWS::StepFunctions::StateMachine', 'ScanEmail');
    const patterns = resourcesOf(own, 'AWS::Events::Rule')
      .filter(([id]) => id.includes('WaysOutIndex'))
      .map(([, rule]) => rule.Properties.EventPattern);
    expect(patterns).toEqual([
      { source: ['mail-airlock'], 'detail-type': ['MessageDelivered', 'MessageQuarantined'] },
      {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: { stateMachineArn: [{ Ref: machine }], status: ['RUNNING'] },
      },
    ]);
  });

  test('keeps a run as long as its chain', () => {
    const [, { Properties: code }] = theResource(own, 'AWS::Lambda::Function', 'WaysOutIndexFunction');
    expect((code.Environment as { Variables: object }).Variables).toMatchObject({ AIRLOCK_RUNS_KEPT_DAYS: '45' });
    expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAtSeconds', Enabled: true });
  });
});

describe('what writes the page of each mail', () => {
  const { template: own } = synthesize({ context: { mailPages: 'de' } });
  const [role] = theResource(own, 'AWS::IAM::Role', 'MailPagesRole');
  const arn = (type: string, part: string) => `<${theResource(own, type, part)[0]}.Arn>`;

  test('reads chains and keys, writes pages beside chains, and may do nothing else: no mail', () => {
    const lines = grantsOf(own)
      .filter(({ who, effect }) => effect === 'Allow' && who.includes(role))
      .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((one) => `${action} ${one}`)))
      .filter((line) => !/^(?:logs|xray):/.test(line));
    const [work, key] = [arn('AWS::S3::Bucket', 'BucketsWork'), arn('AWS::KMS::Key', 'BucketsKey')];
    const queue = arn('AWS::SQS::Queue', 'MailPagesQueue');
    expect([...new Set(lines)].sort()).toEqual(
      [
        ...['Decrypt', 'GenerateDataKey'].map((action) => `kms:${action} ${key}`),
        `lambda:InvokeFunction ${arn('AWS::Lambda::Function', 'MailPagesPreviewFunction')}`,
        ...['keys/*', 'runs/*.json'].map((name) => `s3:GetObject ${work}/${name}`),
        `s3:ListBucket ${work}`,
        `s3:PutObject ${work}/runs/*/page.html`,
        ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((action) => `sqs:${action} ${queue}`),
      ].sort(),
    );
  });

  test('has mail read where no way leads out, without a desk, too', () => {
    const [, preview] = theResource(own, 'AWS::Lambda::Function', 'MailPagesPreviewFunction');
    expect(JSON.stringify(preview.Properties.VpcConfig)).toContain('EngineNetworkGroup');
    const [reader] = theResource(own, 'AWS::IAM::Role', 'MailPagesPreviewRole');
    const lines = grantsOf(own)
      .filter(({ who, effect }) => effect === 'Allow' && who.includes(reader))
      .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((one) => `${action} ${one}`)));
    expect(lines.filter((line) => /s3:(?:Put|Delete)|GenerateDataKey|lambda:|audit/.test(line))).toEqual([]);
  });

  test('hears of every end, has its language, and an alarm says what it cannot do', () => {
    const [, rule] = theResource(own, 'AWS::Events::Rule', 'MailPages');
    expect(rule.Properties.EventPattern).toMatchObject({ 'detail-type': ['MessageDelivered', 'MessageQuarantined'] });
    const [, { Properties }] = theResource(own, 'AWS::Lambda::Function', 'MailPagesFunction');
    expect(Properties.Environment).toMatchObject({ Variables: { AIRLOCK_PAGE_LANGUAGE: 'de' } });
    expect(theResource(own, 'AWS::CloudWatch::Alarm', 'MailPagesWaiting')[1].Properties.Threshold).toBe(1);
    expect(() => synthesize({ context: { mailPages: 'fr' } })).toThrow('one of en, de is expected');
  });
});

describe('what writes pages beside a desk', () => {
  const { template: own } = synthesize({ context: { mailPages: 'en', indexRuns: true, desk: true } });
  const granted = (role: string, action: string) =>
    grantsOf(own)
      .filter(
        ({ who, effect, actions }) =>
          effect === 'Allow' && actions.includes(action) && who.includes(theResource(own, 'AWS::IAM::Role', role)[0]),
      )
      .flatMap(({ resources }) => resources);
  const arn = (type: string, part: string) => `<${theResource(own, type, part)[0]}.Arn>`;

  test('has headers read and parts drawn by what reads mail for the desk, and reads none itself', () => {
    expect(granted('MailPagesRole', 'lambda:InvokeFunction')).toEqual([
      arn('AWS::Lambda::Function', 'DeskPreviewFunction'),
    ]);
    expect(granted('MailPagesRole', 's3:GetObject').filter((name) => !name.includes('BucketsWork'))).toEqual([]);
  });

  test('hears of review what a person deleted', () => {
    expect(granted('DeskReviewRole', 'sqs:SendMessage')).toContain(arn('AWS::SQS::Queue', 'MailPagesQueue'));
    const [, { Properties }] = theResource(own, 'AWS::Lambda::Function', 'DeskReviewFunction');
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
    expect(Variables.AIRLOCK_PAGES_QUEUE).toEqual({ Ref: theResource(own, 'AWS::SQS::Queue', 'MailPagesQueue')[0] });
  });
});

describe('what finds held mail that another mail may open', () => {
  const { template: own } = synthesize({ context: { indexRuns: true, passwordMail: true } });
  const [role] = theResource(own, 'AWS::IAM::Role', 'PasswordMailRole');
  const granted = grantsOf(own).filter(({ who, effect }) => effect === 'Allow' && who.includes(role));
  const arn = (type: string, part: string) => `<${theResource(own, type, part)[0]}.Arn>`;

  test('reads chains, keys and the index, asks parse, and may do nothing else: no text of any mail', () => {
    const lines = granted
      .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((one) => `${action} ${one}`)))
      .filter((line) => !/^(?:logs|xray):/.test(line));
    const work = arn('AWS::S3::Bucket', 'BucketsWork');
    const queue = arn('AWS::SQS::Queue', 'PasswordMailQueue');
    const table = arn('AWS::DynamoDB::Table', 'IndexRuns');
    expect([...new Set(lines)].sort()).toEqual(
      [
        ...['BatchGetItem', 'Query'].map((action) => `dynamodb:${action} ${table}`),
        `kms:Decrypt ${arn('AWS::KMS::Key', 'BucketsKey')}`,
        ...['keys/*', 'runs/*.json'].map((name) => `s3:GetObject ${work}/${name}`),
        `s3:ListBucket ${work}`,
        ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((action) => `sqs:${action} ${queue}`),
        `sqs:SendMessage ${arn('AWS::SQS::Queue', 'IntakeQueue')}`,
      ].sort(),
    );
  });

  test('hears of every end a minute later, when the index knows of it', () => {
    const [, rule] = theResource(own, 'AWS::Events::Rule', 'PasswordMail');
    expect(rule.Properties.EventPattern).toMatchObject({ 'detail-type': ['MessageDelivered', 'MessageQuarantined'] });
    expect(theResource(own, 'AWS::SQS::Queue', 'PasswordMailQueue')[1].Properties.DelaySeconds).toBe(60);
  });

  test('is there only when it is asked for, and with an index', () => {
    const plain = synthesize({ context: { indexRuns: true } }).template;
    expect(Object.keys(plain.Resources).filter((id) => id.includes('PasswordMail'))).toEqual([]);
    expect(() => synthesize({ context: { passwordMail: true } })).toThrow('set indexRuns, too');
  });
});
