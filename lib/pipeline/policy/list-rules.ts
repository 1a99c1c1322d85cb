/** The part of the policy about the lists of the operator. */
import * as z from 'zod/mini';

export const ListRules = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** Whether a list that allows a file or a link also counts against a malicious finding. */
      allowMalicious: z._default(z.boolean(), false),
    }),
    {},
  ),
);
