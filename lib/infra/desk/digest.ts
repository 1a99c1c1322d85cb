import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { Buckets } from '../buckets.ts';
import { Scheduled, type ScheduledChoice } from '../scheduled.ts';
import { allowSendingAs } from '../ses-sender.ts';
import { grantSecret } from '../stages/service-secrets.ts';

export interface DigestProps extends ScheduledChoice {
  /** The pages to which the links lead. */
  readonly url: string;
  readonly linkDays: number;
  /** The address in whose name digests are sent. SES must have verified it, or its domain. */
  readonly from: string;
}

/** The names that it reads: chains, the keys that verify them, and its own notes. It writes its notes, and the public key of links. */
const READS = ['runs/*.json', 'keys/*', 'digests/*'];
const WRITES = ['digests/*', 'keys/links.json'];
const SECRET_CHARS = 64;

/**
 * Sends each recipient one mail a day about his held mail, by SES. Its role reads chains and the index, and no mail. It signs links, and
 * sends in the name of one address.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const queueOf = (stack: Stack, props: DigestProps) => new Digest(stack, 'Digest', props).queue;
 * ```
 */
export class Digest extends Scheduled {
  constructor(scope: Construct, id: string, props: DigestProps) {
    const environment = { AIRLOCK_RECIPIENTS_URL: props.url, AIRLOCK_LINK_DAYS: String(props.linkDays) };
    super(scope, id, { ...props, name: 'digest', environment, reads: READS, writes: WRITES });
    grantSecret(this, this.newSecret(props.buckets), 'AIRLOCK_LINKS_SECRET');
    allowSendingAs(this, props.from);
  }

  /** No other function reads it. The pages check links with the public key. */
  private newSecret({ key }: Buckets): secretsmanager.ISecret {
    const secret = new secretsmanager.Secret(this, 'Links', {
      description: 'Mail Airlock: signs the links of recipients',
      encryptionKey: key,
      generateSecretString: { passwordLength: SECRET_CHARS, excludePunctuation: true, requireEachIncludedType: false },
    });
    const reason = 'Another value ends every link that is out, so a rotation is the decision of an operator.';
    acknowledge(secret, 'AwsSolutions-SMG4', reason);
    return secret as secretsmanager.ISecret;
  }
}
