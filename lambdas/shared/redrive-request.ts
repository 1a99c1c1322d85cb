/** The event of `redrive`, as its caller writes it. */
import * as z from 'zod/mini';
import { ConfigError } from '../../lib/pipeline/errors.ts';
import { RunId } from '../../lib/pipeline/ledger/run-id.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { PASSING_REASONS } from '../../lib/pipeline/reason-codes.ts';
import type { RedriveRequest } from '../../lib/pipeline/review/redrive-held.ts';

const Time = z.nullish(z.iso.datetime({ offset: true }));

const Named = z.strictObject({
  runs: z.array(RunId).check(z.minLength(1), z.maxLength(DEFAULT_LIMITS.redriveRuns)),
  dryRun: z._default(z.boolean(), false),
});
const Held = z.strictObject({
  reason: z.nullish(z.enum(PASSING_REASONS)),
  since: Time,
  until: Time,
  after: z.nullish(z.string().check(z.maxLength(1_024))),
  dryRun: z._default(z.boolean(), false),
});

/** Reads an event. Throws ConfigError with a line for each fault. */
export function redriveRequestOf(event: unknown): RedriveRequest {
  const isNamed = typeof event === 'object' && event !== null && 'runs' in event;
  if (isNamed) return checked(Named, event);
  const { reason = null, since, until, after = null, dryRun } = checked(Held, event);
  return { reason, since: msOf(since), until: msOf(until), after, dryRun };
}

function checked<T>(schema: z.ZodMiniType<T>, event: unknown): T {
  const found = schema.safeParse(event);
  if (found.success) return found.data;
  const issues = found.error.issues.map(({ path, message }) => `${path.join('.') || 'the event'}: ${message}`);
  throw new ConfigError('this request to redrive', issues);
}

const msOf = (time: string | null | undefined) => (time ? Date.parse(time) : null);
