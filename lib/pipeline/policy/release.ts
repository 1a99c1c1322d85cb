/** The part of the policy about held messages that people release. */
import * as z from 'zod/mini';

/** The number of different people that a release takes; `nobody`: it is not possible. */
const Needs = z.enum(['one', 'two', 'nobody']);
/** The time for which a shipped deployment keeps the note of the first person. */
const MAX_HOURS = 720;

export const ReleaseRules = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** A message that is rebuilt like every other, without the parts for which it was held. */
      rebuilt: z._default(Needs, 'one'),
      /** The original, byte for byte. */
      original: z._default(Needs, 'two'),
      /** The most that may be released of a message with something malicious. */
      malicious: z._default(z.enum(['nothing', 'rebuilt', 'original']), 'rebuilt'),
      /**
       * The time for which the release of the first of two people counts. It covers a weekend, so that nobody becomes the second person of
       * an old decision.
       */
      secondWithinHours: z._default(z.int().check(z.minimum(1), z.maximum(MAX_HOURS)), 72),
    }),
    {},
  ),
);

/** The most people that a policy may ask for. */
export const PEOPLE_NEEDED = { one: 1, two: 2, nobody: Number.POSITIVE_INFINITY } as const;

/** Returns what is wrong when two rules about releases contradict each other. */
export function releaseIssues({ original, rebuilt, malicious }: z.infer<typeof ReleaseRules>): string[] {
  if (malicious === 'original' && original === 'nobody')
    return ['release.malicious: "original" needs release.original "one" or "two"'];
  return malicious === 'rebuilt' && rebuilt === 'nobody' && original !== 'nobody'
    ? ['release.malicious: "rebuilt" needs release.rebuilt "one" or "two"; or say "nothing"']
    : [];
}
