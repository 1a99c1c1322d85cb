import { CfnOutput } from 'aws-cdk-lib';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Buckets } from '../buckets.ts';
import type { MailAirlockProps } from '../mail-airlock-props.ts';
import { MailManagerDoor } from './mail-manager.ts';
import { SesDoor } from './ses.ts';

export interface DoorsProps {
  readonly airlock: MailAirlockProps;
  readonly buckets: Buckets;
  readonly logRetention: logs.RetentionDays;
}

/**
 * The services of AWS that put mail into the intake bucket, as the props ask for them.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const rulesToActivate = (stack: Stack, props: DoorsProps) => new Doors(stack, 'Doors', props).ses?.ruleSetName;
 * ```
 */
export class Doors extends Construct {
  readonly ses: SesDoor | null;
  readonly mailManager: MailManagerDoor | null;

  constructor(scope: Construct, id: string, { airlock, buckets, logRetention }: DoorsProps) {
    super(scope, id);
    const { sesRecipients, sesRuleSetName, mailManagerRecipients, vpc } = airlock;
    const network = vpc && { vpc };
    this.ses = sesRecipients
      ? new SesDoor(this, 'Ses', {
          buckets,
          recipients: sesRecipients,
          ruleSetName: sesRuleSetName,
          logRetention,
          network,
        })
      : null;
    this.mailManager = mailManagerRecipients
      ? new MailManagerDoor(this, 'MailManager', { buckets, recipients: mailManagerRecipients })
      : null;
  }

  /** Queues that should be empty, each with a name for its alarm. */
  get deadLetters(): Readonly<Record<string, sqs.Queue>> {
    return this.ses === null ? {} : { Envelopes: this.ses.deadLetters };
  }

  /** Tells in the outputs of the stack what a person must do next. */
  tell(stack: Construct): void {
    if (this.ses) new CfnOutput(stack, 'SesRuleSet', { value: this.ses.ruleSetName });
    if (this.mailManager) new CfnOutput(stack, 'MailManagerHost', { value: this.mailManager.host });
  }
}
