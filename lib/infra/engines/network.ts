import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { Network } from '../lambda-function.ts';

export interface EngineNetworkProps {
  /** A network whose isolated subnets are used. They must not have an endpoint for S3 yet. @default a new VPC */
  readonly vpc?: ec2.IVpc | undefined;
  /** Whether there is also a network with a way out, for the engine that visits URLs. */
  readonly hasVisits: boolean;
}

/** Two availability zones, so that the engines work while one zone fails. */
const ZONES = 2;
const HTTPS = 443;
/** The ports that the engine visits (`lib/engines/url/visit/limits.ts`). */
export const VISITED_PORTS: readonly number[] = [80, HTTPS, 8080, 8443];
/** The NAT gateway is in the public subnets. The engine that visits URLs is in the private ones. */
const WAY_OUT: readonly ec2.SubnetConfiguration[] = [
  { name: 'Public', subnetType: ec2.SubnetType.PUBLIC, mapPublicIpOnLaunch: false },
  { name: 'Visits', subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS },
];

/**
 * The network in which the engines and `rebuild` read hostile bytes: isolated subnets without a gateway. One endpoint leads to S3. It lets
 * each role reach the objects that the role may use. It lets nobody else through, whatever credentials a program there may have. It costs
 * nothing.
 *
 * When URLs are visited, their engine has separate private subnets, which lead out through a NAT gateway. They have no endpoint, because
 * pages in buckets of others must be visited, too.
 *
 * @example
 * ```ts
 * import { Stack } from 'aws-cdk-lib';
 * import type { Network } from './lib/infra/lambda-function.ts';
 *
 * function networkOf(stack: Stack): Network {
 *   return new EngineNetwork(stack, 'Network', { hasVisits: false }).isolated;
 * }
 * ```
 */
export class EngineNetwork extends Construct {
  readonly isolated: Network;
  /** Null when no URL is visited. */
  readonly visits: Network | null;

  constructor(scope: Construct, id: string, { vpc: given, hasVisits }: EngineNetworkProps) {
    super(scope, id);
    const vpc = given ?? this.newVpc(hasVisits);
    const subnets = { subnetType: ec2.SubnetType.PRIVATE_ISOLATED };
    const securityGroup = new ec2.SecurityGroup(this, 'Group', {
      vpc,
      description: 'Mail Airlock: code that reads hostile bytes reaches the endpoint of S3 and nothing else',
      allowAllOutbound: false,
    });
    // The endpoint has no address of its own. The routes of the subnets lead only to it.
    securityGroup.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.tcp(HTTPS), 'to the endpoint of S3');
    this.isolated = { vpc, subnets, securityGroup, openS3: this.newEndpoint(vpc, subnets) };
    this.visits = hasVisits ? this.newVisits(vpc) : null;
  }

  private newVpc(hasVisits: boolean): ec2.IVpc {
    const vpc = new ec2.Vpc(this, 'Vpc', {
      maxAzs: ZONES,
      natGateways: hasVisits ? 1 : 0,
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [
        { name: 'Isolated', subnetType: ec2.SubnetType.PRIVATE_ISOLATED },
        ...(hasVisits ? WAY_OUT : []),
      ],
    });
    const reason = hasVisits
      ? 'Each visit of a URL is a report that says where it went.'
      : 'No route leads out of this network, so a log of its flows would say nothing.';
    acknowledge(vpc, 'AwsSolutions-VPC7', reason);
    return vpc as ec2.IVpc;
  }

  /** The engine itself refuses every address that is not public. */
  private newVisits(vpc: ec2.IVpc): Network {
    const securityGroup = new ec2.SecurityGroup(this, 'VisitsGroup', {
      vpc,
      description: 'Mail Airlock: the engine that visits URLs',
      allowAllOutbound: false,
    });
    for (const port of VISITED_PORTS) securityGroup.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.tcp(port), 'to pages');
    return { vpc, subnets: { subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS }, securityGroup };
  }

  private newEndpoint(vpc: ec2.IVpc, subnets: ec2.SubnetSelection): NonNullable<Network['openS3']> {
    const service = ec2.GatewayVpcEndpointAwsService.S3;
    const endpoint = new ec2.GatewayVpcEndpoint(this, 'S3', { vpc, service, subnets: [subnets] });
    return ({ roleArn }, actions, resources) =>
      endpoint.addToPolicy(
        new iam.PolicyStatement({
          principals: [new iam.AnyPrincipal()],
          actions: [...actions],
          resources: [...resources],
          conditions: { ArnEquals: { 'aws:PrincipalArn': roleArn } },
        }),
      );
  }
}
