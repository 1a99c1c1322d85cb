import { Stack } from 'aws-cdk-lib';
import { parsePolicy } from '../pipeline/policy/policy.ts';
import type { LambdaFunction } from './lambda-function.ts';

/**
 * Lets a function send mail by SES in the name of one address. Its identity in SES is the address or its domain.
 *
 * @example
 * ```ts
 * import type { LambdaFunction } from './lib/infra/lambda-function.ts';
 *
 * const sendDigests = (digest: LambdaFunction) => allowSendingAs(digest, 'airlock@example.org');
 * ```
 */
export function allowSendingAs(target: LambdaFunction, from: string): void {
  const identities = [from, from.slice(from.lastIndexOf('@') + 1)].map((resourceName) =>
    Stack.of(target).formatArn({ service: 'ses', resource: 'identity', resourceName }),
  );
  // The identity may be a whole domain, but the mails come from one address of it.
  const onlyFrom = { StringEquals: { 'ses:FromAddress': from } };
  target.allow(['ses:SendEmail', 'ses:SendRawEmail'], identities, onlyFrom);
}

/**
 * Returns the address that sends notices to recipients, as the policy says. Throws TypeError, which names the setting, when the policy does
 * not name the sender and the recipients.
 *
 * @example
 * ```ts
 * const notices = '{"version":1,"notices":{"from":"airlock@example.org","domains":["example.org"]}}';
 * senderIn(notices, 'digest'); // => 'airlock@example.org'
 * ```
 */
export function senderIn(policyJson: string | undefined, name: string): string {
  const { from, domains } = parsePolicy(policyJson ?? '{}').notices;
  if (from !== '' && domains.length > 0) return from;
  throw new TypeError(
    `${name}: the policy must say in notices.from which address mails to recipients come from, and in notices.domains which recipients are yours`,
  );
}
