import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Buckets } from '../buckets.ts';
import type { MailAirlockProps } from '../mail-airlock-props.ts';
import { readPolicy } from '../policy-text.ts';
import type { RunIndex } from '../run-index.ts';
import { Desk, type DeskProps } from './desk.ts';
import type { MailPages } from './mail-pages.ts';

export interface DeskSurroundings extends Pick<DeskProps, 'buckets' | 'isolated' | 'logRetention' | 'removalPolicy'> {
  /** The function that writes the page of each mail; null when there is none. */
  readonly pages: MailPages | null;
  /** Null when runs are not indexed. */
  readonly index: RunIndex | null;
  readonly review: Omit<DeskProps['review'], 'indexQueue'>;
}

/**
 * Makes the desk that the props ask for; null when they ask for none.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const addressOf = (stack: Stack, given: DeskSurroundings) => deskOf(stack, { desk: true, indexRuns: true }, given)?.url;
 * ```
 */
export function deskOf(
  scope: Construct,
  { desk, deskUrl: url, policyFile, deskDrop }: MailAirlockProps,
  { index, pages, review, ...given }: DeskSurroundings,
): Desk | null {
  const reading = { buckets: given.buckets, logRetention: given.logRetention, network: given.isolated };
  if (desk === undefined || desk === false || index === null) {
    pages?.readMailBy(null, reading);
    return null;
  }
  const made = new Desk(scope, 'Desk', {
    ...given,
    ...{ url, table: index.table, issuer: desk === true ? undefined : desk },
    policyJson: policyFile === undefined ? undefined : readPolicy(policyFile),
    review: { ...review, indexQueue: index.queue },
  });
  if (pages !== null) {
    pages.readMailBy(made.preview, reading);
    made.review.tellPages(pages.queue);
  }
  if (deskDrop === true) made.takeDrops(given.buckets);
  return made;
}

/**
 * Closes the place of drops in the intake bucket to everybody, if its policy is ours and the desk takes no drops. In our own bucket these
 * functions treat every object of that place as a copy of the desk. In a bucket of another stack, others may write there, too. So an object
 * counts as a copy only with a note that `review` has signed.
 *
 * @example
 * ```ts
 * import type * as lambda from 'aws-cdk-lib/aws-lambda';
 * import type { Buckets } from './lib/infra/buckets.ts';
 *
 * const mark = (buckets: Buckets, parse: lambda.Function) => markDrops({ deskDrop: true }, buckets, [parse]);
 * ```
 */
export function markDrops(
  { deskDrop }: MailAirlockProps,
  buckets: Buckets,
  beginners: readonly lambda.Function[],
): void {
  if (!buckets.isIntakeOurs) return;
  if (deskDrop !== true) buckets.sealDrops(null);
  for (const each of beginners) each.addEnvironment('AIRLOCK_DROPS_SEALED', 'true');
}
