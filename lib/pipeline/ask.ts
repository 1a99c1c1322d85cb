/** That a recipient asks for a held message. It decides nothing: people see it at the desk. */
import * as z from 'zod/mini';
import { isPlainAddress } from '../words/notice.ts';

export const LONGEST_ASK = 500;

export const Ask = z.strictObject({
  schema: z.literal('mail-airlock/ask/1'),
  runId: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  recipient: z.string().check(z.refine(isPlainAddress, 'must be a plain address')),
  /** The words of the recipient. */
  untrustedWhy: z.string().check(z.maxLength(LONGEST_ASK)),
  at: z.iso.datetime(),
});
export type Ask = z.infer<typeof Ask>;
