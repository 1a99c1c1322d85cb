/** The attempts of a run. Each is a chain of its own with one end; the first is the one that a mail starts when it comes in. */
import * as z from 'zod/mini';

/** Why a run was begun again. */
export const ATTEMPT_REASONS = ['redrive'] as const;
export type AttemptReason = (typeof ATTEMPT_REASONS)[number];

export const FIRST_ATTEMPT = 1;

export const AttemptNumber = z.int().check(z.minimum(FIRST_ATTEMPT));

export const Attempt = z.object({
  number: AttemptNumber,
  begunAt: z.iso.datetime(),
  /** Null for the first. */
  reason: z.nullable(z.enum(ATTEMPT_REASONS)),
  /** The hash of the last entry of the attempt before it; null for the first, and when that attempt left none that can be read. */
  earlier: z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
});
export type Attempt = z.infer<typeof Attempt>;
