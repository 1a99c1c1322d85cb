/** The event of `recheck`: a schedule of EventBridge, a round that goes on, or the request of a caller. */
import * as z from 'zod/mini';
import { ConfigError } from '../../lib/pipeline/errors.ts';
import type { RoundRequest } from '../../lib/pipeline/recall/recheck-round.ts';
import { RUN_PLACE } from '../../lib/pipeline/runs/place.ts';
import { scheduledAt } from './scheduled-event.ts';

const DAY_MS = 86_400_000;
const Count = (most: number, least = 1) => z.int().check(z.minimum(least), z.maximum(most));

const GoesOn = z.strictObject({
  day: z.iso.date(),
  since: z.int(),
  after: z.nullable(z.string().check(z.regex(RUN_PLACE))),
  budget: Count(1_000_000),
  // A request of an earlier version does not mention mails.
  mails: z._default(z.int().check(z.minimum(0), z.maximum(1_000)), 0),
});
const Asked = z.strictObject({ days: Count(3_650), budget: Count(1_000_000, 0) });

/** A request to tell people about known files only. No file is analysed again. */
export const TELLS: z.infer<typeof Asked> = { days: 1, budget: 0 };

export interface RecheckSettings {
  readonly days: number;
  readonly budget: number;
  /** The most mails to recipients; 0 when nobody is told. */
  readonly mails: number;
}

/** Reads an event of a schedule or of a caller. Throws ConfigError. */
export function recheckRequestOf(event: unknown, settings: RecheckSettings, now: number): RoundRequest {
  const goesOn = GoesOn.safeParse(event);
  if (goesOn.success) return goesOn.data;
  const at = scheduledAt(event);
  if (at !== null) return begin(settings, at);
  const asked = Asked.safeParse(event);
  if (asked.success) return begin({ ...asked.data, mails: settings.mails }, now);
  throw new ConfigError('this request to recheck', [z.prettifyError(asked.error)]);
}

const begin = ({ days, budget, mails }: RecheckSettings, at: number): RoundRequest => ({
  ...{ day: new Date(at).toISOString().slice(0, 10), since: at - days * DAY_MS, after: null, budget, mails },
});
