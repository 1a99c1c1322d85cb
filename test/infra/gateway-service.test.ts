/** The SMTP gateway on Fargate: who reaches what, whose spool it is, and what the container runs. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as sns from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { openMetrics } from '../../lib/gateway/metrics.ts';
import { startScript } from '../../lib/infra/doors/gateway-options.ts';
import { GatewayService } from '../../lib/infra/doors/gateway-service.ts';
import type { GatewayServiceProps } from '../../lib/infra/doors/gateway-service-props.ts';
import { watchScript } from '../../lib/infra/doors/gateway-watch.ts';
import { airlock } from '../local/console.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { resourcesOf, type Template, theResource } from './synth.ts';

type Given = Partial<GatewayServiceProps> | ((stack: Stack) => Partial<GatewayServiceProps>);

function gatewayWith(given: Given = {}, { withImage = true } = {}) {
  process.env.CDK_VALIDATION = 'false';
  const app = new App({ outdir: scratchDirectory() });
  const stack = new Stack(app, 'Mail');
  const props: GatewayServiceProps = {
    vpc: new ec2.Vpc(stack, 'Vpc') as ec2.IVpc,
    next: 'mail.example.com:2587',
    name: 'mx.example.com',
    tls: secretsmanager.Secret.fromSecretNameV2(stack, 'Tls', 'gateway-tls'),
    domains: ['example.com'],
    clientNetworks: ['10.0.0.0/8'],
    ...(withImage && { image: ecs.ContainerImage.fromRegistry('registry.example/mail-airlock') }),
    ...(typeof given === 'function' ? given(stack) : given),
  };
  const gateway = new GatewayService(stack, 'Gateway', props);
  return { app, stack, gateway, template: (): Template => app.synth().getStackByName('Mail').template };
}

interface Container {
  readonly Name: string;
  readonly User: string;
  readonly EntryPoint: readonly string[];
  readonly Command: readonly string[];
  readonly Secrets?: readonly { readonly Name: string }[];
  readonly Environment?: unknown;
  readonly StopTimeout?: number;
  readonly Essential: boolean;
  readonly HealthCheck?: { readonly Command: readonly string[] };
}
const containersOf = (template: Template, part = 'Gateway1Task'): Container[] =>
  theResource(template, 'AWS::ECS::TaskDefinition', part)[1].Properties.ContainerDefinitions as Container[];

describe('two spools', () => {
  const template = gatewayWith({ spools: 2 }).template();

  test('are two services of one task each, of which the old one ends before the new one begins', () => {
    const services = resourcesOf(template, 'AWS::ECS::Service').map(([, { Properties }]) => Properties);
    expect(services).toHaveLength(2);
    for (const service of services) {
      const DeploymentConfiguration = { MaximumPercent: 100, MinimumHealthyPercent: 0 };
      expect(service).toMatchObject({ DesiredCount: 1, LaunchType: 'FARGATE', DeploymentConfiguration });
      expect(service.LoadBalancers).toHaveLength(1);
    }
  });

  test('are two folders of one encrypted file system, each mounted over TLS by its own task only', () => {
    const [files, { Properties }] = theResource(template, 'AWS::EFS::FileSystem', 'Files');
    expect(Properties).toMatchObject({ Encrypted: true, BackupPolicy: { Status: 'ENABLED' } });
    const points = resourcesOf(template, 'AWS::EFS::AccessPoint');
    expect(points.map(([, point]) => (point.Properties.RootDirectory as { Path: string }).Path)).toEqual([
      '/spool-1',
      '/spool-2',
    ]);
    for (const number of [1, 2]) {
      const [, task] = theResource(template, 'AWS::ECS::TaskDefinition', `Gateway${number}Task`);
      const [point] = theResource(template, 'AWS::EFS::AccessPoint', `Spool${number}`);
      expect(task.Properties.Volumes).toEqual([
        {
          Name: 'spool',
          EFSVolumeConfiguration: {
            FilesystemId: { Ref: files },
            TransitEncryption: 'ENABLED',
            AuthorizationConfig: { AccessPointId: { Ref: point }, IAM: 'ENABLED' },
          },
        },
      ]);
      const [, policy] = theResource(template, 'AWS::IAM::Policy', `Gateway${number}TaskTaskRole`);
      const { Statement } = policy.Properties.PolicyDocument as {
        Statement: { Action: string[]; Condition: object }[];
      };
      expect(Statement.map(({ Action }) => Action)).toEqual([
        ['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'],
      ]);
      expect(JSON.stringify(Statement[0]?.Condition)).toContain(point);
    }
    const { Statement } = Properties.FileSystemPolicy as { Statement: { Sid: string; Effect: string }[] };
    expect(Statement.map(({ Sid, Effect }) => [Effect, Sid])).toEqual([
      ['Deny', 'OnlyOverTls'],
      ['Deny', 'OnlyThroughAccessPoints'],
    ]);
  });

  test('have one key for loops, of hexadecimal digits', () => {
    const [, secret] = theResource(template, 'AWS::SecretsManager::Secret', 'LoopKey');
    expect(secret.Properties.GenerateSecretString).toMatchObject({
      PasswordLength: 64,
      ExcludePunctuation: true,
      ExcludeUppercase: true,
      ExcludeCharacters: 'ghijklmnopqrstuvwxyz',
    });
  });

  test('are behind one load balancer that leaves the address of the client as it is', () => {
    const [, targets] = theResource(template, 'AWS::ElasticLoadBalancingV2::TargetGroup', 'Targets');
    expect(targets.Properties).toMatchObject({ Port: 2525, Protocol: 'TCP', TargetType: 'ip' });
    expect(targets.Properties.TargetGroupAttributes).toContainEqual({
      Key: 'preserve_client_ip.enabled',
      Value: 'true',
    });
    const [, listener] = theResource(template, 'AWS::ElasticLoadBalancingV2::Listener', 'Smtp');
    expect(listener.Properties).toMatchObject({ Port: 25, Protocol: 'TCP' });
    const [, balancer] = theResource(template, 'AWS::ElasticLoadBalancingV2::LoadBalancer', 'LoadBalancer');
    expect(balancer.Properties).toMatchObject({ Scheme: 'internal', Type: 'network' });
  });

  test('each have alarms for what waits, is late, could not be delivered, and for silence', () => {
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    expect(alarms).toHaveLength(8);
    const names = new Set(alarms.map(({ MetricName, Statistic }) => `${MetricName} ${Statistic}`));
    expect(names.size).toBe(8);
    expect(alarms.map(({ Threshold }) => Threshold).sort()).toEqual([1, 1, 1, 1, 1000, 1000, 900, 900]);
    const silent = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching');
    expect(silent).toHaveLength(2);
  });
});

test('only the named networks connect, and a task reaches its spool, AWS and the next server', () => {
  const template = gatewayWith({ clientNetworks: ['10.0.0.0/8', '192.0.2.0/24'] }).template();
  const rules = Object.values(template.Resources).flatMap(({ Type, Properties }) => {
    if (Type === 'AWS::EC2::SecurityGroup') {
      const { SecurityGroupIngress: ins = [], SecurityGroupEgress: outs = [] } = Properties as Record<string, object[]>;
      return [...ins.map((rule) => ({ way: 'in', ...rule })), ...outs.map((rule) => ({ way: 'out', ...rule }))];
    }
    if (Type === 'AWS::EC2::SecurityGroupIngress') return [{ way: 'in', ...Properties }];
    return Type === 'AWS::EC2::SecurityGroupEgress' ? [{ way: 'out', ...Properties }] : [];
  }) as { way: string; CidrIp?: string; FromPort?: number }[];
  const open = rules.filter(({ CidrIp }) => CidrIp !== undefined && CidrIp !== '255.255.255.255/32');
  expect(open.map(({ way, CidrIp, FromPort }) => `${way} ${CidrIp} ${FromPort}`).sort()).toEqual([
    'in 10.0.0.0/8 25',
    'in 192.0.2.0/24 25',
    'out 0.0.0.0/0 2587',
    'out 0.0.0.0/0 443',
  ]);
  const between = rules.filter(({ CidrIp }) => CidrIp === undefined);
  expect(between.map(({ way, FromPort }) => `${way} ${FromPort}`).sort()).toEqual([
    'in 2049',
    'in 2525',
    'out 2049',
    'out 2525',
  ]);
});

describe('the container', () => {
  const all = gatewayWith((stack) => ({
    relayFrom: ['10.1.0.0/16'],
    passwords: secretsmanager.Secret.fromSecretNameV2(stack, 'Passwords', 'gateway-passwords'),
    nextLogin: { user: 'airlock', password: secretsmanager.Secret.fromSecretNameV2(stack, 'Next', 'gateway-next') },
    options: ['--notice-from', 'airlock@example.com', '--notice-to', 'postmaster@example.com'],
    alarmTopic: new sns.Topic(stack, 'Alarms'),
  })).template();
  const [gateway, watch] = containersOf(all) as [Container, Container];

  test('has its secrets from Secrets Manager, and none in the template', () => {
    const names = ['TLS_KEY', 'TLS_CERTIFICATE', 'LOOP_KEY', 'PASSWORDS', 'NEXT_PASSWORD'];
    expect(gateway.Secrets?.map(({ Name }) => Name)).toEqual(names.map((name) => `AIRLOCK_${name}`));
    expect(gateway.Environment).toBeUndefined();
    expect([gateway.User, watch.User]).toEqual(['1000:1000', '1000:1000']);
  });

  test('knows clients by certificates of the authorities in a secret', () => {
    const template = gatewayWith((stack) => ({
      clientAuthorities: secretsmanager.Secret.fromSecretNameV2(stack, 'Authorities', 'gateway-authorities'),
      clientRevocationLists: secretsmanager.Secret.fromSecretNameV2(stack, 'Revoked', 'gateway-revoked'),
      clientCertificateRequired: true,
    })).template();
    const [{ Command, Secrets }] = containersOf(template) as [Container];
    const files = '--tls-client-ca /dev/shm/airlock/authorities.pem --tls-client-crl /dev/shm/airlock/revoked.pem';
    expect(Command.join(' ')).toContain(`${files} --tls-client-required`);
    const names = Secrets?.map(({ Name }) => Name);
    expect(names).toEqual(expect.arrayContaining(['AIRLOCK_CLIENT_AUTHORITIES', 'AIRLOCK_CLIENT_REVOCATION_LISTS']));
    expect(() => gatewayWith({ clientCertificateRequired: true })).toThrow(
      /clientCertificateRequired: it needs clientAuthorities/,
    );
    const listsAlone = (stack: Stack) => ({
      clientRevocationLists: secretsmanager.Secret.fromSecretNameV2(stack, 'Revoked', 'gateway-revoked'),
    });
    expect(() => gatewayWith(listsAlone)).toThrow(/clientRevocationLists: they need clientAuthorities/);
  });

  test('shows its own certificate to the next server, if told to', () => {
    const [{ Command }] = containersOf(gatewayWith({ nextCertificate: true }).template()) as [Container];
    const files = '--next-key /dev/shm/airlock/key.pem --next-cert /dev/shm/airlock/cert.pem';
    expect(Command.join(' ')).toContain(files);
    expect(gateway.Command).not.toContain('--next-cert');
  });

  test('ends what is in progress before it is killed', () => {
    expect(gateway.StopTimeout).toBe(120);
    expect([gateway.Essential, watch.Essential]).toEqual([true, false]);
  });

  test('runs airlock gateway with options that it takes', async () => {
    expect(gateway.Command.slice(0, 6)).toEqual([
      ...['--listen', '0.0.0.0:2525', '--next', 'mail.example.com:2587', '--name', 'mx.example.com'],
    ]);
    expect(gateway.Command.join(' ')).toContain('--domain example.com --client 10.1.0.0/16 --auth-file');
    // The files of its secrets are not here: it says so, after it has read the other options.
    const { code, stderr } = await airlock(['gateway', '--spool', scratchDirectory(), ...gateway.Command]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('/dev/shm/airlock/key.pem')]);
  });

  test('is called healthy while the gateway serves its metrics', async () => {
    const server = createServer((_, response) => response.end('x')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [, , ...args] =
      gateway.HealthCheck?.Command.map((text) => text.replace('127.0.0.1:9100', `127.0.0.1:${port}`)) ?? [];
    const ended = async () => (await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit'))[0];
    expect(await ended()).toBe(0);
    server.close();
    server.closeAllConnections();
    expect(await ended()).toBe(1);
  });
});

test('the start of the container puts secrets into private files, and none into the gateway', () => {
  const folder = scratchDirectory();
  const [bin, spool, secrets] = ['bin', 'spool', 'secrets'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(bin);
  writeFileSync(join(bin, 'airlock'), '#!/bin/sh\necho "$@"\nenv | grep ^AIRLOCK_ || true\n');
  chmodSync(join(bin, 'airlock'), 0o755);
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    AIRLOCK_TLS_KEY: 'key\nin lines $(true) `x`',
    AIRLOCK_TLS_CERTIFICATE: 'certificate',
    AIRLOCK_CLIENT_AUTHORITIES: 'authorities',
    AIRLOCK_CLIENT_REVOCATION_LISTS: 'lists',
    AIRLOCK_PASSWORDS: 'ana:$2$x',
    AIRLOCK_LOOP_KEY: 'ab'.repeat(32),
    AIRLOCK_NEXT_PASSWORD: 'next',
  };
  const script = startScript({ spool, secrets, hasPasswords: true, hasAuthorities: true, hasRevocationLists: true });
  const out = execFileSync('sh', ['-c', script, 'airlock-gateway', '--name', 'a b'], { env, encoding: 'utf8' });
  expect(out).toBe(`gateway --spool ${spool} --name a b\nAIRLOCK_NEXT_PASSWORD=next\n`);
  expect(readFileSync(join(secrets, 'key.pem'), 'utf8')).toBe('key\nin lines $(true) `x`\n');
  expect(readFileSync(join(secrets, 'authorities.pem'), 'utf8')).toBe('authorities\n');
  expect(readFileSync(join(secrets, 'revoked.pem'), 'utf8')).toBe('lists\n');
  expect(readFileSync(join(secrets, 'passwords'), 'utf8')).toBe('ana:$2$x\n');
  expect(readFileSync(join(spool, 'secrets/loop.key'), 'utf8')).toBe('ab'.repeat(32));
});

test('beside it runs what tells the log how much waits, as the gateway counts it', async () => {
  const metrics = openMetrics();
  for (const [state, count] of Object.entries({ judging: 2, sending: 3, held: 7, undelivered: 4 }))
    metrics.set('queue', count, state);
  metrics.set('oldest_seconds', 61.5);
  const server = createServer((_, response) => response.end(metrics.text())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  const watch = spawn(process.execPath, ['-e', watchScript(url, 3600)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(watch.stdout, 'data');
  watch.kill('SIGTERM');
  const [code] = await once(watch, 'exit');
  server.close();
  expect(JSON.parse(String(line))).toEqual({
    airlockGateway: 'watch',
    waiting: 5,
    undelivered: 4,
    oldestSeconds: 61.5,
  });
  expect(code).toBe(0);
});

test('the image is built of deploy/Containerfile when the app is deployed, and synth needs no docker', () => {
  const path = process.env.PATH;
  process.env.PATH = '';
  try {
    const { app, stack } = gatewayWith({}, { withImage: false });
    const assembly = app.synth();
    const manifest = JSON.parse(readFileSync(join(assembly.directory, `${stack.artifactId}.assets.json`), 'utf8'));
    const images = Object.values(manifest.dockerImages) as { source: Record<string, string> }[];
    expect(images.map(({ source }) => source)).toMatchObject([
      { dockerFile: 'deploy/Containerfile', dockerBuildTarget: 'gateway', platform: 'linux/amd64' },
    ]);
  } finally {
    process.env.PATH = path;
  }
});

test('the stack in docs/gateway.md is built', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/gateway.md'), 'utf8');
  const [, code = ''] = /### On Fargate[\s\S]*?```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const body = code.replaceAll(/^import .*$/gm, '');
  expect(body).toContain('new GatewayService');
  class Here extends App {
    constructor() {
      super({ outdir: scratchDirectory() });
    }
  }
  const names = { App: Here, Stack, Peer: ec2.Peer, Vpc: ec2.Vpc, Secret: secretsmanager.Secret, GatewayService };
  const build = new Function(...Object.keys(names), `${body}; return stack;`);
  const stack = build(...Object.values(names)) as Stack;
  const app = stack.node.root as App;
  const { Resources } = app.synth().getStackByName('Gateway').template as Template;
  expect(Object.values(Resources).filter(({ Type }) => Type === 'AWS::ECS::Service')).toHaveLength(2);
});

test('cdk-nag finds nothing that was not accepted with a reason', () => {
  const { app } = gatewayWith({ clientNetworks: ['0.0.0.0/0'] });
  const { violations } = new AwsSolutionsChecks(app, { verbose: true }).validateScope(app);
  const ofGateway = violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources
      .filter(({ constructPath }) => constructPath?.startsWith('Mail/Gateway/'))
      .map(({ constructPath }) => `${ruleName} ${constructPath}`),
  );
  expect(ofGateway).toEqual([]);
});

describe('is refused at synth:', () => {
  test.each<[Partial<GatewayServiceProps>, string]>([
    [{ next: 'mail.example.com' }, 'next: HOST:PORT is expected'],
    [{ name: 'mx' }, 'name: a host name is expected'],
    [{ domains: ['*'] }, 'domains: a domain is expected'],
    [{ domains: [] }, 'nobody could send'],
    [{ clientNetworks: [] }, 'nobody could connect'],
    [{ clientNetworks: ['10.0.0.1'] }, 'clientNetworks: a network such as'],
    [{ relayFrom: ['0.0.0.0/0'] }, 'too wide'],
    [{ spools: 0 }, 'spools: a whole number from 1 to 10'],
    [{ spools: 1.5 }, 'spools: a whole number from 1 to 10'],
  ])('%j', (given, says) => {
    expect(() => gatewayWith(given)).toThrow(says);
  });
});
