/** The stack that needs no service: engines in isolated subnets. */
import { App, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { PORTS } from '../../lib/engines/url/visit/limits.ts';
import { MailAirlock } from '../../lib/infra/mail-airlock.ts';
import type { MailAirlockProps } from '../../lib/infra/mail-airlock-props.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { KINDS, type Kind } from '../../lib/pipeline/model.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { allows, grantsOf, type Statement, statementsOf } from './policy-walk.ts';
import { resourcesOf, synthesize, type Template, textOf, theResource } from './synth.ts';

const ALONE = { analysisUrl: '' };
const { app, template } = synthesize({ context: ALONE });
const HASH = 'ab'.repeat(32);

const NAMES: Readonly<Record<Kind, string>> = {
  static: 'EnginesStatic',
  sandbox: 'EnginesSandbox',
  cdr: 'EnginesCdr',
  url_analysis: 'EnginesUrlAnalysis',
};
const ENGINE_ROLES = [...Object.values(NAMES), 'EnginesFailed'];

const functionOf = (name: string) => theResource(template, 'AWS::Lambda::Function', `${name}Function`)[1].Properties;
const roleOf = (name: string) => theResource(template, 'AWS::IAM::Role', `MailAirlock${name}Role`)[0];
const work = () => `<${theResource(template, 'AWS::S3::Bucket', 'BucketsWork')[0]}.Arn>`;

describe('without a service', () => {
  test('nothing of a service is deployed: no secret, no URL', () => {
    expect(resourcesOf(template, 'AWS::SecretsManager::Secret').filter(([id]) => /ApiKey|CdrToken/.test(id))).toEqual(
      [],
    );
    expect(JSON.stringify(template)).not.toContain('AIRLOCK_ANALYSIS_URL');
  });

  test.each(KINDS)('%s has a queue, and a function that takes one job at a time', (kind) => {
    const name = NAMES[kind];
    const queue = theResource(template, 'AWS::SQS::Queue', `${name}Jobs`);
    const [, mapping] = theResource(template, 'AWS::Lambda::EventSourceMapping', `${name}Function`);
    expect(textOf(mapping.Properties.EventSourceArn)).toBe(`<${queue[0]}.Arn>`);
    expect(mapping.Properties).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 20 },
    });
    expect(JSON.stringify(functionOf(name).Environment)).toContain(`"AIRLOCK_ENGINE":"${kind}"`);
    expect(Number(queue[1].Properties.VisibilityTimeout)).toBeGreaterThan(Number(functionOf(name).Timeout));
  });

  test.each(KINDS)(
    'a file that kills the function of %s three times is reported as failed before its run ends',
    (kind) => {
      const [, queue] = theResource(template, 'AWS::SQS::Queue', `${NAMES[kind]}Jobs`);
      const [dead, deadLetters] = theResource(template, 'AWS::SQS::Queue', 'EnginesDeadLetters');
      const redrive = queue.Properties.RedrivePolicy as { deadLetterTargetArn: unknown; maxReceiveCount: number };
      expect([textOf(redrive.deadLetterTargetArn), redrive.maxReceiveCount]).toEqual([`<${dead}.Arn>`, 3]);
      expect(3 * Number(queue.Properties.VisibilityTimeout)).toBeLessThan(30 * 60);
      const [, mapping] = theResource(template, 'AWS::Lambda::EventSourceMapping', 'EnginesFailedFunction');
      expect(textOf(mapping.Properties.EventSourceArn)).toBe(`<${dead}.Arn>`);
      expect(JSON.stringify(deadLetters.Properties.RedrivePolicy)).toContain('EnginesUnanswered');
    },
  );

  test('the stages know the queues, and those that submit may send to them', () => {
    const queues = KINDS.map((kind) => theResource(template, 'AWS::SQS::Queue', `${NAMES[kind]}Jobs`)[0]);
    for (const stage of ['Submit', 'Poll', 'Fetch'])
      for (const kind of KINDS)
        expect(JSON.stringify(functionOf(stage).Environment)).toContain(`AIRLOCK_${kind.toUpperCase()}_QUEUE`);
    for (const queue of queues) {
      const senders = statementsOf(template).filter((each) => allows(each, ['sqs:SendMessage'], [`<${queue}.Arn>`]));
      expect(new Set(senders.flatMap(({ who }) => who))).toEqual(new Set([roleOf('Submit'), roleOf('Poll')]));
    }
  });

  test('rings when files wait, when an engine fails, and when a job has no report', () => {
    const ids = resourcesOf(template, 'AWS::CloudWatch::Alarm')
      .map(([id]) => id)
      .join();
    for (const alarm of ['EngineLatestatic', 'EngineLatecdr', 'EngineFailed', 'JobsUnanswered'])
      expect(ids).toContain(`Monitoring${alarm}`);
    const [, dashboard] = theResource(template, 'AWS::CloudWatch::Dashboard', 'Dashboard');
    expect(JSON.stringify(dashboard.Properties)).toContain('Seconds that jobs wait for engines');
  });

  test('has nothing that the AwsSolutions rules of cdk-nag object to', () => {
    expect(new AwsSolutionsChecks(app, { verbose: true }).validateScope(app).violations).toEqual([]);
  });
});

describe('an engine', () => {
  const TRACES = ['xray:PutTelemetryRecords *', 'xray:PutTraceSegments *'];
  const NETWORK = [
    'AssignPrivateIpAddresses',
    'CreateNetworkInterface',
    'DeleteNetworkInterface',
    'DescribeNetworkInterfaces',
    'DescribeSubnets',
    'UnassignPrivateIpAddresses',
  ].map((action) => `ec2:${action} *`);
  const QUEUE = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'];

  /** `<MailAirlockBucketsWork0F650512.Arn>/*` is `BucketsWork/*`. */
  const short = (resource: string) => resource.replace(/<MailAirlock(\w+?)[0-9A-F]{8}(?:\.Arn)?>/, '$1');
  const allowedTo = (role: string) =>
    statementsOf(template)
      .filter(({ effect, who }) => effect === 'Allow' && who.includes(role))
      .flatMap(({ actions, resources }) =>
        resources.flatMap((each) => actions.map((action) => `${action} ${short(each)}`)),
      )
      .sort();
  const usual = (name: string, queue: string) => [
    ...TRACES,
    ...NETWORK,
    ...['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} ${name}Log`),
    ...QUEUE.map((action) => `sqs:${action} ${queue}`),
  ];

  test.each(KINDS)('of %s reads artifacts, writes its own reports, and may do nothing else', (kind) => {
    const name = NAMES[kind];
    const reads = ['s3:GetObject BucketsWork/artifacts/*', 'kms:Decrypt BucketsKey'];
    const wanted = [
      ...usual(name, `${name}Jobs`),
      ...(kind === 'url_analysis' ? [] : reads),
      `s3:PutObject BucketsWork/reports/${kind}/*`,
      'kms:GenerateDataKey BucketsKey',
    ];
    expect(allowedTo(roleOf(name))).toEqual(wanted.sort());
  });

  test('that failed is reported by a function that reads no artifact', () => {
    const wanted = [
      ...usual('EnginesFailed', 'EnginesDeadLetters'),
      's3:PutObject BucketsWork/reports/*',
      'kms:GenerateDataKey BucketsKey',
    ];
    expect(allowedTo(roleOf('EnginesFailed'))).toEqual(wanted.sort());
  });

  test.each(KINDS)('of %s may write the keys that it writes, and read those that it reads', (kind) => {
    const may = (action: string, key: string) =>
      statementsOf(template).some(
        (each) => each.who.includes(roleOf(NAMES[kind])) && allows(each, [action], [`${work()}/${key}`]),
      );
    expect(may('s3:GetObject', keys.artifact(HASH))).toBe(kind !== 'url_analysis');
    expect(may('s3:PutObject', keys.engineReport(kind, HASH))).toBe(true);
    expect(may('s3:PutObject', keys.engineFile(kind, HASH, HASH))).toBe(true);
    const runId = HASH.slice(0, 32);
    const foreign = [keys.artifact(HASH), keys.disarmed(HASH), keys.rebuilt(runId, HASH), keys.terminal(runId, 1)];
    const others = KINDS.filter((other) => other !== kind).map((other) => keys.engineReport(other, HASH));
    for (const key of [...foreign, ...others]) expect([key, may('s3:PutObject', key)]).toEqual([key, false]);
    for (const key of [keys.engineReport(kind, HASH), keys.entry(runId, 1, 'parse')])
      expect([key, may('s3:GetObject', key)]).toEqual([key, false]);
  });
});

describe('where the engines are', () => {
  const subnets = resourcesOf(template, 'AWS::EC2::Subnet').map(([id]) => id);

  test('every function that runs an engine is in isolated subnets with rebuild, and each role is of one function', () => {
    expect(subnets).toHaveLength(2);
    for (const name of [...ENGINE_ROLES, 'Rebuild']) {
      const config = functionOf(name).VpcConfig as { SubnetIds: { Ref: string }[] };
      expect(config.SubnetIds.map(({ Ref }) => Ref).sort()).toEqual([...subnets].sort());
      const users = resourcesOf(template, 'AWS::Lambda::Function').filter(([, { Properties }]) =>
        JSON.stringify(Properties.Role).includes(roleOf(name)),
      );
      expect(users).toHaveLength(1);
    }
  });

  test('no way leads out: no gateway, no route, no address, no endpoint but that of S3', () => {
    const ways = [
      'InternetGateway',
      'NatGateway',
      'Route',
      'EIP',
      'VPNGateway',
      'EgressOnlyInternetGateway',
      'VPCPeeringConnection',
    ];
    for (const way of ways) expect(resourcesOf(template, `AWS::EC2::${way}`)).toEqual([]);
    const endpoints = resourcesOf(template, 'AWS::EC2::VPCEndpoint').map(([, { Properties }]) => Properties);
    expect(endpoints.map(({ VpcEndpointType, ServiceName }) => [VpcEndpointType, JSON.stringify(ServiceName)])).toEqual(
      [['Gateway', expect.stringContaining('.s3')]],
    );
  });

  test('the endpoint lets each role through to what it may do with S3 anyway, and nobody else', () => {
    const [endpoint] = theResource(template, 'AWS::EC2::VPCEndpoint', 'S3');
    const roles = [...ENGINE_ROLES, 'Rebuild'].map(roleOf);
    const each = ({ actions, resources }: Statement, role: string) =>
      actions.flatMap((action) => resources.map((resource) => `${role} ${action} ${resource}`));
    const passes = statementsOf(template)
      .filter(({ where }) => where === endpoint)
      .flatMap((statement) => {
        expect([statement.effect, statement.who]).toEqual(['Allow', ['AWS:*']]);
        const condition = statement.raw.Condition as { ArnEquals: { 'aws:PrincipalArn': unknown } };
        expect(Object.keys(condition)).toEqual(['ArnEquals']);
        return each(statement, textOf(condition.ArnEquals['aws:PrincipalArn']).slice(1, -'.Arn>'.length));
      });
    const grants = grantsOf(template).flatMap((statement) =>
      statement.who.filter((who) => roles.includes(who)).flatMap((role) => each(statement, role)),
    );
    expect(passes.sort()).toEqual(grants.filter((grant) => grant.includes(' s3:')).sort());
    expect(passes.filter((pass) => pass.includes('Quarantine') || pass.includes('Clean'))).toEqual([]);
  });

  test('nothing may connect to a function, and a function may connect by TLS only', () => {
    expect(resourcesOf(template, 'AWS::EC2::SecurityGroupIngress')).toEqual([]);
    const groups = resourcesOf(template, 'AWS::EC2::SecurityGroup');
    expect(groups).toHaveLength(1);
    const { SecurityGroupIngress, SecurityGroupEgress } = groups[0]?.[1].Properties ?? {};
    expect(SecurityGroupIngress).toBeUndefined();
    expect(SecurityGroupEgress).toMatchObject([{ FromPort: 443, ToPort: 443, IpProtocol: 'tcp' }]);
  });

  test('the clean bucket still has one writer', () => {
    const clean = `<${theResource(template, 'AWS::S3::Bucket', 'BucketsClean')[0]}.Arn>`;
    const writers = grantsOf(template).filter((each) =>
      allows(each, ['s3:PutObject', 's3:DeleteObject'], [`${clean}/a`]),
    );
    expect(new Set(writers.flatMap(({ who }) => who))).toEqual(new Set([roleOf('Deliver')]));
  });

  test('can be a network of yours', () => {
    const built = alone((stack) => {
      const subnetConfiguration = [{ name: 'I', subnetType: ec2.SubnetType.PRIVATE_ISOLATED }];
      return { engineVpc: new ec2.Vpc(stack, 'Own', { natGateways: 0, subnetConfiguration }) as ec2.IVpc };
    });
    expect(resourcesOf(built, 'AWS::EC2::VPC').map(([id]) => id)).toEqual([expect.stringContaining('Own')]);
    expect(resourcesOf(built, 'AWS::EC2::VPCEndpoint')).toHaveLength(1);
  });
});

describe('an engine that visits URLs', () => {
  const { app: opened, template: open } = synthesize({ context: { ...ALONE, visitUrls: 'true' } });
  const find = (type: string, id: string) => theResource(open, `AWS::${type}`, id)[1].Properties;
  const idsOf = (id: string) =>
    (find('Lambda::Function', id).VpcConfig as { SubnetIds: { Ref: string }[] }).SubnetIds.map(({ Ref }) => Ref);

  test('is alone in the subnets with a way out, and every other engine stays where there is none', () => {
    const outside = idsOf('EnginesUrlAnalysisFunction');
    expect(outside.every((id) => id.includes('Visits'))).toBe(true);
    for (const name of ['Static', 'Cdr', 'Sandbox', 'Failed'])
      expect(idsOf(`Engines${name}Function`).every((id) => id.includes('Isolated'))).toBe(true);
    const routes = resourcesOf(open, 'AWS::EC2::Route').map(([id]) => id);
    expect(routes.filter((id) => id.includes('Isolated'))).toEqual([]);
    expect(routes.filter((id) => id.includes('Visits'))).toHaveLength(2);
    expect(resourcesOf(open, 'AWS::EC2::NatGateway')).toHaveLength(1);
  });

  test('reaches the ports that it visits, and takes no connection', () => {
    const { SecurityGroupEgress, SecurityGroupIngress } = find('EC2::SecurityGroup', 'EngineNetworkVisitsGroup');
    expect((SecurityGroupEgress as { FromPort: number }[]).map(({ FromPort }) => FromPort)).toEqual([...PORTS]);
    expect(SecurityGroupIngress).toBeUndefined();
  });

  test('reads no object of any bucket, so that nothing of a mail can leave', () => {
    const role = theResource(open, 'AWS::IAM::Role', 'EnginesUrlAnalysisRole')[0];
    const actions = statementsOf(open)
      .filter(({ effect, who }) => effect === 'Allow' && who.includes(role))
      .flatMap((statement) => statement.actions);
    expect(actions.filter((action) => action.startsWith('s3:') || action.startsWith('kms:')).sort()).toEqual([
      'kms:GenerateDataKey',
      's3:PutObject',
    ]);
  });

  test('is known to the stages, which ask for reports of that day', () => {
    for (const name of ['SubmitFunction', 'PollFunction', 'FetchFunction', 'EnginesUrlAnalysisFunction'])
      expect(find('Lambda::Function', name).Environment).toMatchObject({ Variables: { AIRLOCK_VISITS: 'on' } });
    expect(JSON.stringify(find('Lambda::Function', 'EnginesStaticFunction').Environment)).not.toContain('VISITS');
    expect(JSON.stringify(template.Resources)).not.toContain('AIRLOCK_VISITS');
  });

  test('needs private subnets in a network of yours', () => {
    const subnetConfiguration = [{ name: 'I', subnetType: ec2.SubnetType.PRIVATE_ISOLATED }];
    const closed = (stack: Stack) => new ec2.Vpc(stack, 'Own', { natGateways: 0, subnetConfiguration }) as ec2.IVpc;
    expect(() => alone((stack) => ({ engineVpc: closed(stack), visitUrls: true }))).toThrow(
      'visitUrls: engineVpc has no private subnets with a way out',
    );
    const analysis = { url_analysis: 'service' } as const;
    expect(() => alone(() => ({ analysisUrl: 'https://a.example', analysis, visitUrls: true }))).toThrow(
      'visitUrls: the service analyses URLs',
    );
  });

  test('has nothing that the AwsSolutions rules of cdk-nag object to', () => {
    expect(new AwsSolutionsChecks(opened, { verbose: true }).validateScope(opened).violations).toEqual([]);
  });
});

describe('some kinds by the engines, some by a service', () => {
  const mixed = synthesize({ context: { analysis: 'static=engines, cdr=engines' } }).template;

  test('has the engines and the queues of those kinds, and the key of the service', () => {
    const engines = resourcesOf(mixed, 'AWS::Lambda::Function').filter(([id]) => id.includes('Engines'));
    expect(engines.map(([id]) => id.replace(/^MailAirlock|Function.*$/g, '')).sort()).toEqual([
      'EnginesCdr',
      'EnginesFailed',
      'EnginesStatic',
    ]);
    const [, submit] = theResource(mixed, 'AWS::Lambda::Function', 'SubmitFunction');
    const environment = JSON.stringify(submit.Properties.Environment);
    for (const name of ['AIRLOCK_STATIC_QUEUE', 'AIRLOCK_CDR_QUEUE', 'AIRLOCK_ANALYSIS_URL', 'AIRLOCK_API_KEY_SECRET'])
      expect(environment).toContain(name);
    for (const name of ['AIRLOCK_SANDBOX_QUEUE', 'AIRLOCK_URL_ANALYSIS_QUEUE']) expect(environment).not.toContain(name);
  });

  test('a choice that cannot be read is refused with what is expected', () => {
    expect(() => synthesize({ context: { analysis: 'everything=engines' } })).toThrow(
      'analysis: KIND=engines or KIND=service is expected for static, sandbox, cdr, url_analysis, not "everything=engines"',
    );
  });

  test('with a service for every kind there is no engine, and rebuild is still in a network without a way out', () => {
    const { template: served } = synthesize();
    const inNetworks = resourcesOf(served, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties.VpcConfig,
    );
    expect(inNetworks.map(([id]) => id)).toEqual([expect.stringContaining('Rebuild')]);
    expect(resourcesOf(served, 'AWS::EC2::Route')).toEqual([]);
    expect(resourcesOf(served, 'AWS::Lambda::Function').filter(([id]) => id.includes('Engines'))).toEqual([]);
  });
});

function alone(props: (stack: Stack) => MailAirlockProps): Template {
  const made = new App({ outdir: scratchDirectory(), context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(made, 'Mine');
  new MailAirlock(stack, 'Airlock', props(stack));
  return made.synth().getStackByName('Mine').template;
}
