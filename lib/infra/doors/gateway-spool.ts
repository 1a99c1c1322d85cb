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

/** The user of the container. Everything in a spool belongs to it. */
export const SPOOL_USER = '1000';

/**
 * The file system of the spools. It is encrypted, and can only be mounted over TLS and through access points. The spools survive the end of
 * a process and the replacement of a task.
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
      // The file system answers connections, and begins none.
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
      // With false, the CDK would let everybody who can mount it write as root. The policy below has no such exception: only roles with
      // that right may mount.
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
    // The root contains every spool.
    refused('OnlyThroughAccessPoints', ['elasticfilesystem:ClientMount'], {
      Null: { 'elasticfilesystem:AccessPointArn': 'true' },
    });
  }

  /** Returns the place of one spool. */
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
