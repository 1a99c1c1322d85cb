/**
 * Notes who begins a later attempt. Two kinds of entries can be its first one: the entry of `parse`, which reads the mail again, and the
 * entry of a stage that continues from the earlier reading. Each is written once under its own name, so this note decides which of them
 * counts.
 */
import * as z from 'zod/mini';
import type { StoreContext } from '../context.ts';
import { CorruptDataError } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Run } from '../model.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { parseStored, timestamp } from './ledger-store.ts';

const BEGINNINGS = ['parse', 'begun'] as const;
type BeginningName = (typeof BEGINNINGS)[number];
const Beginning = z.object({ name: z.enum(BEGINNINGS), at: z.iso.datetime() });

const MAX_BYTES = 1_000;

type Attempted = Pick<Run, 'runId' | 'attempt'>;

/**
 * Returns true when the attempt may begin with an entry of this name; false when it begins with another. Safe to repeat. Throws
 * CorruptDataError, TransientError.
 */
export async function mayBegin(
  ctx: Pick<StoreContext, 'blobs' | 'clock'>,
  { runId, attempt }: Attempted,
  name: BeginningName,
): Promise<boolean> {
  const key = keys.beginning(runId, attempt);
  const bytes = new TextEncoder().encode(JSON.stringify({ name, at: timestamp(ctx) }));
  if (await ctx.blobs.put('work', key, bytes, { contentType: 'application/json', ifAbsent: true })) return true;
  return (await readBeginning(ctx, { runId, attempt })) === name;
}

/**
 * Returns the name of the entry with which the attempt may begin; null while nobody has begun it. Throws CorruptDataError, TransientError.
 */
export async function beginningOf(ctx: Pick<StoreContext, 'blobs'>, run: Attempted): Promise<BeginningName | null> {
  return nullIfMissing(readBeginning(ctx, run));
}

async function readBeginning(
  { blobs }: Pick<StoreContext, 'blobs'>,
  { runId, attempt }: Attempted,
): Promise<BeginningName> {
  const what = `the note of how attempt ${attempt} of run ${runId} begins`;
  const bytes = await blobs.get('work', keys.beginning(runId, attempt), { maxBytes: MAX_BYTES });
  const found = Beginning.safeParse(parseStored(bytes, what));
  if (!found.success) throw new CorruptDataError(`${what} cannot be read`);
  return found.data.name;
}
