import { RemovalPolicy } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as efs from 'aws-cdk-lib/aws-efs';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

export interface GatewaySpoolsProps {
  readonly vpc: ec2.IVpc;
  readonly key?: kms.IKey | undefined;
  readonly removalPolicy?: RemovalPolicy | undefined;
}

/** The user of the container, to whom everything in a spool belongs. */
export const SPOOL_USER = '1000';

/**
 * The file system in which spools lie: encrypted, and mounted over TLS through access points only. A process that ends, or a task that is replaced,
 * loses nothing of it.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const firstSpool = (stack: Stack, props: GatewaySpoolsProps) => new GatewaySpools(stack, 'Spools', props).newSpool(1);
 * ```
 */
export class GatewaySpools extends Construct {
  readonly fileSystem: efs.FileSystem;

  constructor(scope: Construct, id: string, { vpc, key, removalPolicy = RemovalPolicy.RETAIN }: GatewaySpoolsProps) {
    super(scope, id);
    this.fileSystem = new efs.FileSystem(this, 'Files', {
      vpc,
      // It answers, and begins nothing.
      securityGroup: new ec2.SecurityGroup(this, 'Group', {
        vpc,
        description: 'Mail Airlock gateway: spools',
        allowAllOutbound: false,
      }),
      encrypted: true,
      ...(key && { kmsKey: key }),
      enableAutomaticBackups: true,
      throughputMode: efs.ThroughputMode.ELASTIC,
      removalPolicy,
      // With false, the CDK lets everybody who could mount it write as root. The policy below has no such exception: only roles that say so may mount.
      allowAnonymousAccess: true,
    });
    const refused = (sid: string, actions: string[], conditions: iam.Conditions) =>
      this.fileSystem.addToResourcePolicy(
        new iam.PolicyStatement({
          ...{ sid, actions, conditions },
          effect: iam.Effect.DENY,
          principals: [new iam.AnyPrincipal()],
        }),
      );
    refused('OnlyOverTls', ['*'], { Bool: { 'aws:SecureTransport': 'false' } });
    // The root has every spool in it.
    refused('OnlyThroughAccessPoints', ['elasticfilesystem:ClientMount'], {
      Null: { 'elasticfilesystem:AccessPointArn': 'true' },
    });
  }

  /** The place of one spool. */
  newSpool(number: number): efs.AccessPoint {
    return this.fileSystem.addAccessPoint(`Spool${number}`, {
      path: `/spool-${number}`,
      createAcl: { ownerUid: SPOOL_USER, ownerGid: SPOOL_USER, permissions: '700' },
      posixUser: { uid: SPOOL_USER, gid: SPOOL_USER },
    });
  }

  /** Lets a role use one spool, and no other. */
  grant(role: iam.IRole, { accessPointArn }: efs.IAccessPoint): void {
    role.addToPrincipalPolicy(
      new iam.PolicyStatement({
        actions: ['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'],
        resources: [this.fileSystem.fileSystemArn],
        conditions: { StringEquals: { 'elasticfilesystem:AccessPointArn': accessPointArn } },
      }),
    );
  }
}
