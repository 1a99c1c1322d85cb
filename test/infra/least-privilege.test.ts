import { describe, expect, test } from 'vitest';
import { stateOf } from '../../lib/infra/stages/workflow.ts';
import { entryName, keys } from '../../lib/pipeline/keys.ts';
import { DEPLOYED_WRITERS, type Writer } from '../../lib/pipeline/model.ts';
import { allows, grantsOf, type Statement } from './policy-walk.ts';
import { resourcesOf, synthesize, type Template, textOf, theResource } from './synth.ts';

const { template } = synthesize({ context: { cdrUrl: 'https://cdr.example.com' } });
const idOf = (type: string, part: string, from: Template = template) => theResource(from, type, part)[0];

/** The ways a policy can name an object of a bucket, for wildcards to be tried on. */
function objectsOf(bucketId: string): string[] {
  return [`<${bucketId}.Arn>`, `arn:aws:s3:::<${bucketId}>`, `arn:<AWS::Partition>:s3:::<${bucketId}>`].flatMap(
    (arn) => [`${arn}/0123456789abcdef0123456789abcdef/message.eml`, arn],
  );
}

const RUN = '0123456789abcdef0123456789abcdef';
const HASH = 'ab'.repeat(32);
const S3_WRITES = ['PutObject', 'PutObjectAcl', 'PutObjectTagging', 'ReplicateObject', 'RestoreObject', 'DeleteObject'];
const S3_CONTROL = [
  'PutBucketPolicy',
  'DeleteBucketPolicy',
  'PutBucketAcl',
  'PutReplicationConfiguration',
  'PutLifecycleConfiguration',
];
const CLEAN_WRITES = [...S3_WRITES, ...S3_CONTROL].map((action) => `s3:${action}`);
const KEY_WRITES = ['Encrypt', 'GenerateDataKey', 'ReEncryptTo', 'CreateGrant', 'PutKeyPolicy'].map(
  (each) => `kms:${each}`,
);

function whoMay(from: Template, actions: readonly string[], resources: readonly string[]): string[] {
  const found = grantsOf(from).filter((statement) => allows(statement, actions, resources));
  return [...new Set(found.flatMap(({ who, where }) => (who.length > 0 ? who : [`nobody named in ${where}`])))];
}

const cleanObjects = objectsOf(idOf('AWS::S3::Bucket', 'BucketsClean'));
const roleOf = (role: string) => idOf('AWS::IAM::Role', `MailAirlock${role}`);

describe('only deliver can write the clean bucket', () => {
  test('no other role has any permission that writes or takes over the bucket', () => {
    expect(whoMay(template, CLEAN_WRITES, cleanObjects)).toEqual([roleOf('DeliverRole')]);
  });

  test('deliver may put and tag objects, and may not delete them or change the bucket', () => {
    const others = CLEAN_WRITES.filter((action) => !['s3:PutObject', 's3:PutObjectTagging'].includes(action));
    expect(whoMay(template, others, cleanObjects)).toEqual([]);
  });

  test('no other role can encrypt with the key of the clean bucket', () => {
    const id = idOf('AWS::KMS::Key', 'CleanKey');
    const roles = grantsOf(template)
      .filter((statement) => !isKeyPolicy(statement) && allows(statement, KEY_WRITES, [`<${id}.Arn>`]))
      .flatMap(({ who }) => who);
    expect(new Set(roles)).toEqual(new Set([roleOf('DeliverRole')]));
  });

  test('the key policies leave everything to the policies of this account', () => {
    const root = 'AWS:arn:<AWS::Partition>:iam::<AWS::AccountId>:root';
    const given = grantsOf(template).filter(isKeyPolicy);
    expect(new Set(given.flatMap(({ who }) => who))).toEqual(new Set([root]));
  });

  test('the bucket itself refuses every other writer', () => {
    const refusal = grantsOf(template).find(({ raw }) => raw.Sid === 'OnlyDeliverWrites');
    expect(refusal).toMatchObject({ effect: 'Deny', who: ['AWS:*'], actions: ['s3:PutObject', 's3:ReplicateObject'] });
    const role = { 'Fn::GetAtt': [roleOf('DeliverRole'), 'Arn'] };
    expect(refusal?.raw.Condition).toEqual({ ArnNotEquals: { 'aws:PrincipalArn': role } });
  });

  test('deliver’s role belongs to one function', () => {
    const users = resourcesOf(template, 'AWS::Lambda::Function').filter(([, { Properties }]) =>
      JSON.stringify(Properties.Role).includes(roleOf('DeliverRole')),
    );
    expect(users).toHaveLength(1);
  });

  test.each([
    ['a wildcard action', { Action: 's3:Put*', Resource: '*' }],
    ['all of S3', { Action: '*', Resource: 'arn:aws:s3:::*' }],
    ['everything but', { NotAction: 'iam:*', Resource: '*' }],
  ])('the walk notices a role that gets %s', (_, statement) => {
    const changed = structuredClone(template);
    const [, policy] = theResource(changed, 'AWS::IAM::Policy', 'MailAirlockParseRole');
    (policy.Properties.PolicyDocument as { Statement: object[] }).Statement.push({ Effect: 'Allow', ...statement });
    expect(whoMay(changed, CLEAN_WRITES, cleanObjects)).toContain(roleOf('ParseRole'));
  });
});

/** Every name that a stage writes alone, and that of a stage that could write it too if the roles were wider. */
const OWN_NAMES: [Writer, string][] = [
  ...DEPLOYED_WRITERS.map((stage): [Writer, string] => [stage, keys.entry(RUN, 1, entryName(stage, 7))]),
  ...DEPLOYED_WRITERS.map((stage): [Writer, string] => [stage, keys.publicKey(stage, RUN)]),
  ['parse', keys.intake(RUN)],
  ['parse', keys.artifact(HASH)],
  ['rebuild', keys.rebuilt(RUN, HASH)],
];

describe('each name of the work bucket has its writers', () => {
  const work = `<${idOf('AWS::S3::Bucket', 'BucketsWork')}.Arn>`;
  const writersOf = (key: string) => new Set(whoMay(template, ['s3:PutObject'], [`${work}/${key}`]));
  const roles = (...stages: readonly Writer[]) => new Set(stages.map((stage) => roleOf(`${stateOf(stage)}Role`)));

  test.each(OWN_NAMES)('%s alone writes %s', (stage, key) => {
    expect(writersOf(key)).toEqual(roles(stage));
  });

  test('and the others have those that compare what they read', () => {
    expect(writersOf(keys.disarmed(HASH))).toEqual(roles('fetch', 'rebuild'));
    expect(writersOf(keys.terminal(RUN, 1))).toEqual(roles('deliver', 'quarantine'));
    expect(writersOf(keys.beginning(RUN, 2))).toEqual(roles('parse', 'quarantine', 'redrive'));
    expect(writersOf(keys.noticeSlot(HASH, 1, 1))).toEqual(roles('quarantine'));
    expect(writersOf('other')).toEqual(new Set());
  });

  test('no stage deletes anything, or reads the secret of another', () => {
    expect(whoMay(template, ['s3:DeleteObject', 's3:DeleteObjectVersion'], [`${work}/${keys.artifact(HASH)}`])).toEqual(
      [],
    );
    for (const stage of DEPLOYED_WRITERS) {
      const id = idOf('AWS::SecretsManager::Secret', `Signing${stateOf(stage)}`);
      // No way leads from rebuild to Secrets Manager: see below.
      const readers = stage === 'rebuild' ? roles() : roles(stage);
      expect(new Set(whoMay(template, ['secretsmanager:GetSecretValue'], [`<${id}>`]))).toEqual(readers);
    }
  });

  test('rebuild gets its seed in an environment that is encrypted with our key, and no other function does', () => {
    const reference = `{{resolve:secretsmanager:<${idOf('AWS::SecretsManager::Secret', 'SigningRebuild')}>:SecretString:::}}`;
    const functions = resourcesOf(template, 'AWS::Lambda::Function').map(([id, { Properties }]) => {
      const { Variables } = Properties.Environment as { readonly Variables: Record<string, unknown> };
      return { id, values: Object.values(Variables).map(textOf), key: Properties.KmsKeyArn };
    });
    const holders = functions.filter(({ values }) => values.some((value) => value.includes('{{resolve:')));
    expect(holders.map(({ id }) => id)).toEqual([idOf('AWS::Lambda::Function', 'RebuildFunction')]);
    expect(holders[0]?.values.filter((value) => value.includes('{{resolve:'))).toEqual([reference]);
    expect(textOf(holders[0]?.key)).toBe(`<${idOf('AWS::KMS::Key', 'BucketsKey')}.Arn>`);
  });
});

describe('every stage has a role of its own', () => {
  test('with no managed policy in it', () => {
    const roles = resourcesOf(template, 'AWS::IAM::Role');
    // Each of the two state machines has one, too.
    expect(roles.length).toBe(DEPLOYED_WRITERS.length + 2);
    for (const [, role] of roles) expect(role.Properties.ManagedPolicyArns).toBeUndefined();
    expect(resourcesOf(template, 'AWS::IAM::ManagedPolicy')).toEqual([]);
  });

  test('without a wildcard in any action, and with `*` as resource for tracing, log delivery and network interfaces only', () => {
    const granted = grantsOf(template).filter((each) => each.effect === 'Allow' && !isKeyPolicy(each));
    expect(granted.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([]);
    const everywhere = granted.filter(({ resources }) => resources.includes('*')).flatMap(({ actions }) => actions);
    expect(everywhere.filter((action) => !/^(xray|logs|ec2):/.test(action))).toEqual([]);
  });

  test('that cannot become another role or change a function', () => {
    const ways = ['iam:PassRole', 'sts:AssumeRole', 'lambda:UpdateFunctionCode', 'iam:PutRolePolicy'];
    const granted = grantsOf(template).filter((each) => allows(each, ways, ['*', 'arn:aws:iam::1:role/any']));
    expect(granted.filter(({ raw }) => raw.Principal === undefined)).toEqual([]);
  });

  test.each([
    ['quarantine bucket', 'AWS::S3::Bucket', 'BucketsQuarantine', ['s3:PutObject'], ['QuarantineRole']],
    [
      'key of the service',
      'AWS::SecretsManager::Secret',
      'ApiKey',
      ['secretsmanager:GetSecretValue'],
      ['SubmitRole', 'PollRole', 'FetchRole'],
    ],
    [
      'CDR token',
      'AWS::SecretsManager::Secret',
      'CdrToken',
      ['secretsmanager:GetSecretValue'],
      ['SubmitRole', 'PollRole', 'FetchRole'],
    ],
    [
      'submissions',
      'AWS::DynamoDB::Table',
      'Submissions',
      ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
      ['SubmitRole', 'PollRole', 'FetchRole'],
    ],
    [
      'hostile mail',
      'AWS::S3::Bucket',
      'BucketsIntake',
      ['s3:GetObject'],
      ['ParseRole', 'RebuildRole', 'QuarantineRole'],
    ],
    ['mail known to be safe', 'AWS::S3::Bucket', 'BucketsClean', ['s3:GetObject'], ['QuarantineRole']],
    [
      'state machine',
      'AWS::StepFunctions::StateMachine',
      'ScanEmail',
      ['states:StartExecution'],
      ['ParseRole', 'RedriveRole'],
    ],
    [
      'Express state machine',
      'AWS::StepFunctions::StateMachine',
      'WorkflowExpress',
      ['states:StartExecution', 'states:StartSyncExecution'],
      ['WorkflowRole'],
    ],
    ['delivery', 'AWS::Lambda::Function', 'DeliverFunction', ['lambda:InvokeFunction'], ['WorkflowRole']],
    ['quarantine', 'AWS::Lambda::Function', 'QuarantineFunction', ['lambda:InvokeFunction'], ['WorkflowRole']],
  ])('and only these reach the %s', (_, type, part, actions, roles) => {
    const id = idOf(type, part);
    const who = whoMay(template, actions, [...objectsOf(id), `<${id}>`]);
    expect(new Set(who)).toEqual(new Set(roles.map(roleOf)));
  });
});

/** In a key policy `*` means that key. */
function isKeyPolicy(statement: Statement): boolean {
  return resourcesOf(template, 'AWS::KMS::Key').some(([id]) => id === statement.where);
}
