import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Accepts one finding of cdk-nag on one construct, with the reason why it does not apply.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * acknowledge(new Stack(new App(), 'Mail'), 'AwsSolutions-SMG4', 'The service behind it issues the key.');
 * ```
 */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason });
}
