/** What a service said is left of its quota, for the people at a desk that may not ask it. No stage reads the note. */
import * as z from 'zod/mini';
import type { AnalysisContext, StoreContext } from './context.ts';
import { ConfigError, NotFoundError, TransientError } from './errors.ts';
import { Count, Time } from './fields.ts';
import { keys } from './keys.ts';
import { parseStored, timestamp } from './ledger-store.ts';
import type { Kind } from './model.ts';

const QuotaNote = z.strictObject({
  schema: z.literal('mail-airlock/quota/1'),
  limit: Count,
  left: Count,
  /** When the service said so. */
  at: Time,
});
export type QuotaNote = z.infer<typeof QuotaNote>;

/** Far more than a note has, in bytes. */
const MOST_BYTES = 1_000;

/** Asks the service of this kind and notes its answer, when it tells a limit. Mail does not depend on it: what fails in passing is left. */
export async function noteQuota(ctx: Pick<AnalysisContext, 'analyzer' | 'blobs' | 'clock'>, kind: Kind): Promise<void> {
  try {
    const quota = (await ctx.analyzer.quota?.(kind)) ?? null;
    if (quota === null) return;
    const { limit, left } = quota;
    const note = { schema: 'mail-airlock/quota/1', limit, left, at: timestamp(ctx) } satisfies QuotaNote;
    const body = new TextEncoder().encode(JSON.stringify(note));
    await ctx.blobs.put('work', keys.toldQuota(), body, { contentType: 'application/json' });
  } catch (error) {
    if (!(error instanceof TransientError || error instanceof ConfigError)) throw error;
  }
}

/** The note; null when there is none of today (UTC): a quota is that of a day. Throws CorruptDataError, TransientError. */
export async function readQuotaNote({
  blobs,
  clock,
}: Pick<StoreContext, 'blobs' | 'clock'>): Promise<QuotaNote | null> {
  try {
    const what = 'the note of the quota';
    const bytes = await blobs.get('work', keys.toldQuota(), { maxBytes: MOST_BYTES });
    const { data: note } = QuotaNote.safeParse(parseStored(bytes, what));
    return note?.at.slice(0, 10) === timestamp({ clock }).slice(0, 10) ? (note ?? null) : null;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
