/** Everything that each role may do, as a table. A role must have all of its permissions and no other. */
import { expect, test } from 'vitest';
import { statesOf, WAY } from '../pipeline/way.ts';
import { type Statement, statementsOf } from './policy-walk.ts';
import { resourcesOf, synthesize } from './synth.ts';

const { template } = synthesize({ context: { cdrUrl: 'https://cdr.example.com' } });

/** The permissions of each role: a resource, a colon, and the actions on it. */
type Access = readonly string[];

const TRACES = '*: xray:PutTelemetryRecords xray:PutTraceSegments';
const base = (stage: string): Access => [`${stage}Log: logs:CreateLogStream logs:PutLogEvents`, TRACES];
// An event names one version of an object, so no mail could be read without GetObjectVersion.
const READS_INTAKE = ['BucketsIntake/*: s3:GetObject s3:GetObjectVersion', 'BucketsIntake: s3:ListBucket'];
const READS_WORK = ['BucketsWork/*: s3:GetObject', 'BucketsWork: s3:ListBucket'];
/** What a stage writes into the work bucket: its own entries and keys, and these names. */
const works = (stage: string, entry: string, ...names: readonly string[]): Access => [
  ...READS_WORK,
  ...[`runs/*/${entry}.json`, `keys/${entry.replace('-*', '')}-*.json`, ...names].map(
    (name) => `BucketsWork/${name}: s3:PutObject`,
  ),
  `Signing${stage}: secretsmanager:GetSecretValue`,
];
const KEY = 'BucketsKey: kms:Decrypt kms:GenerateDataKey';
const ASKS_THE_SERVICE = [
  KEY,
  'Submissions: dynamodb:DeleteItem dynamodb:PutItem',
  'SecretsApiKey: secretsmanager:GetSecretValue',
  'SecretsCdrToken: secretsmanager:GetSecretValue',
];
const TAKES_FROM_QUEUE = 'sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage';
const EVENTS = 'event-bus/default: events:PutEvents';

const invokes = (...stages: readonly string[]): Access =>
  stages.map((stage) => `${stage}Function: lambda:InvokeFunction`);
/** What Step Functions does with the role of every machine. */
const MACHINE: Access = [
  `${TRACES} xray:GetSamplingRules xray:GetSamplingTargets`,
  '*: logs:CreateLogDelivery logs:DeleteLogDelivery logs:DescribeLogGroups logs:DescribeResourcePolicies',
  '*: logs:GetLogDelivery logs:ListLogDeliveries logs:PutResourcePolicy logs:UpdateLogDelivery',
];

const ACCESS: Readonly<Record<string, Access>> = {
  Parse: [
    ...base('Parse'),
    ...READS_INTAKE,
    ...works('Parse', 'parse', 'runs/*/intake.json', 'runs/*/beginning.json', 'artifacts/*'),
    KEY,
    'WorkflowScanEmail: states:StartExecution',
    `IntakeQueue: ${TAKES_FROM_QUEUE}`,
  ],
  Submit: [
    ...base('Submit'),
    ...works('Submit', 'submit', 'budget/*', 'seen/*'),
    ...ASKS_THE_SERVICE,
    'Submissions: dynamodb:GetItem',
  ],
  Poll: [...base('Poll'), ...works('Poll', 'poll-*'), ...ASKS_THE_SERVICE, 'Submissions: dynamodb:GetItem'],
  Fetch: [...base('Fetch'), ...works('Fetch', 'fetch-*', 'disarmed/*'), ...ASKS_THE_SERVICE],
  Decide: [...base('Decide'), ...works('Decide', 'decide'), KEY],
  Rebuild: [
    ...base('Rebuild'),
    ...READS_INTAKE,
    // It gets its seed in its environment, because no way leads from it to Secrets Manager.
    ...works('Rebuild', 'rebuild', 'runs/*/rebuilt-*', 'disarmed/*').filter((line) => !line.startsWith('Signing')),
    '*: ec2:AssignPrivateIpAddresses ec2:CreateNetworkInterface ec2:DeleteNetworkInterface',
    '*: ec2:DescribeNetworkInterfaces ec2:DescribeSubnets ec2:UnassignPrivateIpAddresses',
    KEY,
  ],
  Deliver: [
    ...base('Deliver'),
    ...works('Deliver', 'deliver', 'runs/*/terminal.json'),
    KEY,
    EVENTS,
    'BucketsClean/*: s3:PutObject s3:PutObjectTagging',
    'BucketsCleanKey: kms:GenerateDataKey',
  ],
  Quarantine: [
    ...base('Quarantine'),
    ...READS_INTAKE,
    ...works('Quarantine', 'quarantine', 'runs/*/terminal.json', 'runs/*/beginning.json', 'notices/*'),
    KEY,
    EVENTS,
    'BucketsClean/*: s3:GetObject',
    'BucketsClean: s3:ListBucket',
    'BucketsCleanKey: kms:Decrypt',
    'BucketsQuarantine/*: s3:PutObject s3:PutObjectTagging',
    `IntakeCasualties: ${TAKES_FROM_QUEUE}`,
  ],
  Redrive: [
    ...base('Redrive'),
    ...['runs/*.json', 'keys/*', 'artifacts/*'].map((names) => `BucketsWork/${names}: s3:GetObject`),
    'BucketsWork: s3:ListBucket',
    'BucketsWork/runs/*/begun.json: s3:PutObject',
    'BucketsWork/runs/*/beginning.json: s3:PutObject',
    'BucketsWork/keys/redrive-*.json: s3:PutObject',
    'SigningRedrive: secretsmanager:GetSecretValue',
    KEY,
    'BucketsQuarantine: s3:ListBucket',
    'WorkflowScanEmail: states:StartExecution',
    'IntakeQueue: sqs:SendMessage',
  ],
  Workflow: [
    ...invokes(...statesOf([...WAY, 'deliver', 'quarantine'])),
    'WorkflowExpress: states:StartSyncExecution',
    ...MACHINE,
  ],
  // It can end no run.
  WorkflowExpress: [...invokes(...statesOf(WAY)), ...MACHINE],
};

/** `<MailAirlockBucketsIntake0F650512.Arn>/*` is `BucketsIntake/*`. */
const shortName = (resource: string) =>
  resource.replace(/^.*(event-bus\/)/, '$1').replace(/<MailAirlock(\w+?)[0-9A-F]{8}(?:\.Arn)?>/, '$1');

const eachAction = (access: Access) =>
  access.flatMap((line) => {
    const [resource, actions = ''] = line.split(': ');
    return actions.split(' ').map((action) => `${action} ${resource}`);
  });

const given = statementsOf(template).filter(({ effect }) => effect === 'Allow');
const granted = ({ actions, resources }: Statement) =>
  resources.flatMap((resource) => actions.map((action) => `${action} ${shortName(resource)}`));

test.each(Object.keys(ACCESS))('%s may do what it must, and nothing else', (name) => {
  const [role] = resourcesOf(template, 'AWS::IAM::Role').find(([id]) => id.startsWith(`MailAirlock${name}Role`)) ?? [];
  const found = given.filter(({ who }) => who.some((each) => each === role)).flatMap(granted);
  expect([...new Set(found)].sort()).toEqual(eachAction(ACCESS[name] ?? []).sort());
});

test('the table has every role', () => {
  const roles = resourcesOf(template, 'AWS::IAM::Role').map(([id]) => /^MailAirlock(\w+)Role/.exec(id)?.[1] ?? id);
  expect(roles.sort()).toEqual(Object.keys(ACCESS).sort());
});

test('no permission of a role depends on a condition that the table does not show', () => {
  const roles = resourcesOf(template, 'AWS::IAM::Role').map(([id]) => id);
  const conditions = given
    .filter(({ who }) => who.some((each) => roles.includes(each)))
    .map(({ raw }) => raw.Condition);
  expect(conditions.filter((condition) => condition !== undefined)).toEqual([]);
});

/** Services of AWS that may act themselves, and for whom. */
test.each([
  ['S3 writes its access log', 'Service:logging.s3.amazonaws.com', ['s3:PutObject'], 4],
  ['events reach the queues', 'Service:events.amazonaws.com', ['sqs:SendMessage'], 3],
])('%s, for one source each', (_, service, actions, count) => {
  const found = given.filter(
    ({ who, actions: all }) => who.includes(service) && actions.every((one) => all.includes(one)),
  );
  expect(found).toHaveLength(count);
  for (const { raw } of found) expect(JSON.stringify(raw.Condition)).toContain('aws:SourceArn');
});
