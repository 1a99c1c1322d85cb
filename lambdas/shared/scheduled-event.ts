/** The event of a schedule of EventBridge. */
import * as z from 'zod/mini';

const ScheduledEvent = z.object({ 'detail-type': z.literal('Scheduled Event'), time: z.iso.datetime() });

/** The time of the schedule, milliseconds since the epoch; null for the event of anybody else. */
export function scheduledAt(event: unknown): number | null {
  const read = ScheduledEvent.safeParse(event);
  return read.success ? Date.parse(read.data.time) : null;
}
