/** The remaining quota of a service, for people at a desk that may not ask the service. No stage reads the note. */
import * as z from 'zod/mini';
import { parseStored, timestamp } from '../chain/ledger-store.ts';
import type { AnalysisContext, StoreContext } from '../context.ts';
import { ConfigError, TransientError } from '../errors.ts';
import { keys } from '../keys.ts';
import { Count, Time } from '../ledger/fields.ts';
import type { Kind } from '../model.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import type { Analyzer } from '../ports.ts';

const QuotaNote = z.strictObject({
  schema: z.literal('mail-airlock/quota/1'),
  limit: Count,
  left: Count,
  /** The time at which the service said so. */
  at: Time,
});
export type QuotaNote = z.infer<typeof QuotaNote>;

/** Far more than a note has, in bytes. */
const MAX_BYTES = 1_000;

/** The last note that this process has written, by the analyzer that it asked. */
const written = new WeakMap<Analyzer, QuotaNote>();
/** A desk shows no smaller part of the limit. */
const NOTED_PART = 0.01;
/** Milliseconds. A smaller change is noted when the last note is this old. */
const NOTED_AFTER_MS = 5 * 60_000;
const dayOf = (at: string): string => at.slice(0, 10);

/** Returns whether a note differs enough from the last one to be worth a request. */
function saysMore(before: QuotaNote, now: QuotaNote): boolean {
  if (now.limit !== before.limit || dayOf(now.at) !== dayOf(before.at)) return true;
  const change = Math.abs(now.left - before.left);
  const isOld = Date.parse(now.at) - Date.parse(before.at) >= NOTED_AFTER_MS;
  return change > 0 && (now.left === 0 || isOld || change >= now.limit * NOTED_PART);
}

/**
 * Asks the service of this kind for its quota, and notes the answer if it has a limit and differs enough from the last note of this
 * process. Mail does not depend on it, so temporary errors are ignored.
 */
export async function noteQuota(ctx: Pick<AnalysisContext, 'analyzer' | 'blobs' | 'clock'>, kind: Kind): Promise<void> {
  try {
    const quota = (await ctx.analyzer.quota?.(kind)) ?? null;
    if (quota === null) return;
    const { limit, left } = quota;
    const note: QuotaNote = { schema: 'mail-airlock/quota/1', limit, left, at: timestamp(ctx) };
    const before = written.get(ctx.analyzer);
    if (before !== undefined && !saysMore(before, note)) return;
    const body = new TextEncoder().encode(JSON.stringify(note));
    await ctx.blobs.put('work', keys.quotaNote(), body, { contentType: 'application/json' });
    written.set(ctx.analyzer, note);
  } catch (error) {
    if (!(error instanceof TransientError || error instanceof ConfigError)) throw error;
  }
}

/**
 * Returns the note; null when there is none of today (UTC), because a quota counts for one day. Throws CorruptDataError, TransientError.
 */
export async function readQuotaNote({
  blobs,
  clock,
}: Pick<StoreContext, 'blobs' | 'clock'>): Promise<QuotaNote | null> {
  const bytes = await nullIfMissing(blobs.get('work', keys.quotaNote(), { maxBytes: MAX_BYTES }));
  if (bytes === null) return null;
  const { data: note } = QuotaNote.safeParse(parseStored(bytes, 'the note of the quota'));
  return note !== undefined && dayOf(note.at) === dayOf(timestamp({ clock })) ? note : null;
}
