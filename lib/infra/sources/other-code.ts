import { createHash } from 'node:crypto';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { bundleOtherLambda } from '#bundles';
import { bundledCode } from '../lambda-function.ts';
import type { OtherLambda } from '../other-lambdas.ts';

/**
 * Returns the bundle of a Lambda that is no stage and reads the policy.
 *
 * @example
 * ```ts
 * const code = otherCode('review', '{"version":1}');
 * ```
 */
export function otherCode(name: OtherLambda, policyJson: string | undefined): lambda.Code {
  const policy = createHash('sha256')
    .update(policyJson ?? '')
    .digest('hex');
  return bundledCode([name, policy], (outDir) =>
    bundleOtherLambda(name, outDir, policyJson === undefined ? {} : { policyJson }),
  );
}
