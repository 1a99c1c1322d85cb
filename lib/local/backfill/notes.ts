/** The progress of a backfill, in a file, so that a repetition after a stop or kill continues there. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { Count } from '../../pipeline/ledger/fields.ts';
import { UsageError } from '../console.ts';

const SCHEMA = 'mail-airlock/backfill/1';

const Notes = z.object({
  schema: z.literal(SCHEMA),
  bucket: z.string(),
  prefix: z.string(),
  queue: z.string(),
  /** The report of S3 Inventory that is read, and its kind of versions; null when the bucket is listed. */
  inventory: z._default(z.nullable(z.string()), null),
  /** The position of the last queued object; null at the beginning. */
  after: z.nullable(z.string()),
  counts: z.object({
    objects: Count,
    bytes: Count,
    tooLarge: Count,
    archived: Count,
    folders: Count,
    gone: z._default(Count, 0),
  }),
  isComplete: z.boolean(),
});
export type BackfillNotes = Omit<z.infer<typeof Notes>, 'schema'>;

/** The place of the backfill. Notes about another place are refused. */
export type BackfillPlace = Pick<BackfillNotes, 'bucket' | 'prefix' | 'queue' | 'inventory'>;

/** Returns the notes in the file, or null when there is no file. Throws UsageError when it is something else, or about another place. */
export function readBackfillNotes(file: string, place: BackfillPlace): BackfillNotes | null {
  const text = textOf(file);
  if (text === null) return null;
  const { success, data } = Notes.safeParse(jsonIn(text));
  if (!success) throw new UsageError(`${file} is not the notes of a backfill. Name another file with --notes.`);
  const { bucket, prefix, queue, inventory } = data;
  const isHere = bucket === place.bucket && prefix === place.prefix && queue === place.queue;
  if (isHere && inventory === place.inventory) return data;
  const other = `s3://${bucket}/${prefix}${inventory === null ? '' : ` by ${inventory}`} for the queue ${queue}`;
  throw new UsageError(`${file} has the notes of a backfill of ${other}. Name another file with --notes.`);
}

/** Replaces the file as one step. Throws UsageError when it cannot be written. */
export function writeBackfillNotes(file: string, notes: BackfillNotes): void {
  const partial = `${file}.partial`;
  try {
    writeFileSync(partial, `${JSON.stringify({ schema: SCHEMA, ...notes })}\n`, { mode: 0o600 });
    renameSync(partial, file);
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${codeOf(error)}). Name another file with --notes.`);
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new UsageError(`${file} cannot be read (${codeOf(error)}). Name another file with --notes.`);
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);
