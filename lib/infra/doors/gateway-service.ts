import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, IgnoreMode, RemovalPolicy } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { checkGatewayProps, GATEWAY_PORT } from './gateway-options.ts';
import type { GatewayServiceProps } from './gateway-service-props.ts';
import { GatewaySpools } from './gateway-spool.ts';
import { GatewayTask } from './gateway-task.ts';

const SMTP_PORT = 25;
const HTTPS_PORT = 443;
/** Open connections may continue for as long as the gateway finishes work in progress. */
const DRAIN = Duration.seconds(60);
/** Folders that are left out of the image. */
const NOT_IN_IMAGE = ['node_modules', '.git', 'cdk.out', 'dist', 'airlock-out', 'coverage'];

/**
 * The SMTP gateway as a Fargate service behind a network load balancer. Each spool is in EFS and has its own task, because a spool has one
 * owner. Only the named networks can connect.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 * import type { IVpc } from 'aws-cdk-lib/aws-ec2';
 * import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
 *
 * function gatewayBefore(stack: Stack, vpc: IVpc, tls: ISecret): string {
 *   const mail = { next: 'mail.example.com:25', name: 'mx.example.com', domains: ['example.com'], tls };
 *   return new GatewayService(stack, 'Gateway', { vpc, ...mail, clientNetworks: ['10.0.0.0/8'] }).host;
 * }
 * ```
 */
export class GatewayService extends Construct {
  readonly loadBalancer: elb.NetworkLoadBalancer;
  /** The name to which mail is sent. */
  readonly host: string;
  /** The gateways, one for each spool. */
  readonly tasks: readonly GatewayTask[];
  readonly spools: GatewaySpools;

  constructor(scope: Construct, id: string, props: GatewayServiceProps) {
    super(scope, id);
    checkGatewayProps(props);
    const { vpc, key, removalPolicy, port = SMTP_PORT } = props;
    const [before, securityGroup] = [this.newGroup(vpc, 'Balancer'), this.newGroup(vpc, 'Tasks')];
    this.spools = new GatewaySpools(this, 'Spools', { vpc, key, removalPolicy });
    this.connect(props, before, securityGroup);
    this.loadBalancer = new elb.NetworkLoadBalancer(this, 'LoadBalancer', {
      vpc,
      internetFacing: props.internetFacing === true,
      crossZoneEnabled: true,
      securityGroups: [before],
    });
    this.host = this.loadBalancer.loadBalancerDnsName;
    const cluster = new ecs.Cluster(this, 'Cluster', { vpc, containerInsightsV2: ecs.ContainerInsights.ENABLED });
    const given = {
      gateway: props,
      image: props.image ?? imageOfCheckout(props.architecture),
      cluster: cluster as ecs.ICluster,
      spools: this.spools,
      loopKey: this.newLoopKey(key),
      securityGroup,
    };
    this.tasks = Array.from({ length: props.spools ?? 1 }, (_, index) => {
      const spool = this.spools.newSpool(index + 1);
      return new GatewayTask(this, `Gateway${index + 1}`, { ...given, spool });
    });
    const targets = new elb.NetworkTargetGroup(this, 'Targets', {
      vpc,
      port: GATEWAY_PORT,
      protocol: elb.Protocol.TCP,
      targetType: elb.TargetType.IP,
      // The address of the client decides about relaying, so the load balancer must preserve it.
      preserveClientIp: true,
      deregistrationDelay: DRAIN,
      healthCheck: { protocol: elb.Protocol.TCP },
    });
    for (const { service } of this.tasks) service.attachToNetworkTargetGroup(targets);
    this.loadBalancer.addListener('Smtp', { port, defaultTargetGroups: [targets] });
    acknowledge(
      this.loadBalancer,
      'AwsSolutions-ELB2',
      'It logs TLS connections only, and the gateway logs each peer.',
    );
  }

  private newGroup(vpc: ec2.IVpc, id: string): ec2.SecurityGroup {
    const description = `Mail Airlock gateway: ${id}`;
    return new ec2.SecurityGroup(this, id, { vpc, description, allowAllOutbound: false });
  }

  /** Clients reach the load balancer. It reaches the tasks. They reach their spool, AWS and the next server. */
  private connect(props: GatewayServiceProps, before: ec2.SecurityGroup, tasks: ec2.SecurityGroup): void {
    const { clientNetworks, port = SMTP_PORT, next, nextNetwork = ec2.Peer.anyIpv4() } = props;
    for (const network of clientNetworks)
      before.addIngressRule(ec2.Peer.ipv4(network), ec2.Port.tcp(port), 'who may connect');
    before.connections.allowTo(tasks, ec2.Port.tcp(GATEWAY_PORT), 'mail, and the look whether the gateway answers');
    tasks.addEgressRule(nextNetwork, ec2.Port.tcp(Number(next.split(':')[1])), 'the next server');
    tasks.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.tcp(HTTPS_PORT), 'image, secrets and logs');
    tasks.connections.allowTo(this.spools.fileSystem, ec2.Port.tcp(2049), 'the spool');
    if (clientNetworks.includes('0.0.0.0/0'))
      acknowledge(before, 'AwsSolutions-EC23', 'Mail comes from everywhere, as the owner says in clientNetworks.');
  }

  /** 64 hexadecimal digits, like the key that a gateway makes when it has none. */
  private newLoopKey(key: GatewayServiceProps['key']): secretsmanager.ISecret {
    const secret = new secretsmanager.Secret(this, 'LoopKey', {
      description: 'Mail Airlock gateway: by it each gateway knows mail that one of them has sent on',
      ...(key && { encryptionKey: key }),
      generateSecretString: {
        passwordLength: 64,
        excludePunctuation: true,
        excludeUppercase: true,
        excludeCharacters: 'ghijklmnopqrstuvwxyz',
        requireEachIncludedType: false,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(secret, 'AwsSolutions-SMG4', 'With another key, mail that is on its way would not be known any more.');
    return secret as secretsmanager.ISecret;
  }
}

/** Built from the checkout when the app is deployed. Synth only reads the files. */
function imageOfCheckout(architecture: ecs.CpuArchitecture = ecs.CpuArchitecture.X86_64): ecs.ContainerImage {
  const root = join(import.meta.dirname, '../../..');
  const file = 'deploy/Containerfile';
  if (!existsSync(join(root, file)))
    throw new TypeError('image: this package has no Containerfile; build the image in a checkout, and give it here');
  const isArm = architecture === ecs.CpuArchitecture.ARM64;
  return ecs.ContainerImage.fromAsset(root, {
    file,
    target: 'gateway',
    platform: isArm ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
    exclude: NOT_IN_IMAGE,
    ignoreMode: IgnoreMode.DOCKER,
  });
}
