/** The record of a message that went out while some of its files were still being analysed. */
import * as z from 'zod/mini';
import { Sha256, StoredBytes, Text, Time } from './fields.ts';

export const Early = z.object({
  at: Time,
  /** The written message, and the same message with an ARC set in front. The latter is absent when it was not sealed. */
  rebuilt: StoredBytes,
  sealed: z.optional(StoredBytes),
  /** Every leaf in document order: its content, and whether that is a page instead of a file that was still being analysed. */
  leaves: z.array(z.object({ path: Text, sha256: Sha256, isLater: z.boolean() })),
});
export type Early = z.infer<typeof Early>;
