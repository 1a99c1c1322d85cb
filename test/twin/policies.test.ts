/** The evaluator against what AWS documents about its order of decisions. */
import { describe, expect, test } from 'vitest';
import { conditionsHold } from './policies/conditions.ts';
import { evaluate } from './policies/evaluate.ts';
import { Gate } from './policies/gate.ts';
import { statementsOf } from './policies/statement.ts';

const ACCOUNT = '111122223333';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/reader`;
const BUCKET = 'arn:aws:s3:::mail';
const KEY = `arn:aws:kms:eu-central-1:${ACCOUNT}:key/1`;

interface Statements {
  readonly role?: readonly object[];
  readonly bucket?: readonly object[];
  readonly key?: readonly object[];
}

function policiesOf({ role = [], bucket = [], key = [] }: Statements) {
  return {
    ofRole: new Map([[ROLE, statementsOf('role', { Statement: role })]]),
    trust: new Map(),
    ofResource: new Map([
      [BUCKET, statementsOf('bucket', { Statement: bucket })],
      [KEY, statementsOf('key', { Statement: key })],
    ]),
  };
}

function isAllowed(statements: Statements, action: string, resource: string, facts = {}): boolean {
  const owner = resource.startsWith(BUCKET) ? BUCKET : KEY;
  const request = { caller: { roleArn: ROLE, service: null }, action, resource, owner, facts };
  return evaluate(policiesOf(statements), ACCOUNT, request).allowed;
}

const allow = (Action: unknown, Resource: unknown, more = {}) => ({ Effect: 'Allow', Action, Resource, ...more });
const deny = (Action: unknown, Resource: unknown, more = {}) => ({ Effect: 'Deny', Action, Resource, ...more });
const OBJECT = `${BUCKET}/a/b`;
const toAnyone = { Principal: { AWS: '*' } };
const toAccount = { Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` } };
const toRole = { Principal: { AWS: ROLE } };

describe('a bucket', () => {
  test.each<[string, Statements, boolean]>([
    ['nobody says anything', {}, false],
    ['the role is allowed', { role: [allow('s3:GetObject', `${BUCKET}/*`)] }, true],
    ['the action is written in other letters and with wildcards', { role: [allow('S3:get*', `${BUCKET}/?/b`)] }, true],
    ['the role is allowed another object', { role: [allow('s3:GetObject', `${BUCKET}/a`)] }, false],
    ['the role is allowed the bucket and not its objects', { role: [allow('s3:GetObject', BUCKET)] }, false],
    ['the bucket allows the role', { bucket: [allow('s3:GetObject', `${BUCKET}/*`, toRole)] }, true],
    ['the bucket hands it to the account', { bucket: [allow('s3:GetObject', `${BUCKET}/*`, toAccount)] }, false],
    ['everything but this', { role: [{ Effect: 'Allow', NotAction: 's3:GetObject', Resource: '*' }] }, false],
    ['everything but that', { role: [{ Effect: 'Allow', NotAction: 's3:PutObject', Resource: '*' }] }, true],
    ['all resources but these', { role: [{ Effect: 'Allow', Action: '*', NotResource: `${BUCKET}/*` }] }, false],
    [
      'a denial of the bucket beats what the role is allowed',
      { role: [allow('*', '*')], bucket: [deny('s3:*', `${BUCKET}/*`, toAnyone)] },
      false,
    ],
    [
      'a denial for others than this role does not count for it',
      {
        role: [allow('*', '*')],
        bucket: [
          deny('s3:*', `${BUCKET}/*`, { ...toAnyone, Condition: { ArnNotEquals: { 'aws:PrincipalArn': ROLE } } }),
        ],
      },
      true,
    ],
  ])('%s', (_, statements, expected) => {
    expect(isAllowed(statements, 's3:GetObject', OBJECT, { 'aws:PrincipalArn': ROLE })).toBe(expected);
  });
});

describe('a key', () => {
  const role = [allow('kms:Decrypt', KEY)];
  test.each<[string, Statements, boolean]>([
    ['the role is allowed, and the key says nothing', { role }, false],
    [
      'the role is allowed, and the key leaves it to the account',
      { role, key: [allow('kms:*', '*', toAccount)] },
      true,
    ],
    ['the key leaves it to the account, and the role is not allowed', { key: [allow('kms:*', '*', toAccount)] }, false],
    ['the key allows the role by itself', { key: [allow('kms:Decrypt', '*', toRole)] }, true],
    [
      'the key leaves it to the account for another service only',
      { role, key: [allow('kms:*', '*', { ...toAccount, Condition: { StringEquals: { 'kms:ViaService': 'sqs' } } })] },
      false,
    ],
  ])('%s', (_, statements, expected) => {
    expect(isAllowed(statements, 'kms:Decrypt', KEY, { 'kms:ViaService': 's3' })).toBe(expected);
  });
});

describe('conditions', () => {
  const facts = { 'aws:PrincipalArn': ROLE, 's3:TlsVersion': '1.2', 'aws:SecureTransport': 'true' };
  test.each<[string, string, string | string[], boolean]>([
    ['StringEquals', 'aws:PrincipalArn', ROLE, true],
    ['StringNotEquals', 'aws:PrincipalArn', ROLE, false],
    ['StringLike', 'aws:PrincipalArn', '*:role/read?r', true],
    ['ArnLike', 'aws:PrincipalArn', ['arn:aws:iam::1:role/x', '*'], true],
    ['ArnNotLike', 'aws:PrincipalArn', 'arn:aws:iam::*', false],
    ['NumericLessThan', 's3:TlsVersion', '1.2', false],
    ['NumericLessThan', 's3:TlsVersion', '1.3', true],
    ['Bool', 'aws:SecureTransport', 'false', false],
    ['StringEquals', 'aws:SourceArn', 'x', false],
    ['StringNotEquals', 'aws:SourceArn', 'x', true],
    ['StringEqualsIfExists', 'aws:SourceArn', 'x', true],
    ['Null', 'aws:SourceArn', 'true', true],
    ['Null', 'aws:PrincipalArn', 'true', false],
  ])('%s %s %s is %s', (operator, key, value, expected) => {
    const values = Array.isArray(value) ? value : [value];
    expect(conditionsHold([{ operator, key, values }], facts)).toBe(expected);
  });

  test.each([
    ['IpAddress', 'aws:PrincipalArn'],
    ['ForAllValues:StringEquals', 'aws:PrincipalArn'],
    ['StringEquals', 'aws:MultiFactorAuthPresent'],
  ])('what the twin does not know stops it: %s %s', (operator, key) => {
    expect(() => conditionsHold([{ operator, key, values: ['x'] }], facts)).toThrow('the twin does not know');
  });
});

test.each([
  [{ Effect: 'Allow', Action: '*', Resource: '*', NotPrincipal: '*' }],
  [{ Effect: 'Perhaps', Action: '*', Resource: '*' }],
  [{ Effect: 'Allow', Action: '*', Resource: '*', Principal: { Federated: 'x' } }],
])('a statement that the twin does not know stops it: %j', (statement) => {
  expect(() => statementsOf('x', { Statement: statement })).toThrow('the twin does not know');
});

test('the gate remembers what was denied, and what nobody used', () => {
  const role = [allow(['s3:GetObject', 's3:PutObject'], `${BUCKET}/*`)];
  const gate = new Gate(policiesOf({ role }), ACCOUNT);
  const caller = { roleArn: ROLE, service: null };
  const need = (action: string) => ({ action, resource: OBJECT, owner: BUCKET });
  expect(gate.allows(caller, [need('s3:GetObject')])).toBe(true);
  expect(gate.allows(caller, [need('s3:GetObject'), need('s3:DeleteObject')])).toBe(false);
  expect(gate.denials).toMatchObject([{ who: ROLE, action: 's3:DeleteObject', resource: OBJECT }]);
  expect(gate.unused()).toEqual([{ where: 'role', action: 's3:PutObject', resource: `${BUCKET}/*` }]);
});
