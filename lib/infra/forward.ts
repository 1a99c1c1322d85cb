import { Duration, Stack } from 'aws-cdk-lib';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { SES_PREFIX } from './doors/ses.ts';
import { grantSecret } from './stages/service-secrets.ts';
import { WayOut, type WayOutProps } from './way-out.ts';

export interface ForwardProps extends Omit<WayOutProps, 'name' | 'ends'> {
  readonly by: NextServer;
}

/** The next server of delivered mail: a mail server, or SES. */
export type NextServer =
  /** A secret with the next server as JSON: host, port, user, password. */
  | { readonly relaySecret: secretsmanager.ISecret }
  /** Domains and addresses that are verified in SES. SES sends in their name. */
  | { readonly sesIdentities: readonly string[] };

/** Three tries with one message and their pauses (`FORWARD_SECONDS` in lib/pipeline/results/relay-port.ts). */
const TIMEOUT = Duration.minutes(6);
/** A next server may be away for three days. */
const PATIENCE = { attempts: 432, every: Duration.minutes(10) };
/** The names that it reads besides chains: envelopes, and its own notes. */
const READS = ['envelopes/*', 'forwarded/*'];
const WRITES = ['forwarded/*'];
const MESSAGES = '*/message.eml';

/**
 * Sends delivered mail on to the recipients of its envelope, by SMTP or by SES. Its role reads clean messages and writes notes of what was sent.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * function sendOn(stack: Stack, props: ForwardProps): Forward {
 *   return new Forward(stack, 'Forward', props);
 * }
 * ```
 */
export class Forward extends WayOut {
  constructor(scope: Construct, id: string, props: ForwardProps) {
    super(scope, id, {
      ...props,
      name: 'forward',
      ends: ['MessageDelivered'],
      patience: PATIENCE,
      batchSize: 1,
      timeout: TIMEOUT,
    });
    const { buckets, by } = props;
    const [work, clean] = [buckets.of('work'), buckets.of('clean')];
    const objects = (names: readonly string[]) => names.map((name) => work.arnForObjects(name));
    this.allow(['s3:GetObject'], objects(READS));
    this.allow(['s3:PutObject'], objects(WRITES));
    this.allow(['kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    this.acknowledgeObjects(work, READS);
    this.allow(['s3:GetObject'], [clean.arnForObjects(MESSAGES)]);
    this.allow(['s3:ListBucket'], [clean.bucketArn]);
    this.allow(['kms:Decrypt'], [buckets.keyOf('clean').keyArn]);
    this.acknowledgeObjects(clean, [MESSAGES]);
    if ('relaySecret' in by) grantSecret(this, by.relaySecret, 'AIRLOCK_RELAY_SECRET');
    else this.sendInTheNameOf(by.sesIdentities);
    this.function.addEnvironment('AIRLOCK_CLEAN_BUCKET', clean.bucketName);
    this.function.addEnvironment('AIRLOCK_ENVELOPES_FOR', SES_PREFIX);
  }
  /** Sending a message with its own header takes both permissions: one for the version of the API, one for the form of the message. */
  private sendInTheNameOf(identities: readonly string[]): void {
    const arns = identities.map((resourceName) =>
      Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName }),
    );
    this.allow(['ses:SendEmail', 'ses:SendRawEmail'], arns);
  }
}
