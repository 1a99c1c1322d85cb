/** The part of the policy about mail whose files take long to analyse. */
import * as z from 'zod/mini';

/** Longer than the time that a run waits for its analyses. */
const MAX_SECONDS = 3_600;

export const FirstMessage = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /**
       * Seconds after which a message is sent, with a page instead of each file that is still being analysed. The whole message follows.
       * Null: a message waits until all of it is judged. It counts for mail that came through the gateway.
       */
      afterSeconds: z._default(z.nullable(z.int().check(z.minimum(0), z.maximum(MAX_SECONDS))), null),
    }),
    {},
  ),
);
