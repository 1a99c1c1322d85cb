/**
 * A summary of the block list, signed by `review`. With it, a reader of the list need not read the whole audit trail. It names its last
 * record. That record must exist, and later records are read from the trail.
 */
import * as z from 'zod/mini';
import { parseStored } from '../chain/ledger-store.ts';
import { readSignedByReview, signedByReview } from '../chain/signed-text.ts';
import type { StoreContext } from '../context.ts';
import { AuditEndError, CorruptDataError } from '../errors.ts';
import { keys } from '../keys.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { type Audited, BlockRecord, findAudited } from './audit.ts';

const Summary = z.strictObject({
  schema: z.literal('mail-airlock/blocks/1'),
  /** The last record that it includes. */
  sequence: z.int().check(z.positive()),
  hash: z.string(),
  /** The records of the blocks, in the order of the list. */
  records: z.array(BlockRecord),
});

export interface BlockSummary {
  readonly last: Audited;
  readonly records: readonly BlockRecord[];
}

type SummaryContext = Pick<StoreContext, 'blobs' | 'signer'>;

/** Far more than a list that people make by hand. The writer of a longer list could fill the memory of the stage that reads it. */
const MAX_BYTES = 20_000_000;

/**
 * Returns the summary, or null when there is none. Throws CorruptDataError when it differs from what was signed, or when its last record is
 * another.
 */
export async function readBlockSummary(ctx: SummaryContext): Promise<BlockSummary | null> {
  const what = 'the summary of the block list';
  const bytes = await nullIfMissing(ctx.blobs.get('work', keys.blockSummary(), { maxBytes: MAX_BYTES }));
  if (bytes === null) return null;
  const { json } = await readSignedByReview(ctx, bytes, what);
  const read = Summary.safeParse(parseStored(json, what));
  if (!read.success) throw new CorruptDataError(`${what} cannot be read`);
  const { sequence, hash } = read.data;
  const last = await findAudited(ctx, sequence);
  if (last === null)
    throw new AuditEndError(`${what} stands on record ${sequence} of the audit trail, which is missing`);
  if (last.hash !== hash) throw new AuditEndError(`${what} stands on another record ${sequence}`);
  return { last, records: read.data.records };
}

/** Writes the summary. A summary that is too long to be read is not written. Throws TransientError. */
export async function writeBlockSummary(ctx: SummaryContext, { last, records }: BlockSummary): Promise<void> {
  const { sequence } = last.record;
  const { bytes } = await signedByReview(ctx, { schema: 'mail-airlock/blocks/1', sequence, hash: last.hash, records });
  if (bytes.byteLength <= MAX_BYTES)
    await ctx.blobs.put('work', keys.blockSummary(), bytes, { contentType: 'application/json' });
}
