/** What is said of the buckets of others whose objects go through the airlock. */
import * as z from 'zod/mini';
import type { IntakeObject } from './intake-object.ts';

/** Objects of a bucket, by the beginning and the end of their keys. */
export const SourceSetting = z.object({
  bucket: z.string().check(z.minLength(1)),
  prefix: z._default(z.string(), ''),
  suffix: z._default(z.string(), ''),
  /** Larger objects count as oversize. Null: the limit of every mail. */
  maximumBytes: z._default(z.nullable(z.int().check(z.positive())), null),
});
export type SourceSetting = z.infer<typeof SourceSetting>;

/** The most bytes that an object may have, by the sources that it belongs to and the limit of every mail. */
export function maximumBytesOf(
  sources: readonly SourceSetting[],
  { bucket, untrustedKey }: Pick<IntakeObject, 'bucket' | 'untrustedKey'>,
  usual: number,
): number {
  const belongs = sources.filter(
    (source) =>
      source.bucket === bucket && untrustedKey.startsWith(source.prefix) && untrustedKey.endsWith(source.suffix),
  );
  return Math.min(usual, ...belongs.map(({ maximumBytes }) => maximumBytes ?? usual));
}
