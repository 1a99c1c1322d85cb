import type { Kind } from '../../pipeline/model.ts';
import type { Buckets } from '../buckets.ts';
import type { LambdaFunction } from '../lambda-function.ts';

/** The places of artifacts and of reports in the work bucket (`keys.ts` of the pipeline). */
export const ENGINE_READS = 'artifacts/';
export const ENGINE_WRITES = 'reports/';

/**
 * Grants an engine its rights: it reads artifacts, if it analyses files, and writes the reports of its kind. It holds no secret and reaches
 * nothing else.
 *
 * @example
 * ```ts
 * import type { Buckets } from './lib/infra/buckets.ts';
 * import type { LambdaFunction } from './lib/infra/lambda-function.ts';
 *
 * function grantStatic(engine: LambdaFunction, buckets: Buckets): void {
 *   grantEngine(engine, 'static', buckets);
 * }
 * ```
 */
export function grantEngine(target: LambdaFunction, kind: Kind, buckets: Buckets): void {
  const work = buckets.of('work');
  // The job of a URL contains the URL itself.
  if (kind !== 'url_analysis') {
    target.allow(['s3:GetObject'], [work.arnForObjects(`${ENGINE_READS}*`)]);
    target.acknowledgeObjects(work, [`${ENGINE_READS}*`]);
    target.allow(['kms:Decrypt'], [buckets.keyOf('work').keyArn]);
  }
  grantReports(target, `${ENGINE_WRITES}${kind}/`, buckets);
}

/**
 * Lets a function write reports below a prefix of the work bucket, and tells it the bucket.
 *
 * @example
 * ```ts
 * import type { Buckets } from './lib/infra/buckets.ts';
 * import type { LambdaFunction } from './lib/infra/lambda-function.ts';
 *
 * function grantLast(failed: LambdaFunction, buckets: Buckets): void {
 *   grantReports(failed, ENGINE_WRITES, buckets);
 * }
 * ```
 */
export function grantReports(target: LambdaFunction, prefix: string, buckets: Buckets): void {
  const work = buckets.of('work');
  target.allow(['s3:PutObject'], [work.arnForObjects(`${prefix}*`)]);
  target.acknowledgeObjects(work, [`${prefix}*`]);
  target.allow(['kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
  target.function.addEnvironment('AIRLOCK_WORK_BUCKET', work.bucketName);
}
