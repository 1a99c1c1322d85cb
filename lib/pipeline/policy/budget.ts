/** The part of the policy about the spending on analyses that cost a quota or money. */
import * as z from 'zod/mini';

const count = (most: number) => z._default(z.nullable(z.int().check(z.minimum(0), z.maximum(most))), null);

export const AnalysisBudget = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** The most files of one mail that the sandbox analyses. Null: as many as policy wants. */
      sandboxPerMail: count(1_000),
      /** The most files that the sandbox analyses in a day (UTC). Null: as many as the service takes. */
      sandboxPerDay: count(1_000_000),
    }),
    {},
  ),
);
