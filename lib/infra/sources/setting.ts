import * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { RESULT_KEYS, type ResultKeys } from '../../pipeline/model.ts';
import type { Destination, Source } from './source.ts';

const NAME = '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]';
/** A prefix may contain `=`. The text behind the last `=` counts only when it is one of our words. */
const RESULTS = new RegExp(`^(.*)=(${RESULT_KEYS.join('|')})(?::(${NAME})(?:/(.*))?)?$`, 's');
const EXPECTED =
  'BUCKET or BUCKET/PREFIX*SUFFIX is expected, then =mirrored, =in-place or =by-run:BUCKET/PREFIX if results go elsewhere';

/**
 * Reads sources from a setting: `BUCKET/PREFIX*SUFFIX=KEYS:BUCKET/PREFIX`, with commas between sources. All parts but the first bucket are
 * optional. Throws a TypeError that says what was expected.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * sourcesIn('uploads/in/*.pdf=mirrored', new Stack(new App(), 'Mail'))[0]?.keys; // => 'mirrored'
 * ```
 */
export function sourcesIn(text: string, scope: Construct): Source[] {
  const known = new Map<string, s3.IBucket>();
  const bucketOf = (name: string, id: string): s3.IBucket => {
    const bucket = known.get(name) ?? s3.Bucket.fromBucketName(scope, id, name);
    known.set(name, bucket);
    return bucket;
  };
  return text.split(',').map((row, index) => {
    const [, place = row.trim(), keys, target, targetPrefix] = RESULTS.exec(row.trim()) ?? [];
    const [, name = '', pattern = '*'] = /^([^/]+)(?:\/(.*))?$/.exec(place) ?? [];
    const [prefix = '', suffix = '', ...more] = pattern.split('*');
    if (!new RegExp(`^${NAME}$`).test(name) || more.length > 0)
      throw new TypeError(`${EXPECTED}, not ${JSON.stringify(row)}`);
    const destination: Destination | undefined =
      target === undefined
        ? undefined
        : {
            bucket: bucketOf(target, `Results${index + 1}`),
            ...(targetPrefix !== undefined && { prefix: targetPrefix }),
          };
    return {
      bucket: bucketOf(name, `Source${index + 1}`),
      prefix,
      suffix,
      ...(keys !== undefined && { keys: keys as ResultKeys }),
      ...(destination && { destination }),
    };
  });
}
