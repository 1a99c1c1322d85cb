/** The settings of foreign buckets whose objects go through the airlock. */
import * as z from 'zod/mini';
import type { IntakeObject } from '../ledger/intake-object.ts';
import { RESULT_KEYS } from '../model.ts';

/** The place of the results of a source, besides the delivery by run. */
export const ResultsSetting = z.lazy(() =>
  z.object({
    keys: z.enum(RESULT_KEYS),
    /** For `in-place`, the bucket of the source. */
    bucket: z.string().check(z.minLength(1)),
    prefix: z._default(z.string(), ''),
  }),
);
export type ResultsSetting = z.infer<typeof ResultsSetting>;

/** Objects of a bucket, by the prefix and the suffix of their keys. */
export const SourceSetting = z.lazy(() =>
  z.object({
    bucket: z.string().check(z.minLength(1)),
    prefix: z._default(z.string(), ''),
    suffix: z._default(z.string(), ''),
    /** Larger objects count as oversize. Null: the limit of every mail. */
    maximumBytes: z._default(z.nullable(z.int().check(z.positive())), null),
    /** Null: results are only in the clean bucket, by run. */
    results: z._default(z.nullable(ResultsSetting), null),
  }),
);
export type SourceSetting = z.infer<typeof SourceSetting>;

type Named = Pick<IntakeObject, 'bucket' | 'untrustedKey'>;

const belongsTo = (source: SourceSetting, { bucket, untrustedKey }: Named) =>
  source.bucket === bucket && untrustedKey.startsWith(source.prefix) && untrustedKey.endsWith(source.suffix);

/** Returns the most bytes that an object may have, by its sources and the limit of every mail. */
export function maximumBytesOf(sources: readonly SourceSetting[], intake: Named, usual: number): number {
  const belongs = sources.filter((source) => belongsTo(source, intake));
  return Math.min(usual, ...belongs.map(({ maximumBytes }) => maximumBytes ?? usual));
}

/** Returns the other place of the results of an object, by the first source that has one; null when they are only in the clean bucket. */
export function resultsOf(sources: readonly SourceSetting[], intake: Named): ResultsSetting | null {
  return sources.find((source) => source.results !== null && belongsTo(source, intake))?.results ?? null;
}
