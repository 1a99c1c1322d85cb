import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import type * as efs from 'aws-cdk-lib/aws-efs';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { GATEWAY_PORT, gatewayOptions, METRICS_URL, SPOOL, startScript } from './gateway-options.ts';
import type { GatewayServiceProps } from './gateway-service-props.ts';
import { type GatewaySpools, SPOOL_USER } from './gateway-spool.ts';
import { GatewayWatch, watchScript } from './gateway-watch.ts';

export interface GatewayTaskProps {
  readonly gateway: GatewayServiceProps;
  readonly image: ecs.ContainerImage;
  readonly cluster: ecs.ICluster;
  readonly spools: GatewaySpools;
  readonly spool: efs.AccessPoint;
  readonly loopKey: secretsmanager.ISecret;
  readonly securityGroup: ec2.ISecurityGroup;
}

const [CPU, MEMORY_MIB, MAX_QUEUED, WATCH_SECONDS] = [2048, 4096, 1_000, 60];
/** The longest time that Fargate waits. The gateway finishes work in progress within `drainSeconds`, which is shorter. */
const STOP = Duration.seconds(120);
/** The engines start within seconds. The lock of a dead task is released within two minutes. */
const START = Duration.minutes(5);

/**
 * One gateway with one spool. A spool has one owner, so the replaced task ends before its successor begins. Meanwhile other gateways take
 * mail, or the sender keeps it.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const taskOf = (stack: Stack, props: GatewayTaskProps) => new GatewayTask(stack, 'Gateway1', props).service;
 * ```
 */
export class GatewayTask extends Construct {
  readonly service: ecs.FargateService;
  readonly watch: GatewayWatch;

  constructor(scope: Construct, id: string, props: GatewayTaskProps) {
    super(scope, id);
    const { gateway, cluster, spools, spool, securityGroup } = props;
    const logGroup = new logs.LogGroup(this, 'Log', {
      retention: gateway.logRetention ?? logs.RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const task = new ecs.FargateTaskDefinition(this, 'Task', {
      cpu: gateway.cpu ?? CPU,
      memoryLimitMiB: gateway.memoryMiB ?? MEMORY_MIB,
      runtimePlatform: {
        cpuArchitecture: gateway.architecture ?? ecs.CpuArchitecture.X86_64,
        operatingSystemFamily: ecs.OperatingSystemFamily.LINUX,
      },
      volumes: [
        {
          name: 'spool',
          efsVolumeConfiguration: {
            fileSystemId: spools.fileSystem.fileSystemId,
            transitEncryption: 'ENABLED',
            authorizationConfig: { accessPointId: spool.accessPointId, iam: 'ENABLED' },
          },
        },
      ],
    });
    spools.grant(task.taskRole, spool);
    this.addContainers(task, props, logGroup);
    if (task.executionRole)
      acknowledge(task.executionRole, 'AwsSolutions-IAM5[Resource::*]', 'ECR has no resource for its token.');
    this.service = new ecs.FargateService(this, 'Service', {
      cluster,
      taskDefinition: task,
      desiredCount: 1,
      minHealthyPercent: 0,
      maxHealthyPercent: 100,
      securityGroups: [securityGroup],
      vpcSubnets: { subnets: gateway.vpc.privateSubnets },
      healthCheckGracePeriod: START,
      circuitBreaker: { rollback: true },
      propagateTags: ecs.PropagatedTagSource.SERVICE,
    });
    this.service.node.addDependency(spools.fileSystem.mountTargetsAvailable);
    const { alarmTopic, mostQueued = MAX_QUEUED } = gateway;
    this.watch = new GatewayWatch(this, 'Watch', { logGroup, mostQueued, alarmTopic });
  }

  private addContainers(task: ecs.FargateTaskDefinition, props: GatewayTaskProps, logGroup: logs.ILogGroup): void {
    const { gateway, image, loopKey } = props;
    const { tls, clientAuthorities, clientRevocationLists, passwords, nextLogin } = gateway;
    const given = {
      hasPasswords: passwords !== undefined,
      hasAuthorities: clientAuthorities !== undefined,
      hasRevocationLists: clientRevocationLists !== undefined,
    };
    const secret = (from: secretsmanager.ISecret, field?: string) => ecs.Secret.fromSecretsManager(from, field);
    const logging = (streamPrefix: string) => ecs.LogDrivers.awsLogs({ logGroup, streamPrefix });
    const check = `fetch(${JSON.stringify(METRICS_URL)}).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`;
    const container = task.addContainer('Gateway', {
      image,
      user: `${SPOOL_USER}:${SPOOL_USER}`,
      entryPoint: ['sh', '-c', startScript(given), 'airlock-gateway'],
      command: gatewayOptions(gateway),
      secrets: {
        AIRLOCK_TLS_KEY: secret(tls, 'key'),
        AIRLOCK_TLS_CERTIFICATE: secret(tls, 'certificate'),
        AIRLOCK_LOOP_KEY: secret(loopKey),
        ...(clientAuthorities && { AIRLOCK_CLIENT_AUTHORITIES: secret(clientAuthorities) }),
        ...(clientRevocationLists && { AIRLOCK_CLIENT_REVOCATION_LISTS: secret(clientRevocationLists) }),
        ...(passwords && { AIRLOCK_PASSWORDS: secret(passwords) }),
        ...(nextLogin && { AIRLOCK_NEXT_PASSWORD: secret(nextLogin.password) }),
      },
      portMappings: [{ containerPort: GATEWAY_PORT }],
      healthCheck: { command: ['CMD', 'node', '-e', check], startPeriod: START },
      stopTimeout: STOP,
      logging: logging('gateway'),
    });
    container.addMountPoints({ containerPath: SPOOL, sourceVolume: 'spool', readOnly: false });
    task.addContainer('Watch', {
      image,
      essential: false,
      user: `${SPOOL_USER}:${SPOOL_USER}`,
      entryPoint: ['node', '-e', watchScript(METRICS_URL, WATCH_SECONDS)],
      command: [],
      logging: logging('watch'),
    });
  }
}
