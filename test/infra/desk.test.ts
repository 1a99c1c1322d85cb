import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BUNDLE_FILE, bundleOtherLambda } from '#bundles';
import { bundleOtherLambda as bundleAnew } from '../../lib/infra/bundling/bundle.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { WORK_FOLDERS } from '../../lib/pipeline/model.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { allows, grantsOf } from './policy-walk.ts';
import { resourcesOf, synthesize, type Template, textOf, theResource } from './synth.ts';

const RUN = '0123456789abcdef0123456789abcdef';
const HASH = 'ab'.repeat(32);
const context = { indexRuns: true, desk: true };
const { template } = synthesize({ context });
/** What the role of a function may do, beside its log and its traces. */
function grantedTo(name: string): string[] {
  const role = theResource(template, 'AWS::IAM::Role', `${name}Role`)[0];
  return grantsOf(template)
    .filter(({ who, effect }) => effect === 'Allow' && who.includes(role))
    .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((one) => `${action} ${one}`)))
    .filter((line) => !/^(?:logs|xray):/.test(line))
    .sort();
}
const arnOf = (type: string, part: string) => `<${theResource(template, type, part)[0]}.Arn>`;
const bucket = (name: string) => arnOf('AWS::S3::Bucket', `Buckets${name}`);
const variables = (from: typeof template) =>
  (
    theResource(from, 'AWS::Lambda::Function', 'DeskPagesFunction')[1].Properties.Environment as {
      Variables: Record<string, unknown>;
    }
  ).Variables;

test('the role of the desk reads chains, the trail, keys, requests of recipients, which files are worse now, saved views, zips to give away and the index, calls review and preview, and may do nothing else', () => {
  const table = arnOf('AWS::DynamoDB::Table', 'IndexRuns');
  expect(grantedTo('DeskPages')).toEqual([
    ...['BatchGetItem', 'GetItem', 'Query'].map((action) => `dynamodb:${action} ${table}`),
    `kms:Decrypt ${arnOf('AWS::KMS::Key', 'BucketsKey')}`,
    ...['Preview', 'Review'].map(
      (name) => `lambda:InvokeFunction ${arnOf('AWS::Lambda::Function', `Desk${name}Function`)}`,
    ),
    ...[
      'asks/*',
      'audit/*',
      'budget/quota.json',
      'desk/views.json',
      'keys/*',
      'runs/*.json',
      'takeouts/*',
      'worse/*',
    ].map((name) => `s3:GetObject ${bucket('Work')}/${name}`),
    `s3:ListBucket ${bucket('Work')}`,
  ]);
});

test('the role of review begins attempts, writes the trail and saved views, removes what is deleted, and may do nothing else', () => {
  const [secret] = theResource(template, 'AWS::SecretsManager::Secret', 'SigningReview');
  expect(grantedTo('DeskReview')).toEqual(
    [
      ...['Decrypt', 'GenerateDataKey'].map((action) => `kms:${action} ${arnOf('AWS::KMS::Key', 'BucketsKey')}`),
      ...['runs/*.json', 'keys/*', 'audit/*', 'desk/views.json'].map(
        (name) => `s3:GetObject ${bucket('Work')}/${name}`,
      ),
      ...[
        ...['runs/*/begun.json', 'runs/*/beginning.json', 'runs/*/asked-*.json', 'runs/*/dropped.json'],
        ...['audit/*', 'keys/review-*.json', 'desk/views.json'],
      ].map((name) => `s3:PutObject ${bucket('Work')}/${name}`),
      `s3:ListBucket ${bucket('Work')}`,
      `s3:ListBucketVersions ${bucket('Quarantine')}`,
      ...['Quarantine', 'Intake'].map((name) => `s3:DeleteObjectVersion ${bucket(name)}/*`),
      `secretsmanager:GetSecretValue <${secret}>`,
      `sqs:SendMessage ${arnOf('AWS::SQS::Queue', 'IntakeQueue')}`,
      ...['SendMessage', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
        (action) => `sqs:${action} ${removals()}`,
      ),
      `sqs:SendMessage ${arnOf('AWS::SQS::Queue', 'WaysOutIndexQueue')}`,
      `states:StartExecution <${theResource(template, 'AWS::StepFunctions::StateMachine', 'ScanEmail')[0]}>`,
    ].sort(),
  );
});

test('nobody but review signs as review, writes the trail or saved views, or says who released first, and only the desk calls it', () => {
  const whoMay = (action: string, resource: string) => [
    ...new Set(
      grantsOf(template)
        .filter((statement) => statement.effect === 'Allow' && allows(statement, [action], [resource]))
        .flatMap(({ who }) => who),
    ),
  ];
  const work = bucket('Work');
  for (const name of [
    ...[keys.audit(1), keys.auditHead(), keys.asked(RUN, 2, 'original'), keys.publicKey('review', RUN)],
    keys.savedViews(),
  ])
    expect([name, whoMay('s3:PutObject', `${work}/${name}`)]).toEqual([name, [roleOf('DeskReview')]]);
  const [secret] = theResource(template, 'AWS::SecretsManager::Secret', 'SigningReview');
  expect(whoMay('secretsmanager:GetSecretValue', `<${secret}>`)).toEqual([roleOf('DeskReview')]);
  const review = arnOf('AWS::Lambda::Function', 'DeskReviewFunction');
  expect(whoMay('lambda:InvokeFunction', review)).toEqual([roleOf('DeskPages')]);
  expect(whoMay('s3:PutObject', `${bucket('Clean')}/${RUN}/message.eml`)).toEqual([roleOf('MailAirlockDeliver')]);
});

test('what is deleted is removed once more when no function of quarantine that was filing it can live any more', () => {
  const queues = resourcesOf(template, 'AWS::SQS::Queue');
  const Properties = queues.find(([id]) => `<${id}.Arn>` === removals())?.[1].Properties;
  const { Properties: filing } = theResource(template, 'AWS::Lambda::Function', 'MailAirlockQuarantineFunction')[1];
  const { Properties: deciding } = theResource(template, 'AWS::Lambda::Function', 'DeskReviewFunction')[1];
  // The request is sent before the mail is deleted, by a function that lives so long.
  expect([filing.Timeout, deciding.Timeout, Properties?.DelaySeconds]).toEqual([300, 120, 900]);
  const variables = (deciding.Environment as { Variables: Record<string, unknown> }).Variables;
  expect(`<${(variables.AIRLOCK_REMOVALS_QUEUE as { Ref: string }).Ref}.Arn>`).toBe(removals());
  const [letters] = theResource(template, 'AWS::SQS::Queue', 'ReviewRemovalLetters');
  expect(Properties?.RedrivePolicy).toMatchObject({ deadLetterTargetArn: { 'Fn::GetAtt': [letters, 'Arn'] } });
  expect(theResource(template, 'AWS::CloudWatch::Alarm', 'RemovalsWaiting')[1].Properties.Dimensions).toEqual([
    { Name: 'QueueName', Value: { 'Fn::GetAtt': [letters, 'QueueName'] } },
  ]);
});

test('no mail can be read by the desk or by review, and neither is told a secret of another', () => {
  for (const name of ['DeskPages', 'DeskReview'])
    for (const from of ['Intake', 'Quarantine', 'Clean'])
      expect(grantedTo(name).filter((line) => line.startsWith(`s3:GetObject ${bucket(from)}`))).toEqual([]);
  for (const name of ['DeskPages', 'DeskReview']) {
    const [role] = theResource(template, 'AWS::IAM::Role', `${name}Role`);
    const reads = grantsOf(template).filter(({ who }) => who.includes(role));
    const rebuilt = `${bucket('Work')}/${keys.rebuilt(RUN, HASH)}`;
    expect(reads.some((statement) => allows(statement, ['s3:GetObject'], [rebuilt]))).toBe(false);
  }
  for (const name of ['DeskPages', 'DeskReview'])
    expect(grantedTo(name).filter((line) => /secretsmanager/.test(line)).length).toBe(name === 'DeskReview' ? 1 : 0);
});

test('the role of preview reads mail, files and chains, writes zips of originals alone, holds no secret, and is where no way leads out', () => {
  const reads = [
    `${bucket('Intake')}/*`,
    ...['runs/*.json', 'keys/*', 'audit/*', 'artifacts/*', 'disarmed/*'].map((name) => `${bucket('Work')}/${name}`),
    `${bucket('Clean')}/*/message.eml`,
    `${bucket('Quarantine')}/*/original`,
  ];
  expect(grantedTo('DeskPreview').filter((line) => !line.startsWith('ec2:'))).toEqual(
    [
      ...reads.map((name) => `s3:GetObject ${name}`),
      `s3:PutObject ${bucket('Work')}/takeouts/*`,
      `kms:GenerateDataKey ${arnOf('AWS::KMS::Key', 'BucketsKey')}`,
      `s3:GetObjectVersion ${bucket('Intake')}/*`,
      ...['Intake', 'Work', 'Clean', 'Quarantine'].map((name) => `s3:ListBucket ${bucket(name)}`),
      ...['BucketsKey', 'BucketsCleanKey'].map((name) => `kms:Decrypt ${arnOf('AWS::KMS::Key', name)}`),
    ].sort(),
  );
  expect(placeOf('DeskPreview')).toEqual(placeOf('MailAirlockRebuild'));
  const preview = arnOf('AWS::Lambda::Function', 'DeskPreviewFunction');
  const callers = grantsOf(template).filter((each) => allows(each, ['lambda:InvokeFunction'], [preview]));
  expect(new Set(callers.flatMap(({ who }) => who))).toEqual(new Set([roleOf('DeskPages')]));
});

/** The subnets and groups of a function; undefined when it is in no network. */
const placeOf = (name: string) =>
  theResource(template, 'AWS::Lambda::Function', `${name}Function`)[1].Properties.VpcConfig;
/** The queue of what is removed once more. */
const removals = () =>
  `<${resourcesOf(template, 'AWS::SQS::Queue').find(([id]) => /ReviewRemovals/.test(id))?.[0]}.Arn>`;
const roleOf = (name: string) => theResource(template, 'AWS::IAM::Role', `${name}Role`)[0];

test('no function of the desk can both read hostile bytes and reach the internet', () => {
  const held = [`${bucket('Intake')}/mail.eml`, `${bucket('Quarantine')}/${keys.quarantinedOriginal(RUN)}`];
  const hostile = [...held, `${bucket('Work')}/${keys.artifact(HASH)}`, `${bucket('Work')}/${keys.disarmed(HASH)}`];
  const names = resourcesOf(template, 'AWS::Lambda::Function')
    .map(([id]) => /(Desk\w+?)Function/.exec(id)?.[1])
    .filter((name) => name !== undefined);
  expect(names.sort()).toEqual(['DeskPages', 'DeskPreview', 'DeskReview']);
  const readers = names.filter((name) =>
    grantsOf(template).some(
      (each) => each.who.includes(roleOf(name)) && allows(each, ['s3:GetObject', 's3:GetObjectVersion'], hostile),
    ),
  );
  expect(readers).toEqual(['DeskPreview']);
  expect([placeOf('DeskPages'), placeOf('DeskReview')]).toEqual([undefined, undefined]);
  const integrations = resourcesOf(template, 'AWS::ApiGatewayV2::Integration').map(([, { Properties }]) =>
    textOf(Properties.IntegrationUri),
  );
  expect([...new Set(integrations)]).toEqual([arnOf('AWS::Lambda::Function', 'DeskPagesFunction')]);
});

test('the audit trail, the keys with which it is checked, the list of the operator and saved views are kept for good, and everything else of the work bucket ages', () => {
  const [, { Properties }] = theResource(template, 'AWS::S3::Bucket', 'BucketsWork');
  const { Rules } = Properties.LifecycleConfiguration as { Rules: { Prefix?: string; ExpirationInDays?: number }[] };
  const ages = Rules.filter(({ ExpirationInDays }) => ExpirationInDays !== undefined).map(({ Prefix }) => Prefix);
  const isKept = (key: string) => !ages.some((prefix) => key.startsWith(prefix ?? ''));
  const named = [keys.audit(1), keys.publicKey('review', RUN), keys.entry(RUN, 1, 'parse'), keys.artifact(HASH)];
  expect(named.map(isKept)).toEqual([true, true, false, false]);
  expect(ages).toEqual(WORK_FOLDERS.filter((name) => !isKept(`${name}/x`)).map((name) => `${name}/`));
  expect(WORK_FOLDERS.filter((name) => isKept(`${name}/x`)).sort()).toEqual(['audit', 'desk', 'keys', 'lists']);
});

test('nobody but preview writes zips of originals, nobody but the desk reads them, and they are gone after a day', () => {
  const zip = `${bucket('Work')}/${keys.takeOut(RUN, 1)}`;
  const whoMay = (action: string) => [
    ...new Set(
      grantsOf(template)
        .filter((statement) => statement.effect === 'Allow' && allows(statement, [action], [zip]))
        .flatMap(({ who }) => who),
    ),
  ];
  expect(whoMay('s3:PutObject')).toEqual([roleOf('DeskPreview')]);
  const stages = /MailAirlock(?:Parse|Submit|Poll|Fetch|Decide|Rebuild|Deliver|Quarantine)Role/;
  expect(whoMay('s3:GetObject').filter((role) => !stages.test(role))).toEqual([roleOf('DeskPages')]);
  const [, { Properties }] = theResource(template, 'AWS::S3::Bucket', 'BucketsWork');
  const { Rules } = Properties.LifecycleConfiguration as { Rules: { Prefix?: string; ExpirationInDays?: number }[] };
  expect(Rules.filter(({ Prefix }) => Prefix === 'takeouts/')).toMatchObject([
    { ExpirationInDays: 1, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
  ]);
});

type WorkKey = Exclude<keyof typeof keys, `clean${string}` | `quarantine${string}` | 'held' | 'submission'>;
/** Each name that anything writes into the work bucket. */
const EVERY: Readonly<Record<WorkKey, string>> = {
  run: keys.run(RUN),
  ledgerView: keys.ledgerView(RUN),
  mailPage: keys.mailPage(RUN),
  entry: keys.entry(RUN, 1, 'parse'),
  publicKey: keys.publicKey('parse', RUN),
  linkKey: keys.linkKey(),
  envelope: keys.envelope('a', 'b'),
  forwarded: keys.forwarded(RUN),
  forwarding: keys.forwarding(RUN, 1),
  placed: keys.placed('a', 'b', HASH),
  intake: keys.intake(RUN),
  asked: keys.asked(RUN, 2, 'rebuilt'),
  dropNote: keys.dropNote(RUN),
  audit: keys.audit(1),
  auditHead: keys.auditHead(),
  blockSummary: keys.blockSummary(),
  operatorLists: keys.operatorLists(),
  beginning: keys.beginning(RUN, 2),
  terminal: keys.terminal(RUN, 1),
  rebuilt: keys.rebuilt(RUN, HASH),
  sealPlan: keys.sealPlan(RUN, HASH),
  noticeSlot: keys.noticeSlot(HASH, 1, 1),
  ask: keys.ask(RUN, HASH),
  takeOut: keys.takeOut(RUN, 1),
  savedViews: keys.savedViews(),
  worse: keys.worse(HASH),
  recalled: keys.recalled(RUN),
  recalledFile: keys.recalledFile(RUN, HASH),
  recallMail: keys.recallMail(RUN, HASH),
  recallMailed: keys.recallMailed(RUN),
  rechecked: keys.rechecked('2026-11-20', HASH),
  digest: keys.digest('2026-11-20', HASH),
  budgetPlace: keys.budgetPlace('sandbox', '2026-11-20', 1),
  mailBudgetPlace: keys.mailBudgetPlace('sandbox', RUN, 1),
  quotaNote: keys.quotaNote(),
  seen: keys.seen('file', HASH),
  artifact: keys.artifact(HASH),
  disarmed: keys.disarmed(HASH),
  engineReport: keys.engineReport('static', HASH),
  engineFile: keys.engineFile('static', HASH, HASH),
};

test.each(Object.entries(EVERY))('%s (%s) is in a folder of which the bucket knows whether it ages', (_, key) => {
  expect(WORK_FOLDERS.map((name) => `${name}/`).some((prefix) => key.startsWith(prefix))).toBe(true);
});

test('the pages and review decide by the policy of the deployment', async () => {
  const folder = scratchDirectory();
  for (const name of ['desk', 'review'] as const) {
    bundleAnew(name, folder, { policyJson: '{"release":{"rebuilt":"two"}}' });
    const code = readFileSync(join(folder, BUNDLE_FILE), 'utf8');
    expect([name, code.includes('rebuilt'), code.includes('process.env.AIRLOCK_POLICY')]).toEqual([name, true, false]);
  }
});

test('below /api the HTTP API asks for a token of the pool, for this desk; the other addresses are those of a browser', () => {
  const [pool] = theResource(template, 'AWS::Cognito::UserPool', 'DeskPeople');
  const [client, { Properties: ofClient }] = theResource(template, 'AWS::Cognito::UserPoolClient', 'DeskPeople');
  const routes = resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties);
  const kinds = routes.map(({ RouteKey, AuthorizationType }) => `${RouteKey} ${AuthorizationType}`).sort();
  expect(kinds).toEqual(['ANY /{proxy+} NONE', 'GET / NONE', 'GET /api/{proxy+} JWT']);
  const [, { Properties }] = theResource(template, 'AWS::ApiGatewayV2::Authorizer', 'Desk');
  const { Audience, Issuer } = Properties.JwtConfiguration as { Audience: unknown[]; Issuer: unknown };
  expect([Audience.map(textOf), textOf(Issuer)]).toEqual([
    [`<${client}>`],
    `https://cognito-idp.<AWS::Region>.amazonaws.com/<${pool}>`,
  ]);
  expect(variables(template).AIRLOCK_DESK_CLIENT_ID).toEqual({ Ref: client });
  expect(textOf((ofClient.CallbackURLs as unknown[])[0])).toMatch(/^<.*Api.*>\/signed-in$/);
});

test('nobody puts himself into the pool, and everybody needs a second factor', () => {
  const [, { Properties }] = theResource(template, 'AWS::Cognito::UserPool', 'DeskPeople');
  expect(Properties).toMatchObject({
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    MfaConfiguration: 'ON',
  });
  const groups = resourcesOf(template, 'AWS::Cognito::UserPoolGroup').map(([, group]) => group.Properties.GroupName);
  expect(groups).toEqual(['reader', 'analyst', 'admin']);
});

test('people sign in on the pages of the pool alone, for an hour, and change nothing that names them', () => {
  const [, { Properties }] = theResource(template, 'AWS::Cognito::UserPoolClient', 'Desk');
  expect(Properties).toMatchObject({
    ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
    RefreshTokenValidity: 60,
    WriteAttributes: ['locale'],
  });
});

test('an issuer of the owner takes the place of the pool, and a domain of his that of the address', () => {
  const own = synthesize({
    context: {
      indexRuns: true,
      deskIssuer: 'https://login.example.org desk roles',
      deskUrl: 'https://desk.example.org',
    },
  }).template;
  expect(resourcesOf(own, 'AWS::Cognito::UserPool')).toEqual([]);
  expect(variables(own)).toMatchObject({
    AIRLOCK_DESK_ISSUER: 'https://login.example.org',
    AIRLOCK_DESK_CLIENT_ID: 'desk',
    AIRLOCK_DESK_ROLE_CLAIM: 'roles',
    AIRLOCK_DESK_URL: 'https://desk.example.org',
  });
});

test('with drops, review alone puts copies where mail comes in, whatever other policies allow, and only who makes runs of objects knows of them', () => {
  const { template: with_ } = synthesize({ context: { ...context, deskDrop: true } });
  const [role] = theResource(with_, 'AWS::IAM::Role', 'DeskReviewRole');
  const intake = `<${theResource(with_, 'AWS::S3::Bucket', 'BucketsIntake')[0]}.Arn>`;
  const copy = `${intake}/dropped/${RUN}/mail.eml`;
  const statements = grantsOf(with_);
  const may = statements.filter((each) => each.effect === 'Allow' && allows(each, ['s3:PutObject'], [copy]));
  expect(may.flatMap(({ who }) => who)).toEqual([role]);
  expect(allows(may[0] as never, ['s3:PutObject'], [`${intake}/ses/mail`])).toBe(false);
  const deny = resourcesOf(with_, 'AWS::S3::BucketPolicy')
    .flatMap(([, { Properties }]) => (Properties.PolicyDocument as { Statement: Record<string, unknown>[] }).Statement)
    .filter(({ Sid }) => String(Sid).startsWith('OnlyReviewDrops'));
  expect(deny).toMatchObject([
    { Effect: 'Deny', Principal: { AWS: '*' }, Action: ['s3:PutObject', 's3:ReplicateObject'] },
  ]);
  expect(textOf(deny[0]?.Resource)).toBe(`${intake}/dropped/*`);
  expect(JSON.stringify(deny[0]?.Condition)).toContain(role);
  expect(functionsWith(with_, 'AIRLOCK_DESK_DROPS')).toEqual(['MailAirlockDeskPages', 'MailAirlockDeskReview']);
  expect(functionsWith(with_, 'AIRLOCK_DROPS_SEALED')).toEqual(['MailAirlockParse', 'MailAirlockQuarantine']);
  expect(functionsWith(template, 'AIRLOCK_DESK_DROPS')).toEqual([]);
});

const functionsWith = (from: Template, variable: string) =>
  resourcesOf(from, 'AWS::Lambda::Function')
    .filter(([, { Properties }]) => JSON.stringify(Properties.Environment ?? {}).includes(variable))
    .map(([id]) => id.replace(/Function.*$/, ''))
    .sort();

test('a copy that waits while drops are switched off stays a copy: its place is closed to everybody, where the bucket is ours', () => {
  const closed = resourcesOf(template, 'AWS::S3::BucketPolicy')
    .flatMap(([, { Properties }]) => (Properties.PolicyDocument as { Statement: Record<string, unknown>[] }).Statement)
    .filter(({ Sid }) => String(Sid).startsWith('OnlyReviewDrops'));
  expect(closed).toMatchObject([{ Effect: 'Deny', Principal: { AWS: '*' } }]);
  expect([textOf(closed[0]?.Resource), closed[0]?.Condition]).toEqual([`${bucket('Intake')}/dropped/*`, undefined]);
  expect(functionsWith(template, 'AIRLOCK_DROPS_SEALED')).toEqual(['MailAirlockParse', 'MailAirlockQuarantine']);
  const given = synthesize({ context: { ...context, intakeBucketName: 'in-another-stack' } }).template;
  expect(functionsWith(given, 'AIRLOCK_DROPS_SEALED')).toEqual([]);
  // There a note that review signs says what is a copy, with and without drops.
  const dropping = synthesize({
    context: { ...context, deskDrop: true, intakeBucketName: 'in-another-stack' },
  }).template;
  expect(functionsWith(dropping, 'AIRLOCK_DROPS_SEALED')).toEqual([]);
});

test.each([
  [{ indexRuns: true, deskDrop: true }, 'set desk, too'],
  [{ desk: true }, 'set indexRuns, too'],
  [{ indexRuns: true, deskIssuer: 'http://login.example.org desk' }, 'is expected'],
  [{ indexRuns: true, deskIssuer: 'https://login.example.org' }, 'is expected'],
  [{ ...context, deskUrl: 'https://desk.example.org/path' }, 'without a path'],
  [{ ...context, deskUrl: 'http://desk.example.org' }, 'https://'],
])('%j is refused', (wrong, says) => {
  expect(() => synthesize({ context: wrong })).toThrow(says);
});

test('a stack without a desk has none of it', () => {
  const plain = synthesize({ context: { indexRuns: true } }).template;
  expect(Object.keys(plain.Resources).filter((id) => id.includes('Desk'))).toEqual([]);
});

test('the bundle is small, and answers events of an HTTP API', async () => {
  const folder = scratchDirectory();
  bundleOtherLambda('desk', folder);
  const file = join(folder, BUNDLE_FILE);
  expect(statSync(file).size).toBeLessThan(MAX_BYTES);
  const requests = ['/style.css', '/mails', '/api/mails'].map((path) => ({
    version: '2.0',
    rawPath: path,
    rawQueryString: '',
    headers: { host: 'desk.example.org' },
    isBase64Encoded: false,
    requestContext: { domainName: 'desk.example.org', http: { method: 'GET', path } },
  }));
  const script = `const { handler } = require(${JSON.stringify(file)});
    Promise.all(${JSON.stringify(requests)}.map((event) => handler(event, {})))
      .then((answers) => console.log('answers', answers.map(({ statusCode }) => statusCode).join()));`;
  const settings = {
    WORK_BUCKET: 'w',
    RUNS_TABLE: 't',
    DESK_URL: 'https://desk.example.org',
    DESK_CLIENT_ID: 'c',
    REVIEW_FUNCTION: 'r',
    PREVIEW_FUNCTION: 'p',
  };
  const issuer = { DESK_ISSUER: 'https://login.example.org', DESK_ROLE_CLAIM: 'groups' };
  const named = Object.entries({ ...settings, ...issuer }).map(([name, value]) => [`AIRLOCK_${name}`, value]);
  const env = { AWS_REGION: 'eu-central-1', ...Object.fromEntries(named) };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
  expect(stdout).toContain('answers 200,303,401');
});

/** It starts with the first person who asks, who waits for it. */
const MAX_BYTES = 1_000_000;
