/** The daily mail to recipients and the pages behind its links: what their roles may do, what reaches them, and what is refused at synth. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { allows, grantsOf } from './policy-walk.ts';
import { resourcesOf, synthesize, textOf, theResource } from './synth.ts';

const policyFile = policyWith({ from: 'airlock@example.org', domains: ['example.org'] });
const context = { indexRuns: true, desk: true, digest: true, policyFile };
const { template } = synthesize({ context });

function policyWith(notices: object): string {
  const path = join(scratchDirectory(), 'policy.json');
  writeFileSync(path, JSON.stringify({ version: 1, notices }));
  return path;
}

const PAGES = 'DigestsRecipientsPages';
const DIGEST = 'DigestsDigest';
const roleOf = (name: string) => theResource(template, 'AWS::IAM::Role', `${name}Role`)[0];
const arnOf = (type: string, part: string) => `<${theResource(template, type, part)[0]}.Arn>`;
const work = arnOf('AWS::S3::Bucket', 'BucketsWork');
const [links] = theResource(template, 'AWS::SecretsManager::Secret', 'Links');
/** What a role may do, beside its log and its traces. */
const grantedTo = (name: string) =>
  grantsOf(template)
    .filter(({ who, effect }) => effect === 'Allow' && who.includes(roleOf(name)))
    .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((one) => `${action} ${one}`)))
    .filter((line) => !/^(?:logs|xray):/.test(line));
const distinct = (lines: readonly string[]) => [...new Set(lines)].sort();
const KEY = ['Decrypt', 'GenerateDataKey'].map((action) => `kms:${action} ${arnOf('AWS::KMS::Key', 'BucketsKey')}`);
const reads = (...names: readonly string[]) => names.map((name) => `s3:GetObject ${work}/${name}`);

test('the role of the pages reads chains and requests, writes requests, has no secret, and may do nothing else', () => {
  expect(distinct(grantedTo(PAGES))).toEqual(
    [
      ...KEY,
      ...reads('asks/*', 'keys/*', 'runs/*.json'),
      `s3:ListBucket ${work}`,
      `s3:PutObject ${work}/asks/*`,
    ].sort(),
  );
});

test('the role of the digest reads chains and the index, signs links, notes what it sent, and sends in one name', () => {
  const table = arnOf('AWS::DynamoDB::Table', 'IndexRuns');
  const queue = arnOf('AWS::SQS::Queue', 'DigestQueue');
  const ofSes = grantedTo(DIGEST).filter((line) => line.startsWith('ses:'));
  expect(distinct(ofSes).map((line) => line.replace(/arn:.*:identity/, 'identity'))).toEqual([
    'ses:SendEmail identity/airlock@example.org',
    'ses:SendEmail identity/example.org',
    'ses:SendRawEmail identity/airlock@example.org',
    'ses:SendRawEmail identity/example.org',
  ]);
  expect(distinct(grantedTo(DIGEST).filter((line) => !line.startsWith('ses:')))).toEqual(
    [
      ...KEY,
      ...['BatchGetItem', 'Query'].map((action) => `dynamodb:${action} ${table}`),
      ...reads('digests/*', 'keys/*', 'runs/*.json'),
      `s3:ListBucket ${work}`,
      ...['digests/*', 'keys/links.json'].map((name) => `s3:PutObject ${work}/${name}`),
      `secretsmanager:GetSecretValue <${links}>`,
      ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage', 'SendMessage'].map((one) => `sqs:${one} ${queue}`),
    ].sort(),
  );
});

test('nobody but the digest reads the secret of links, writes their public key or notes of digests, and only the pages write requests', () => {
  const whoMay = (action: string, resource: string) =>
    distinct(
      grantsOf(template)
        .filter((each) => each.effect === 'Allow' && allows(each, [action], [resource]))
        .flatMap(({ who }) => who),
    );
  const [run, hash] = ['ab'.repeat(16), 'cd'.repeat(32)];
  expect(whoMay('secretsmanager:GetSecretValue', `<${links}>`)).toEqual([roleOf(DIGEST)]);
  expect(whoMay('s3:PutObject', `${work}/${keys.linkKey()}`)).toEqual([roleOf(DIGEST)]);
  expect(whoMay('s3:PutObject', `${work}/${keys.ask(run, hash)}`)).toEqual([roleOf(PAGES)]);
  expect(whoMay('s3:PutObject', `${work}/${keys.digest('2026-11-20', hash)}`)).toEqual([roleOf(DIGEST)]);
});

test('a browser reaches the pages at an address of their own, where nothing asks for a token, and no other address', () => {
  const [api] = theResource(template, 'AWS::ApiGatewayV2::Api', 'Recipients');
  const routes = resourcesOf(template, 'AWS::ApiGatewayV2::Route').filter(([, { Properties }]) =>
    textOf(Properties.ApiId).includes(api),
  );
  expect(routes.map(([, { Properties }]) => [Properties.RouteKey, Properties.AuthorizationType]).sort()).toEqual([
    ['GET /r/{token}', 'NONE'],
    ['GET /{file}', 'NONE'],
    ['POST /r/{token}', 'NONE'],
  ]);
  const [, stage] = theResource(template, 'AWS::ApiGatewayV2::Stage', 'Recipients');
  const { Format } = stage.Properties.AccessLogSettings as { Format: string };
  // A path is a link; the log has its route.
  expect([
    Format.includes('routeKey'),
    /path|query|\$context\.(?:request|error)\.?(?:Override)?\w*(?:Path|Url)/i.test(Format),
  ]).toEqual([true, false]);
  expect(stage.Properties.DefaultRouteSettings).toEqual({ ThrottlingBurstLimit: 40, ThrottlingRateLimit: 20 });
});

test('a clock starts it once a day, what it cannot do waits, and an alarm says so', () => {
  const at = (more: object) =>
    theResource(synthesize({ context: { ...context, ...more } }).template, 'AWS::Events::Rule', 'DigestDaily')[1]
      .Properties.ScheduleExpression;
  expect([at({}), at({ digestHour: '0' })]).toEqual(['cron(15 5 * * ? *)', 'cron(15 0 * * ? *)']);
  const [letters] = theResource(template, 'AWS::SQS::Queue', 'DigestDeadLetters');
  const [, queue] = theResource(template, 'AWS::SQS::Queue', 'DigestQueue');
  expect(queue.Properties.RedrivePolicy).toMatchObject({ deadLetterTargetArn: { 'Fn::GetAtt': [letters, 'Arn'] } });
  expect(theResource(template, 'AWS::CloudWatch::Alarm', 'DigestWaiting')[1].Properties.Threshold).toBe(1);
});

describe('it is refused', () => {
  test.each<[string, object, string]>([
    ['without an index', { indexRuns: false, desk: false }, 'set indexRuns, too'],
    ['without a policy that names addresses', { policyFile: policyWith({}) }, 'notices.from'],
    ['with an hour that no day has', { digestHour: '24' }, 'an hour from 0 to 23'],
    ['with links that outlive the records', { digestLinkDays: 31 }, 'outlives the records'],
    ['with links of more than a year', { digestLinkDays: 366, workRetentionDays: 400 }, 'from 1 to 365 days'],
    [
      'at the address of the desk',
      { deskUrl: 'https://a.example', recipientsUrl: 'https://a.example' },
      'another address',
    ],
    ['at an address with a path', { recipientsUrl: 'https://a.example/r' }, 'without a path'],
    ['as an hour of no digest', { digest: false, digestHour: '3' }, 'set digest, too'],
  ])('%s', (_, more, says) => {
    expect(() => synthesize({ context: { ...context, ...more } })).toThrow(says);
  });
});

test('a stack without it has none of it', () => {
  const plain = synthesize({ context: { indexRuns: true, desk: true } }).template;
  expect(Object.keys(plain.Resources).filter((id) => id.includes('Digests'))).toEqual([]);
});
