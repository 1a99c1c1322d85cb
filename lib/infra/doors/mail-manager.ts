import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as ses from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { Buckets } from '../buckets.ts';
import { acknowledgeNames } from '../lambda-function.ts';

export interface MailManagerDoorProps {
  readonly buckets: Buckets;
  /** Addresses and domains whose mail is received. SMTP refuses everything else. */
  readonly recipients: readonly string[];
}

/** The place in the intake bucket where Mail Manager puts mail. */
const PREFIX = 'mail-manager/';
/** The largest mail that SES and Mail Manager take. */
const MAX_BYTES = 40 * 1024 * 1024;

/**
 * Mail that SES Mail Manager receives: an open ingress point, a traffic policy that refuses other recipients and everything without TLS
 * 1.2, and a rule that puts the mail into the intake bucket. Mail Manager does not tell the envelope.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * function receive(stack: Stack, props: Omit<MailManagerDoorProps, 'recipients'>): string {
 *   return new MailManagerDoor(stack, 'MailManager', { ...props, recipients: ['example.com'] }).host;
 * }
 * ```
 */
export class MailManagerDoor extends Construct {
  /** The name that the MX record of the domains points to. */
  readonly host: string;

  constructor(scope: Construct, id: string, props: MailManagerDoorProps) {
    super(scope, id);
    const intake = props.buckets.of('intake');
    const role = this.newRole(props.buckets);
    const traffic = new ses.CfnMailManagerTrafficPolicy(this, 'Traffic', {
      defaultAction: 'DENY',
      maxMessageSizeBytes: MAX_BYTES,
      policyStatements: props.recipients.map((recipient) => ({
        action: 'ALLOW',
        conditions: [toRecipient(recipient), OVER_TLS],
      })),
    });
    const rules = new ses.CfnMailManagerRuleSet(this, 'Rules', {
      rules: [
        {
          name: 'into-the-airlock',
          actions: [
            {
              writeToS3: {
                roleArn: role.roleArn,
                s3Bucket: intake.bucketName,
                s3Prefix: PREFIX,
                s3SseKmsKeyId: props.buckets.keyOf('intake').keyArn,
              },
            },
          ],
        },
      ],
    });
    rules.node.addDependency(role);
    const door = new ses.CfnMailManagerIngressPoint(this, 'Door', {
      type: 'OPEN',
      ruleSetId: rules.attrRuleSetId,
      trafficPolicyId: traffic.attrTrafficPolicyId,
    });
    this.host = door.attrARecord;
  }

  private newRole(buckets: Buckets): iam.Role {
    const { account, partition, region } = Stack.of(this);
    const role = new iam.Role(this, 'Role', {
      description: 'Mail Airlock: Mail Manager puts mail into the intake bucket',
      assumedBy: new iam.ServicePrincipal('ses.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnLike: { 'aws:SourceArn': `arn:${partition}:ses:${region}:${account}:mailmanager-rule-set/*` },
        },
      }),
    });
    const intake = buckets.of('intake');
    const allow = (actions: string[], resource: string) =>
      role.addToPolicy(new iam.PolicyStatement({ actions, resources: [resource] }));
    allow(['s3:PutObject'], intake.arnForObjects(`${PREFIX}*`));
    allow(['kms:Encrypt', 'kms:GenerateDataKey'], buckets.keyOf('intake').keyArn);
    acknowledgeNames(role, intake, [`${PREFIX}*`]);
    return role;
  }
}

const OVER_TLS = {
  tlsExpression: { evaluate: { attribute: 'TLS_PROTOCOL' }, operator: 'MINIMUM_TLS_VERSION', value: 'TLS1_2' },
};

/** `example.com` matches every address of the domain, and no address of another domain with the same ending. */
function toRecipient(recipient: string) {
  const isAddress = recipient.includes('@');
  return {
    stringExpression: {
      evaluate: { attribute: 'RECIPIENT' },
      operator: isAddress ? 'EQUALS' : 'ENDS_WITH',
      values: [isAddress ? recipient : `@${recipient}`],
    },
  };
}
