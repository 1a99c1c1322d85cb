/** The record of a delivered file that a later analysis judged worse. It decides nothing, and is for people. */
import * as z from 'zod/mini';
import type { StoreContext } from '../context.ts';
import { NotFoundError } from '../errors.ts';
import { keys } from '../keys.ts';
import { Sha256 } from '../ledger/fields.ts';
import { VERDICTS } from '../model.ts';
import { safeJson } from '../safe-text.ts';

export const Worse = z.strictObject({
  schema: z.literal('mail-airlock/worse/1'),
  sha256: Sha256,
  before: z.enum(VERDICTS),
  after: z.enum(VERDICTS),
  untrustedReasons: z.array(z.string()),
  /** The source: the service, and the versions of its engines if it tells them. */
  engines: z.string(),
  at: z.iso.datetime(),
});
export type Worse = z.infer<typeof Worse>;

const MAX_BYTES = 100_000;
const NAME = /^([0-9a-f]{64})\.json$/;

/** Returns the hashes of the files in the names of these records. Other names are left out. */
export const hashesIn = (names: readonly string[]): string[] => names.flatMap((name) => NAME.exec(name)?.[1] ?? []);
type Stores = Pick<StoreContext, 'blobs'>;

/** Returns the record of the file; null when there is none, or when it cannot be read. */
export async function worseOfFile({ blobs }: Stores, sha256: string): Promise<Worse | null> {
  try {
    const bytes = await blobs.get('work', keys.worse(sha256), { maxBytes: MAX_BYTES });
    return Worse.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Writes the record. It replaces an earlier record of the file. */
export async function noteWorse({ blobs }: Stores, worse: Worse): Promise<void> {
  await blobs.put('work', keys.worse(worse.sha256), new TextEncoder().encode(safeJson(worse)));
}
