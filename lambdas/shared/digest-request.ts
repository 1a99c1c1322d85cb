/** The event of `digest`: a schedule of EventBridge, or a round that goes on. */
import * as z from 'zod/mini';
import type { RoundRequest } from '../../lib/desk/recipients/digest-round.ts';
import { scheduledAt } from './scheduled-event.ts';

const DAY_MS = 86_400_000;

const GoesOn = z.strictObject({ day: z.iso.date(), after: z.nullable(z.string()), isIncomplete: z.boolean() });

export interface DigestRequest extends RoundRequest {
  /** An earlier round for this day did not reach everybody. */
  readonly isIncomplete: boolean;
}

/** Reads a message of the queue. A schedule asks for the day before it, in UTC. Throws ZodError when the message is neither event. */
export function digestRequestOf(body: unknown): DigestRequest {
  const at = scheduledAt(body);
  if (at === null) return GoesOn.parse(body);
  const day = new Date(at - DAY_MS).toISOString().slice(0, 10);
  return { day, after: null, isIncomplete: false };
}
