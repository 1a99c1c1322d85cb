import * as s3 from 'aws-cdk-lib/aws-s3';
import type { ResultKeys } from '../../pipeline/model.ts';

/** Objects that go through the airlock: those of a bucket of its owner, whose keys begin and end so. */
export interface Source {
  /** It must have versions. A bucket of another stack must have EventBridge notifications switched on. */
  readonly bucket: s3.IBucket;
  /** How keys begin. @default anything */
  readonly prefix?: string;
  /** How keys end, such as `.pdf`. @default anything */
  readonly suffix?: string;
  /** Larger objects are held as unreadable. @default 42 MiB, which is the most */
  readonly maximumBytes?: number;
  /**
   * How results are named beside the delivery by run: `mirrored` like the object that came in, `in-place` as a new version of it, which the bucket
   * must keep versions for. @default `by-run`
   */
  readonly keys?: ResultKeys;
  /** Where results go. @default the clean bucket; for `mirrored` below `clean/` */
  readonly destination?: Destination;
}

/** A bucket for results, into which nobody but the airlock writes. */
export interface Destination {
  /** @default the clean bucket */
  readonly bucket?: s3.IBucket;
  /** How keys begin there. @default `clean/` in the clean bucket, else nothing */
  readonly prefix?: string;
}

/** Characters that no key may hold in a pattern: policies and rules give them a meaning. */
const ACTING = /[*?\\]|\$\{/;
const MOST_BYTES = 42 * 1024 * 1024;

/**
 * The faults in the limits of a source, one line for each.
 *
 * @example
 * ```ts
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 *
 * const isUsable = (bucket: IBucket) => sourceIssues({ bucket, prefix: 'in/', suffix: '.pdf' }).length === 0;
 * ```
 */
export function sourceIssues(source: Source): string[] {
  const { bucket, prefix = '', suffix = '', maximumBytes = MOST_BYTES } = source;
  const name = bucket.node.id;
  const isCount = Number.isInteger(maximumBytes) && maximumBytes >= 1 && maximumBytes <= MOST_BYTES;
  const acting = [prefix, suffix].filter((text) => ACTING.test(text));
  return [
    ...resultIssues(source),
    ...acting.map((text) => `source ${name}: ${JSON.stringify(text)} must not hold *, ?, \\ or \${`),
    ...(isCount ? [] : [`source ${name}: maximumBytes must be from 1 to ${MOST_BYTES}, not ${maximumBytes}`]),
  ];
}

function resultIssues({ bucket, keys, destination }: Source): string[] {
  const name = bucket.node.id;
  const resource = bucket.node.defaultChild;
  const isUnversioned = resource instanceof s3.CfnBucket && resource.versioningConfiguration === undefined;
  const prefix = destination?.prefix ?? '';
  return [
    ...(keys === 'in-place' && isUnversioned
      ? [`source ${name}: in-place would lose the originals, because the bucket has no versions. Set versioned: true`]
      : []),
    ...(keys === 'in-place' && destination !== undefined
      ? [`source ${name}: in-place puts results where the objects are; leave destination out, or use mirrored`]
      : []),
    ...(ACTING.test(prefix) || prefix.startsWith('/')
      ? [
          `source ${name}: the prefix ${JSON.stringify(prefix)} of its destination must not begin with /, nor hold *, ?, \\ or \${`,
        ]
      : []),
  ];
}

/**
 * The objects of a source, as the resource of a policy.
 *
 * @example
 * ```ts
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 *
 * const uploads = (bucket: IBucket) => objectsOf({ bucket, prefix: 'in/' });
 * ```
 */
export function objectsOf({ bucket, prefix = '', suffix = '' }: Source): string {
  return bucket.arnForObjects(patternOf({ prefix, suffix }));
}

/**
 * The keys of a source, with an asterisk for any characters.
 *
 * @example
 * ```ts
 * patternOf({ prefix: 'in/', suffix: '.pdf' }); // => 'in/*.pdf'
 * ```
 */
export function patternOf({ prefix = '', suffix = '' }: Pick<Source, 'prefix' | 'suffix'>): string {
  return `${prefix}*${suffix}`;
}
