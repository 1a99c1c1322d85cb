/** The record of a message that went out while some of its files were still examined. */
import * as z from 'zod/mini';
import { Sha256, StoredBytes, Time } from './fields.ts';

export const Early = z.object({
  at: Time,
  /** The written message, and the same with an ARC set in front; the latter is absent when it was not sealed. */
  rebuilt: StoredBytes,
  sealed: z.optional(StoredBytes),
  /** Every leaf in document order: what stands there, and whether that is a page in the place of a file that was still examined. */
  leaves: z.array(z.object({ path: z.string(), sha256: Sha256, isLater: z.boolean() })),
});
export type Early = z.infer<typeof Early>;
