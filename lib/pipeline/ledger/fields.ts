/** Fields that the ledger, its artifacts, its entries and the event of its end share. */
import * as z from 'zod/mini';

/** Every function builds the schema of the ledger when it starts, so its fields share these. */
export const Text = z.string();
export const Texts = z.array(Text);
export const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
export const Count = z.int().check(z.nonnegative());
export const Time = z.iso.datetime();
/** Bytes in a bucket. */
export const StoredBytes = z.object({ sha256: Sha256, size: Count });
