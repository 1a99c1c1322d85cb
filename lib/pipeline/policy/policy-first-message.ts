/** The part of the policy about mail whose files take long to examine. */
import * as z from 'zod/mini';

/** Longer than a run waits for its analyses. */
const LONGEST_SECONDS = 3_600;

export const FirstMessage = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /**
       * Seconds after which a message goes on with a page in the place of each file that is still examined; the whole message follows.
       * Null: a message waits until all of it is judged. It counts for mail that came through the gateway.
       */
      afterSeconds: z._default(z.nullable(z.int().check(z.minimum(0), z.maximum(LONGEST_SECONDS))), null),
    }),
    {},
  ),
);
