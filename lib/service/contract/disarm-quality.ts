/** The measurements that the service made of a sanitized file before it returned it. They are our addition to the interface. */
import * as z from 'zod';
import { listOf, orNull } from './common.ts';

export const DisarmQuality = z
  .object({
    strategy: z.string().describe('How the file was made: `rebuild`, or another way because a rebuild failed.'),
    words: orNull(z.object({ before: z.number(), kept: z.number() })).describe(
      'Words that a reader sees in the original, and how many of them the sanitized file has. Null when they cannot be counted.',
    ),
    units: orNull(z.object({ kind: z.string(), before: z.number(), after: z.number() })).describe(
      'pages, sheets or slides. Null for formats without, and where the original cannot be counted.',
    ),
    sizeRatio: z.number().describe('Size of the sanitized file divided by the size of the original.'),
    checks: listOf(z.string()).describe('The checks that were made. Nothing else was checked.'),
  })
  .describe('What an independent inspection of the sanitized file measured.');
export type DisarmQuality = z.infer<typeof DisarmQuality>;
