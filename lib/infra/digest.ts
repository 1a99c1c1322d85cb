import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { Scheduled, type ScheduledChoice } from './scheduled.ts';
import { grantSecret } from './service-secrets.ts';
import { allowSendingAs } from './ses-sender.ts';

export interface DigestProps extends ScheduledChoice {
  /** The secret that signs links. */
  readonly links: secretsmanager.ISecret;
  /** Where links lead. */
  readonly url: string;
  readonly linkDays: number;
  /** The address in whose name digests are sent. SES has verified it, or its domain. */
  readonly from: string;
}

/** The names that it reads: chains with the keys with which they are checked, and its own notes. */
const READS = ['runs/*.json', 'keys/*', 'digests/*'];
const WRITES = ['digests/*'];

/**
 * Sends each recipient one mail a day about what was held for him, by SES. Its role reads chains and the index, and no mail; it signs links, and
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
    const { links, from } = props;
    grantSecret(this, links, 'AIRLOCK_LINKS_SECRET');
    allowSendingAs(this, from);
  }
}
