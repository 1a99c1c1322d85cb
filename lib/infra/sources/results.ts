import type * as s3 from 'aws-cdk-lib/aws-s3';
import type { ResultKeys } from '../../pipeline/model.ts';
import type { Source } from './source.ts';

/** The place of the results of a source, besides the delivery by run; null when there is none. */
export interface Results {
  readonly keys: ResultKeys;
  readonly bucket: s3.IBucket;
  readonly prefix: string;
}

/** In the clean bucket, keys of deliveries begin with the id of a run, and keys of public keys with `keys/`. */
const MIRRORED = 'clean/';

/**
 * Returns the place of the results of a source, with defaults for everything that the source leaves open.
 *
 * @example
 * ```ts
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 *
 * const isReplaced = (bucket: IBucket, clean: IBucket) => resultsOf({ bucket, keys: 'in-place' }, clean)?.bucket === bucket;
 * ```
 */
export function resultsOf({ bucket, keys = 'by-run', destination }: Source, clean: s3.IBucket): Results | null {
  if (keys === 'in-place') return { keys, bucket, prefix: '' };
  if (keys === 'by-run' && destination === undefined) return null;
  const target = destination?.bucket ?? clean;
  const prefix = destination?.prefix ?? (target === clean ? MIRRORED : '');
  return { keys, bucket: target, prefix };
}

/**
 * Returns the faults in the place of results, compared with the existing sources: one line for each fault. A result in a place of incoming
 * objects would be scanned again. Two sources under one prefix would replace each other's results.
 *
 * @example
 * ```ts
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 *
 * const isFine = (bucket: IBucket, clean: IBucket, intake: IBucket) =>
 *   destinationIssues([{ bucket, keys: 'mirrored' }], { clean, intake }).length === 0;
 * ```
 */
export function destinationIssues(
  sources: readonly Source[],
  { clean, intake }: { readonly clean: s3.IBucket; readonly intake: s3.IBucket },
): string[] {
  const placed = sources.flatMap((source) => {
    const results = resultsOf(source, clean);
    return results === null || results.keys === 'in-place' ? [] : [{ source, results }];
  });
  const meet = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);
  const incoming: readonly Source[] = [{ bucket: intake }, ...sources];
  return placed.flatMap(({ source, results: { bucket, prefix, keys } }, index) => {
    const says = `source ${source.bucket.node.id}: its results in ${bucket.node.id}/${prefix}`;
    const isBare = bucket.bucketName === clean.bucketName && !/^(?!keys\/|[0-9a-f]{32}\/)[^/]+\//.test(prefix);
    const comesIn = incoming.some(
      (one) => one.bucket.bucketName === bucket.bucketName && meet(one.prefix ?? '', prefix),
    );
    const isTaken =
      keys === 'mirrored' &&
      placed
        .slice(0, index)
        .some(
          (other) =>
            other.results.bucket.bucketName === bucket.bucketName &&
            other.source.bucket.bucketName !== source.bucket.bucketName &&
            meet(other.results.prefix, prefix),
        );
    return [
      ...(isBare ? [`${says} could replace deliveries; give its destination a prefix such as clean/`] : []),
      ...(comesIn ? [`${says} would come in again; give it a prefix or a bucket from which nothing comes in`] : []),
      ...(isTaken ? [`${says} could replace those of another source; give each a prefix of its own`] : []),
    ];
  });
}
