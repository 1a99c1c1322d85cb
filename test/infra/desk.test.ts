import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BUNDLE_FILE, bundleOtherLambda } from '../../lib/infra/bundling/bundle.ts';
import { grantsOf } from './policy-walk.ts';
import { resourcesOf, scratchDirectory, synthesize, textOf, theResource } from './synth.ts';

const context = { indexRuns: true, desk: true };
const { template } = synthesize({ context });
const role = theResource(template, 'AWS::IAM::Role', 'DeskPagesRole')[0];
const granted = grantsOf(template)
  .filter(({ who, effect }) => effect === 'Allow' && who.includes(role))
  .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((one) => `${action} ${one}`)));
const variables = (from: typeof template) =>
  (
    theResource(from, 'AWS::Lambda::Function', 'DeskPagesFunction')[1].Properties.Environment as {
      Variables: Record<string, unknown>;
    }
  ).Variables;

test('the role of the desk reads chains, keys and the index, and may do nothing else', () => {
  const work = `<${theResource(template, 'AWS::S3::Bucket', 'BucketsWork')[0]}.Arn>`;
  const table = `<${theResource(template, 'AWS::DynamoDB::Table', 'IndexRuns')[0]}.Arn>`;
  const key = `<${theResource(template, 'AWS::KMS::Key', 'BucketsKey')[0]}.Arn>`;
  const own = granted.filter((line) => !/^(?:logs|xray):/.test(line));
  expect(own.sort()).toEqual([
    ...['BatchGetItem', 'GetItem', 'Query'].map((action) => `dynamodb:${action} ${table}`),
    `kms:Decrypt ${key}`,
    ...['keys/*', 'runs/*'].map((name) => `s3:GetObject ${work}/${name}`),
    `s3:ListBucket ${work}`,
  ]);
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

test.each([
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
  expect(statSync(file).size).toBeLessThan(MOST_BYTES);
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
  const settings = { WORK_BUCKET: 'w', RUNS_TABLE: 't', DESK_URL: 'https://desk.example.org', DESK_CLIENT_ID: 'c' };
  const issuer = { DESK_ISSUER: 'https://login.example.org', DESK_ROLE_CLAIM: 'groups' };
  const named = Object.entries({ ...settings, ...issuer }).map(([name, value]) => [`AIRLOCK_${name}`, value]);
  const env = { AWS_REGION: 'eu-central-1', ...Object.fromEntries(named) };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
  expect(stdout).toContain('answers 200,303,401');
});

/** It starts with the first person who asks, who waits for it. */
const MOST_BYTES = 1_300_000;
