/** The options and the help of `airlock backfill`. */
import { type Command, Option } from 'commander';
import type { Console } from '../console.ts';
import type { BackfillVerbOptions } from './backfill-verb.ts';

/** Adds the verb to the program. */
export function addBackfill(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('backfill')
    .description('send what is already in a bucket through the airlock of a deployment')
    .argument('<place>', 's3://BUCKET/PREFIX: the intake bucket, or a source of the airlock')
    .option('--queue <url>', 'the intake queue: the output IntakeQueue of the stack')
    .option('--rate <number>', 'so many objects a second', '5')
    .option('--inventory <manifest>', 'take the objects from a report of S3 Inventory: s3://BUCKET/…/manifest.json')
    .addOption(
      new Option('--versions <which>', 'with --inventory: versions that were replaced, too')
        .choices(['newest', 'all'])
        .default('newest'),
    )
    .option('--notes <file>', 'where it is noted how far it came', 'airlock-backfill.json')
    .option('--dry-run', 'only count the objects, and say how long it takes and what it costs')
    .option('--json', 'print one JSON line')
    .addHelpText(
      'after',
      `
Objects in their newest version are handed over in the order of their keys, as if they had just been uploaded. When the bucket has versions,
what was scanned before is not scanned again. A process that is stopped or killed goes on where it was when the same command is given again.

It needs s3:ListBucketVersions on the bucket and sqs:SendMessage on the queue. It reads no object.

With --inventory nothing is listed: it needs s3:GetObject on the report instead, in CSV with the fields size, ETag and storage class. What has been
deleted since the report is left out, as far as S3 lets the caller see that.

Exit codes: 0 all was handed over, 2 wrong usage, 3 it failed or was stopped.

Examples:
  airlock backfill --dry-run s3://uploads/in/
  airlock backfill --rate 20 --queue https://sqs.eu-central-1.amazonaws.com/111122223333/Queue s3://uploads/in/
  airlock backfill --dry-run --inventory s3://reports/uploads/daily/2026-11-22T01-00Z/manifest.json s3://uploads/in/`,
    )
    .action(async (place: string, options: BackfillVerbOptions) => {
      // The clients of AWS are loaded only where they are used.
      const { backfillVerb } = await import('./backfill-verb.ts');
      done(await backfillVerb(console, place, options));
    });
}
