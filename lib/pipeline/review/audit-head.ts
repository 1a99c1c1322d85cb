/**
 * The head of the audit trail: the number of records, and the hash of the newest, signed by `review`. It is written after each record, so
 * records that are cut off at the end are noticed. A process that is killed between both writes leaves an old head. The next record mends
 * that.
 */
import * as z from 'zod/mini';
import { parseStored } from '../chain/ledger-store.ts';
import { readSignedByReview, signedByReview } from '../chain/signed-text.ts';
import type { StoreContext } from '../context.ts';
import { AuditEndError, CorruptDataError } from '../errors.ts';
import { keys } from '../keys.ts';
import { Sha256 } from '../ledger/fields.ts';
import { nullIfMissing } from '../null-if-missing.ts';

const SCHEMA = 'mail-airlock/audit-head/1';
/** A record by its number, and by the hash with which others refer to it. */
export const AuditPlace = z.strictObject({ sequence: z.int().check(z.positive()), hash: Sha256 });
export type AuditPlace = Readonly<z.infer<typeof AuditPlace>>;

const AuditHead = z.strictObject({ schema: z.literal(SCHEMA), ...AuditPlace.shape });

type HeadContext = Pick<StoreContext, 'blobs' | 'signer'>;

/** Far more than a head has, in bytes. */
const MAX_BYTES = 1_000;
const WHAT = 'the head of the audit trail';

/**
 * Returns the head; null when there is none. To compare both, read it before the trail: a record that is written meanwhile then comes after
 * it. Throws CorruptDataError when it differs from what was signed.
 */
export async function readAuditHead(ctx: HeadContext): Promise<AuditPlace | null> {
  const bytes = await nullIfMissing(ctx.blobs.get('work', keys.auditHead(), { maxBytes: MAX_BYTES }));
  if (bytes === null) return null;
  try {
    return await parsed(ctx, bytes);
  } catch (error) {
    if (error instanceof CorruptDataError) throw new AuditEndError(error.message);
    throw error;
  }
}

async function parsed(ctx: HeadContext, bytes: Uint8Array): Promise<AuditPlace> {
  const { json } = await readSignedByReview(ctx, bytes, WHAT);
  const read = AuditHead.safeParse(parseStored(json, WHAT));
  if (!read.success) throw new CorruptDataError(`${WHAT} cannot be read`);
  return { sequence: read.data.sequence, hash: read.data.hash };
}

/** Writes the head. Throws TransientError. */
export async function writeAuditHead(ctx: HeadContext, { sequence, hash }: AuditPlace): Promise<void> {
  const { bytes } = await signedByReview(ctx, { schema: SCHEMA, sequence, hash });
  await ctx.blobs.put('work', keys.auditHead(), bytes, { contentType: 'application/json' });
}

/**
 * Returns the records that are missing at the end of a trail whose newest record is this one, in words; null when none is missing. The
 * second record is written only when there is a head, so a trail without a head has at most one record.
 */
export function cutOff(head: AuditPlace | null, newest: AuditPlace | null): string | null {
  const there = newest?.sequence ?? 0;
  if (head === null)
    return there > 1 ? 'the audit trail has no head, so nobody knows whether its newest records are there' : null;
  if (head.sequence > there)
    return `the audit trail ends at record ${there}, and its head names record ${head.sequence}: the records behind it are missing`;
  if (head.sequence === there && head.hash !== newest?.hash)
    return `the head of the audit trail names another record ${there}`;
  return null;
}
