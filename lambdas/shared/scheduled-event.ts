/** The event of a schedule of EventBridge. */
import * as z from 'zod/mini';

const ScheduledEvent = z.object({ 'detail-type': z.literal('Scheduled Event'), time: z.iso.datetime() });

/** Returns the time of the schedule, in milliseconds since the epoch; null for every other event. */
export function scheduledAt(event: unknown): number | null {
  const read = ScheduledEvent.safeParse(event);
  return read.success ? Date.parse(read.data.time) : null;
}
