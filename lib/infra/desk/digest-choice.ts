import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { MailAirlockProps } from '../mail-airlock-props.ts';
import type { Monitoring } from '../monitoring/monitoring.ts';
import { readPolicy } from '../policy-text.ts';
import type { RunIndex } from '../run-index.ts';
import { senderIn } from '../ses-sender.ts';
import { Digest, type DigestProps } from './digest.ts';
import { Recipients } from './recipients.ts';

export interface DigestSurroundings extends Pick<DigestProps, 'buckets' | 'logRetention'> {
  /** Null when runs are not indexed. */
  readonly index: RunIndex | null;
  /** How long chains are kept. */
  readonly workKept: Duration;
}

const DEFAULT_HOUR = 5;
const DEFAULT_LINK_DAYS = 14;

/**
 * The daily mail to recipients, and the pages behind its links.
 *
 * @example
 * ```ts
 * const lettersOf = (digests: Digests) => digests.digest.deadLetters;
 * ```
 */
export class Digests extends Construct {
  readonly pages: Recipients;
  readonly digest: Digest;

  constructor(scope: Construct, id: string, props: MailAirlockProps, given: DigestSurroundings & { index: RunIndex }) {
    super(scope, id);
    const { buckets, logRetention, index, workKept } = given;
    const policyJson = props.policyFile === undefined ? undefined : readPolicy(props.policyFile);
    const from = senderIn(policyJson, 'digest');
    const linkDays = (props.digestLinks ?? Duration.days(DEFAULT_LINK_DAYS)).toDays();
    if (linkDays > workKept.toDays())
      throw new TypeError(
        `digestLinks: a link of ${linkDays} days outlives the records of its mail, which are kept for ${workKept.toDays()} days (workRetention)`,
      );
    const usual = { buckets, logRetention, policyJson };
    this.pages = new Recipients(this, 'Recipients', { ...usual, url: props.recipientsUrl });
    const { url } = this.pages;
    const hour = props.digestHour ?? DEFAULT_HOUR;
    const network = props.vpc && { vpc: props.vpc };
    this.digest = new Digest(this, 'Digest', {
      ...usual,
      network,
      table: index.table,
      ...{ url, linkDays, from, hour },
    });
  }

  /** Makes an alarm for a digest that did not reach everybody. */
  tell(monitoring: Monitoring): void {
    monitoring.watchLetters('Digest', 'of a day did not reach everybody', this.digest.deadLetters);
  }
}

/**
 * Makes the daily mail that the props ask for; null when they ask for none.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const pagesOf = (stack: Stack, given: DigestSurroundings) =>
 *   digestsOf(stack, { digest: true, indexRuns: true, policyFile: 'policy.json' }, given)?.pages.url;
 * ```
 */
export function digestsOf(scope: Construct, props: MailAirlockProps, given: DigestSurroundings): Digests | null {
  const { index } = given;
  return props.digest === true && index !== null ? new Digests(scope, 'Digests', props, { ...given, index }) : null;
}
