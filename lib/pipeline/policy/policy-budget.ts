/** The part of the policy about how much is spent on analyses that cost a quota or money. */
import * as z from 'zod/mini';

const count = (most: number) => z._default(z.nullable(z.int().check(z.minimum(0), z.maximum(most))), null);

export const AnalysisBudget = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** Files of one mail that the sandbox is asked about. Null: as many as policy wants. */
      sandboxPerMail: count(1_000),
      /** Files that the sandbox is asked about in a day (UTC). Null: as many as the service takes. */
      sandboxPerDay: count(1_000_000),
    }),
    {},
  ),
);
