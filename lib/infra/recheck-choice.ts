import type { Construct } from 'constructs';
import type { MailAirlockProps } from './mail-airlock-props.ts';
import { readPolicy } from './policy-text.ts';
import { Recheck, type RecheckProps } from './recheck.ts';
import type { RunIndex } from './run-index.ts';
import { senderIn } from './ses-sender.ts';

export interface RecheckSurroundings
  extends Pick<RecheckProps, 'buckets' | 'logRetention' | 'secrets' | 'engines' | 'eventBus' | 'airlock'> {
  /** Null when runs are not indexed. */
  readonly index: RunIndex | null;
}

const DEFAULT_DAYS = 7;
const DEFAULT_BUDGET = 1_000;
/** The hour is before the digests, and long before people come to work. */
const HOUR = 3;

/**
 * Makes the function that checks delivered files again, when the props ask for it.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const lettersOf = (stack: Stack, given: RecheckSurroundings) =>
 *   recheckOf(stack, { recheck: true, indexRuns: true }, given)?.deadLetters;
 * ```
 */
export function recheckOf(scope: Construct, props: MailAirlockProps, given: RecheckSurroundings): Recheck | null {
  const { index, ...others } = given;
  if (props.recheck !== true || index === null) return null;
  const { recheckDays: days = DEFAULT_DAYS, recheckBudget: budget = DEFAULT_BUDGET, vpc, recallMails } = props;
  const policyJson = props.policyFile === undefined ? undefined : readPolicy(props.policyFile);
  const mails = recallMails === undefined ? null : { from: senderIn(policyJson, 'recallMails'), most: recallMails };
  return new Recheck(scope, 'Recheck', {
    ...others,
    ...{ table: index.table, network: vpc && { vpc }, hour: HOUR, days, budget, policyJson, mails },
  });
}
