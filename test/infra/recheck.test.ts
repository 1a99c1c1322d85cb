/** What asks again about delivered files: what its role may do with a service and with engines, and what starts it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchDirectory } from '../runner/scratch.ts';
import { grantsOf } from './policy-walk.ts';
import { resourcesOf, synthesize, type Template, theResource } from './synth.ts';

const context = { indexRuns: true, recheck: true };
const withService = synthesize({ context }).template;
const withEngines = synthesize({ context: { ...context, analysisUrl: '' } }).template;

function grantedIn(template: Template): string[] {
  const [role] = theResource(template, 'AWS::IAM::Role', 'RecheckRole');
  const lines = grantsOf(template)
    .filter(({ who, effect }) => effect === 'Allow' && who.includes(role))
    .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((one) => `${action} ${one}`)))
    .filter((line) => !/^(?:logs|xray):/.test(line))
    .map((line) => line.replace(/<MailAirlock(\w+?)[0-9A-F]{8}(?:\.Arn)?>/, '$1').replace(/arn:.*(event-bus)/, '$1'));
  return [...new Set(lines)].sort();
}

const COMMON = [
  ...['Decrypt', 'GenerateDataKey'].map((action) => `kms:${action} BucketsKey`),
  ...['BatchGetItem', 'Query'].map((action) => `dynamodb:${action} WaysOutIndexRuns`),
  'events:PutEvents event-bus/default',
  ...['artifacts/*', 'audit/*', 'keys/*', 'recalled/*', 'rechecked/*', 'runs/*.json', 'worse/*'].map(
    (name) => `s3:GetObject BucketsWork/${name}`,
  ),
  's3:ListBucket BucketsWork',
  ...['recalled/*', 'rechecked/*', 'worse/*'].map((name) => `s3:PutObject BucketsWork/${name}`),
  ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage', 'SendMessage'].map((one) => `sqs:${one} RecheckQueue`),
];

test('its role reads chains and files, writes its notes, asks the service, tells the bus, and may do nothing else', () => {
  expect(grantedIn(withService)).toEqual([...COMMON, 'secretsmanager:GetSecretValue SecretsApiKey'].sort());
});

test('with the engines of the stack it reads their reports and sends them jobs, but none to disarm', () => {
  const jobs = ['Static', 'Sandbox'].map((name) => `sqs:SendMessage Engines${name}Jobs`);
  expect(grantedIn(withEngines)).toEqual([...COMMON, 's3:GetObject BucketsWork/reports/*', ...jobs].sort());
});

test('a clock starts it once a day, and alarms say when mail is to be recalled and when nobody was asked', () => {
  const [, rule] = theResource(withService, 'AWS::Events::Rule', 'RecheckDaily');
  expect(rule.Properties.ScheduleExpression).toBe('cron(15 3 * * ? *)');
  for (const id of ['MailRecalled', 'RecheckWaiting'])
    expect(theResource(withService, 'AWS::CloudWatch::Alarm', id)[1].Properties.Threshold).toBe(1);
  const [, { Properties }] = theResource(withService, 'AWS::Lambda::Function', 'RecheckFunction');
  expect(Properties.Environment).toMatchObject({
    Variables: { AIRLOCK_RECHECK_DAYS: '7', AIRLOCK_RECHECK_BUDGET: '1000' },
  });
});

test('it is refused without an index, and its settings without it', () => {
  expect(() => synthesize({ context: { recheck: true } })).toThrow('set indexRuns, too');
  expect(() => synthesize({ context: { indexRuns: true, recheckDays: 3 } })).toThrow('set recheck, too');
});

test('the desk has it tell of mail that was delivered with a file that somebody blocks, and may only ask', () => {
  const { template } = synthesize({ context: { ...context, desk: true } });
  const [queue] = theResource(template, 'AWS::SQS::Queue', 'RecheckQueue');
  const senders = grantsOf(template).filter(
    ({ effect, actions, resources }) =>
      effect === 'Allow' && actions.includes('sqs:SendMessage') && resources.some((one) => one.includes(queue)),
  );
  const roles = ['RecheckRole', 'DeskReviewRole'].map((id) => theResource(template, 'AWS::IAM::Role', id)[0]);
  expect(new Set(senders.flatMap(({ who }) => who).filter((who) => !who.includes('events')))).toEqual(new Set(roles));
});

describe('mails to recipients', () => {
  const policyWith = (notices: object) => {
    const path = join(scratchDirectory(), 'policy.json');
    writeFileSync(path, JSON.stringify({ version: 1, notices }));
    return path;
  };
  const policyFile = policyWith({ from: 'airlock@example.org', domains: ['example.org'] });

  test('are sent in one name, at most so many a day, and an alarm says when somebody could not be told', () => {
    const { template } = synthesize({ context: { ...context, policyFile, recallMails: 200 } });
    const ofSes = grantedIn(template).filter((line) => line.startsWith('ses:'));
    expect(ofSes.map((line) => line.replace(/arn:.*:identity/, 'identity'))).toEqual([
      'ses:SendEmail identity/airlock@example.org',
      'ses:SendEmail identity/example.org',
      'ses:SendRawEmail identity/airlock@example.org',
      'ses:SendRawEmail identity/example.org',
    ]);
    expect(grantedIn(template).filter((line) => !line.startsWith('ses:'))).toEqual(grantedIn(withService));
    const sending = grantsOf(template).filter(({ actions }) => actions.includes('ses:SendEmail'));
    expect(sending.map(({ raw }) => raw.Condition)).toEqual([
      { StringEquals: { 'ses:FromAddress': 'airlock@example.org' } },
    ]);
    const [, { Properties }] = theResource(template, 'AWS::Lambda::Function', 'RecheckFunction');
    expect(Properties.Environment).toMatchObject({ Variables: { AIRLOCK_RECALL_MAILS: '200' } });
    expect(theResource(template, 'AWS::CloudWatch::Alarm', 'RecallUnmailed')[1].Properties.Threshold).toBe(1);
  });

  test('are nobody’s who did not ask for them', () => {
    expect(grantedIn(withService).filter((line) => line.startsWith('ses:'))).toEqual([]);
    const alarms = resourcesOf(withService, 'AWS::CloudWatch::Alarm').map(([id]) => id);
    expect(alarms.filter((id) => id.includes('Unmailed'))).toEqual([]);
    const [, { Properties }] = theResource(withService, 'AWS::Lambda::Function', 'RecheckFunction');
    expect(Properties.Environment).toMatchObject({ Variables: { AIRLOCK_RECALL_MAILS: '0' } });
  });

  test.each<[string, object, string]>([
    ['without a policy that names addresses', { policyFile: policyWith({}) }, 'recallMails: the policy must say'],
    ['above what a function can send', { recallMails: 1_001 }, 'recallMails: from 1 to 1000, not 1001'],
    ['of a deployment that asks nothing again', { recheck: false }, 'set recheck, too'],
  ])('are refused %s', (_, more, says) => {
    expect(() => synthesize({ context: { ...context, policyFile, recallMails: 1_000, ...more } })).toThrow(says);
  });
});
