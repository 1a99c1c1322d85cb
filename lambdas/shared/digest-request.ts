/** The event of `digest`: what a schedule of EventBridge says, or a round that goes on. */
import * as z from 'zod/mini';
import type { RoundRequest } from '../../lib/desk/recipients/digest-round.ts';
import { scheduledAt } from './scheduled-event.ts';

const DAY_MS = 86_400_000;

const GoesOn = z.strictObject({ day: z.iso.date(), after: z.nullable(z.string()), isIncomplete: z.boolean() });

export interface DigestRequest extends RoundRequest {
  /** A round of this day before did not reach everybody. */
  readonly isIncomplete: boolean;
}

/** Reads a message of the queue: a schedule means the day before it, in UTC. Throws ZodError when it is neither. */
export function digestRequestOf(body: unknown): DigestRequest {
  const at = scheduledAt(body);
  if (at === null) return GoesOn.parse(body);
  const day = new Date(at - DAY_MS).toISOString().slice(0, 10);
  return { day, after: null, isIncomplete: false };
}
