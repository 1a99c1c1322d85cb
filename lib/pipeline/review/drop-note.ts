/**
 * The signed note that a person dropped a copy at the desk. It is written before the copy, and only `review` can sign it. By this note an
 * object under the key of a drop counts as a copy, even where others may write to the bucket.
 */
import * as z from 'zod/mini';
import { parseStored } from '../chain/ledger-store.ts';
import { readSignedByReview, signedByReview } from '../chain/signed-text.ts';
import type { StoreContext } from '../context.ts';
import { isLostRecord } from '../errors.ts';
import { keys, runIdOf } from '../keys.ts';
import { isDropKey } from '../ledger/dropped.ts';
import type { IntakeObject } from '../ledger/intake-object.ts';

const SCHEMA = 'mail-airlock/dropped/1';
const Note = z.strictObject({ schema: z.literal(SCHEMA), runId: z.string() });
const MAX_BYTES = 10_000;

type Stores = Pick<StoreContext, 'blobs' | 'signer'>;

/** Notes that the run of this id is about a copy. Safe to repeat. Throws TransientError. */
export async function writeDropNote(ctx: Stores, runId: string): Promise<void> {
  const { bytes } = await signedByReview(ctx, { schema: SCHEMA, runId } satisfies z.infer<typeof Note>);
  await ctx.blobs.put('work', keys.dropNote(runId), bytes, { contentType: 'application/json', ifAbsent: true });
}

/**
 * Returns a new object of the intake bucket, marked as a copy when there is a note about it. A note that cannot be read, or that somebody
 * else wrote, does not count: the object is then ordinary mail. Throws TransientError.
 */
export async function markedByNote(ctx: Stores, intake: IntakeObject): Promise<IntakeObject> {
  if (intake.dropped === true || !isDropKey(intake.untrustedKey)) return intake;
  const copy: IntakeObject = { ...intake, dropped: true };
  return (await isNoted(ctx, runIdOf(copy))) ? copy : intake;
}

async function isNoted(ctx: Stores, runId: string): Promise<boolean> {
  const key = keys.dropNote(runId);
  try {
    const bytes = await ctx.blobs.get('work', key, { maxBytes: MAX_BYTES });
    const { json } = await readSignedByReview(ctx, bytes, `the note ${key}`);
    const note = Note.safeParse(parseStored(json, `the note ${key}`));
    return note.success && note.data.runId === runId;
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    return false;
  }
}
