import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Buckets } from './buckets.ts';
import { ENGINE_READS, ENGINE_WRITES } from './engine-access.ts';
import type { Network } from './lambda-function.ts';

export interface EngineNetworkProps {
  readonly buckets: Buckets;
  /** Its isolated subnets are used. They must have no endpoint for S3 yet. @default a new VPC */
  readonly vpc?: ec2.IVpc | undefined;
}

/** Two, so that the engines work while one availability zone does not. */
const ZONES = 2;
const HTTPS = 443;

/**
 * Where the engines read hostile bytes: isolated subnets without a gateway to anywhere. One endpoint leads to S3, for the artifacts and the
 * reports of the work bucket only, whatever credentials a program there may have. It costs nothing.
 *
 * @example
 * ```ts
 * import { Stack } from 'aws-cdk-lib';
 * import type { Buckets } from './lib/infra/buckets.ts';
 * import type { Network } from './lib/infra/lambda-function.ts';
 *
 * function networkOf(stack: Stack, buckets: Buckets): Network {
 *   return new EngineNetwork(stack, 'Network', { buckets }).network;
 * }
 * ```
 */
export class EngineNetwork extends Construct {
  readonly network: Network;

  constructor(scope: Construct, id: string, { buckets, vpc: given }: EngineNetworkProps) {
    super(scope, id);
    const vpc = given ?? this.newVpc();
    const subnets = { subnetType: ec2.SubnetType.PRIVATE_ISOLATED };
    const securityGroup = new ec2.SecurityGroup(this, 'Group', {
      vpc,
      description: 'Mail Airlock: engines, which reach the endpoint of S3 and nothing else',
      allowAllOutbound: false,
    });
    // The endpoint has no address of its own. The routes of the subnets lead to it and to nowhere else.
    securityGroup.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.tcp(HTTPS), 'to the endpoint of S3');
    this.openS3(vpc, subnets, buckets);
    this.network = { vpc, subnets, securityGroup };
  }

  private newVpc(): ec2.IVpc {
    const vpc = new ec2.Vpc(this, 'Vpc', {
      maxAzs: ZONES,
      natGateways: 0,
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [{ name: 'Isolated', subnetType: ec2.SubnetType.PRIVATE_ISOLATED }],
    });
    acknowledge(
      vpc,
      'AwsSolutions-VPC7',
      'No route leads out of this network, so a log of its flows would say nothing.',
    );
    return vpc as ec2.IVpc;
  }

  private openS3(vpc: ec2.IVpc, subnets: ec2.SubnetSelection, buckets: Buckets): void {
    const service = ec2.GatewayVpcEndpointAwsService.S3;
    const endpoint = new ec2.GatewayVpcEndpoint(this, 'S3', { vpc, service, subnets: [subnets] });
    const work = buckets.of('work');
    const allow = (actions: string[], prefix: string) =>
      endpoint.addToPolicy(
        new iam.PolicyStatement({
          principals: [new iam.AnyPrincipal()],
          actions,
          resources: [work.arnForObjects(`${prefix}*`)],
        }),
      );
    allow(['s3:GetObject'], ENGINE_READS);
    allow(['s3:PutObject'], ENGINE_WRITES);
  }
}
