import * as s3 from 'aws-cdk-lib/aws-s3';
import type { ResultKeys } from '../../pipeline/model.ts';

/** Objects that go through the airlock: the objects of the owner's bucket whose keys have this prefix and suffix. */
export interface Source {
  /** It must have versions. A bucket of another stack must have EventBridge notifications switched on. */
  readonly bucket: s3.IBucket;
  /** The beginning of keys. @default anything */
  readonly prefix?: string;
  /** The end of keys, such as `.pdf`. @default anything */
  readonly suffix?: string;
  /** Larger objects are held as unreadable. @default 42 MiB, which is the most */
  readonly maximumBytes?: number;
  /**
   * How results are named besides the delivery by run: `mirrored` like the incoming object, or `in-place` as a new version of it. The
   * bucket must then keep versions. @default `by-run`
   */
  readonly keys?: ResultKeys;
  /** Where results go. @default the clean bucket; for `mirrored` below `clean/` */
  readonly destination?: Destination;
}

/** A bucket for results. Only the airlock may write into it. */
export interface Destination {
  /** @default the clean bucket */
  readonly bucket?: s3.IBucket;
  /** The beginning of keys there. @default `clean/` in the clean bucket, else nothing */
  readonly prefix?: string;
}

/** Characters that no key may contain in a pattern, because policies and rules give them a meaning. */
const ACTING = /[*?\\]|\$\{/;
const MAX_BYTES = 42 * 1024 * 1024;

/**
 * Returns the faults in the limits of a source, one line for each.
 *
 * @example
 * ```ts
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 *
 * const isUsable = (bucket: IBucket) => sourceIssues({ bucket, prefix: 'in/', suffix: '.pdf' }).length === 0;
 * ```
 */
export function sourceIssues(source: Source): string[] {
  const { bucket, prefix = '', suffix = '', maximumBytes = MAX_BYTES } = source;
  const name = bucket.node.id;
  const isCount = Number.isInteger(maximumBytes) && maximumBytes >= 1 && maximumBytes <= MAX_BYTES;
  const acting = [prefix, suffix].filter((text) => ACTING.test(text));
  return [
    ...resultIssues(source),
    ...acting.map((text) => `source ${name}: ${JSON.stringify(text)} must not hold *, ?, \\ or \${`),
    ...(isCount ? [] : [`source ${name}: maximumBytes must be from 1 to ${MAX_BYTES}, not ${maximumBytes}`]),
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
 * Returns the objects of a source, as the resource of a policy.
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
 * Returns the keys of a source, with an asterisk for any characters.
 *
 * @example
 * ```ts
 * patternOf({ prefix: 'in/', suffix: '.pdf' }); // => 'in/*.pdf'
 * ```
 */
export function patternOf({ prefix = '', suffix = '' }: Pick<Source, 'prefix' | 'suffix'>): string {
  return `${prefix}*${suffix}`;
}
