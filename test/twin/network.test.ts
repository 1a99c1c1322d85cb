/** The networks of functions: what no route leads to, and what no endpoint lets through, cannot be called. */
import { describe, expect, test } from 'vitest';
import type { Assembly, Properties, Resource } from './assembly/assembly.ts';
import { Gate } from './policies/gate.ts';
import { type Network, networkOf } from './policies/network.ts';
import { statementsOf } from './policies/statement.ts';

const ACCOUNT = '111122223333';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/engine`;
const EVERYTHING = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
const READS = {
  Effect: 'Allow',
  Action: 's3:GetObject',
  Principal: { AWS: '*' },
  Resource: 'arn:aws:s3:::work/artifacts/*',
};

const onlyFor = (role: string) => ({ ...READS, Condition: { ArnEquals: { 'aws:PrincipalArn': role } } });

interface Choice {
  readonly policy?: object;
  readonly service?: string;
  readonly routeTables?: readonly string[];
  readonly egress?: readonly object[];
}

const ONLY_HTTPS = [{ CidrIp: '0.0.0.0/0', IpProtocol: 'tcp', FromPort: 443, ToPort: 443 }];

/** A function in two subnets, each with a table of routes, and one endpoint. */
function networkWith({
  policy,
  service = 's3',
  routeTables = ['t1', 't2'],
  egress = ONLY_HTTPS,
}: Choice = {}): Network {
  const resources: Record<string, Properties[]> = {
    'AWS::EC2::SubnetRouteTableAssociation': ['1', '2'].map((n) => ({ SubnetId: `s${n}`, RouteTableId: `t${n}` })),
    'AWS::EC2::SecurityGroup': [{ SecurityGroupEgress: egress }],
    'AWS::EC2::VPCEndpoint': [
      {
        VpcEndpointType: 'Gateway',
        ServiceName: `com.amazonaws.eu-central-1.${service}`,
        RouteTableIds: routeTables,
        PolicyDocument: policy ?? { Statement: [READS] },
      },
    ],
  };
  const made = (properties: Properties): Resource => ({
    ...{ logicalId: 'it', type: '', name: 'engine', ref: 'it', arn: 'it' },
    properties,
  });
  const of = (type: string) => (resources[type] ?? []).map(made);
  const place = { account: ACCOUNT, region: 'eu-central-1', url: '' };
  const assembly = { place, resources: [], of, assetFolder: () => '' } as Assembly;
  const network = networkOf(assembly, made({ VpcConfig: { SubnetIds: ['s1', 's2'], SecurityGroupIds: ['it'] } }));
  if (network === null) throw new Error('no network');
  return network;
}

const READ = { action: 's3:GetObject', resource: 'arn:aws:s3:::work/artifacts/a' };

describe('a function in isolated subnets', () => {
  test.each([
    ['reads what the endpoint names', {}, READ, null],
    ['reads no other object', {}, { ...READ, resource: 'arn:aws:s3:::work/runs/a' }, /endpoint of s3 does not let/],
    ['writes nothing where only reading is allowed', {}, { ...READ, action: 's3:PutObject' }, /does not let/],
    ['asks no service without an endpoint', {}, { action: 'secretsmanager:GetSecretValue', resource: 'x' }, /no route/],
    ['reads nothing when the endpoint is of another service', { service: 'dynamodb' }, READ, /no route/],
    ['reads nothing when one of its subnets has no route', { routeTables: ['t1'] }, READ, /no route/],
    ['reads nothing when its security group lets nothing out', { egress: [] }, READ, /let nothing out on port 443/],
    ['reads what the endpoint opens to its role', { policy: { Statement: [onlyFor(ROLE)] } }, READ, null],
    [
      'reads nothing that is open to another role',
      { policy: { Statement: [onlyFor(`${ROLE}2`)] } },
      READ,
      /does not let/,
    ],
    [
      'reads nothing when the endpoint denies it',
      { policy: { Statement: [READS, { ...READS, Effect: 'Deny' }] } },
      READ,
      /does not let/,
    ],
  ] as const)('%s', (_, choice, need, expected) => {
    const found = networkWith(choice as Choice).blocks(ROLE, need);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatch(expected);
  });

  test('is told from its own network by the gate, whatever its role allows', () => {
    const policies = {
      ofRole: new Map([[ROLE, statementsOf('it', EVERYTHING)]]),
      trust: new Map(),
      ofResource: new Map(),
    };
    const gate = new Gate(policies, ACCOUNT);
    const caller = { roleArn: ROLE, service: null };
    const need = { action: 'states:StartExecution', resource: 'x' };
    expect(gate.allows(caller, [need])).toBe(true);
    expect(gate.allows({ ...caller, network: networkWith() }, [need], true)).toBe(false);
    expect(gate.denials).toMatchObject([{ action: 'states:StartExecution', why: expect.stringContaining('no route') }]);
  });

  test('lets S3 ask for the key of an object, which S3 does itself', () => {
    const need = {
      action: 'kms:Decrypt',
      resource: 'key',
      facts: { 'kms:ViaService': 's3.eu-central-1.amazonaws.com' },
    };
    expect(networkWith().blocks(ROLE, need)).toBeNull();
    expect(networkWith().blocks(ROLE, { action: 'kms:Decrypt', resource: 'key' })).toMatch(/no route/);
  });

  test('may have no endpoint that the twin does not know', () => {
    expect(() => networkWith({ service: 'sqs' })).toThrow('the twin does not know this service of an endpoint');
  });
});
