/** The request of a recipient for a held message. It decides nothing, and people see it at the desk. */
import * as z from 'zod/mini';
import { isPlainAddress } from '../../words/notice.ts';
import { RunId } from '../ledger/run-id.ts';

export const MAX_ASK_LENGTH = 500;

export const Ask = z.strictObject({
  schema: z.literal('mail-airlock/ask/1'),
  runId: RunId,
  recipient: z.string().check(z.refine(isPlainAddress, 'must be a plain address')),
  /** The words of the recipient. */
  untrustedWhy: z.string().check(z.maxLength(MAX_ASK_LENGTH)),
  at: z.iso.datetime(),
});
export type Ask = z.infer<typeof Ask>;
