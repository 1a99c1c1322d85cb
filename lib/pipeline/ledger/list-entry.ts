/** One entry of a list of the operator, as the list gives it and as the ledger keeps it. */
import * as z from 'zod/mini';
import { Text } from './fields.ts';

/** The verdicts of a list. `allow` makes suspicious and unknown artifacts benign, unless an analysis failed (listed.ts). */
export const LISTED_VERDICTS = ['malicious', 'suspicious', 'allow'] as const;

export const ListEntry = z.object({
  kind: z.enum(['sha256', 'domain', 'url']),
  /** A hash in small letters, a host as the WHATWG parser writes it, or the beginning of an address. */
  value: Text,
  verdict: z.enum(LISTED_VERDICTS),
  /** The source of the entry, its first valid day, and the reason. */
  source: Text,
  since: Text,
  reason: Text,
  /** Name of the list, and number of the line. */
  list: Text,
  line: z.int().check(z.positive()),
});
export type ListEntry = z.infer<typeof ListEntry>;
