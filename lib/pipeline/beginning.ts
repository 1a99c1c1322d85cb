/**
 * Who begins a later attempt. Two kinds of entries can be its first one: that of `parse`, which reads the mail again, and that of whoever goes on from
 * what was read before. Each is written once under a name of its own, so this note says which of them counts.
 */
import * as z from 'zod/mini';
import type { StoreContext } from './context.ts';
import { CorruptDataError } from './errors.ts';
import { keys } from './keys.ts';
import { parseStored, timestamp } from './ledger-store.ts';
import type { Run } from './model.ts';

const BEGINNINGS = ['parse', 'begun'] as const;
const Beginning = z.object({ name: z.enum(BEGINNINGS), at: z.iso.datetime() });

const MAX_BYTES = 1_000;

/**
 * True when the attempt may begin with an entry of this name; false when it begins with another. Safe to repeat. Throws CorruptDataError,
 * TransientError.
 */
export async function mayBegin(
  ctx: Pick<StoreContext, 'blobs' | 'clock'>,
  { runId, attempt }: Pick<Run, 'runId' | 'attempt'>,
  name: (typeof BEGINNINGS)[number],
): Promise<boolean> {
  const key = keys.beginning(runId, attempt);
  const bytes = new TextEncoder().encode(JSON.stringify({ name, at: timestamp(ctx) }));
  if (await ctx.blobs.put('work', key, bytes, { contentType: 'application/json', ifAbsent: true })) return true;
  const what = `the note of how attempt ${attempt} of run ${runId} begins`;
  const found = Beginning.safeParse(parseStored(await ctx.blobs.get('work', key, { maxBytes: MAX_BYTES }), what));
  if (!found.success) throw new CorruptDataError(`${what} cannot be read`);
  return found.data.name === name;
}
