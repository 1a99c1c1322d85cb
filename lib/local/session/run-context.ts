/** The context for reading the runs below a folder. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readLedger } from '../../pipeline/chain/ledger-store.ts';
import type { StoreContext } from '../../pipeline/context.ts';
import { NotFoundError } from '../../pipeline/errors.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { RUN_ID } from '../../pipeline/ledger/run-id.ts';
import { DEFAULT_LIMITS } from '../../pipeline/limits.ts';
import { type DirectoryBlobs, directoryBlobs } from '../../storage/directory/directory.ts';
import { createSigner } from '../../storage/signer.ts';
import { fileSecrets } from '../../storage/stage-secrets.ts';
import { UsageError } from '../console.ts';

/** Opens stores below a folder. Throws UsageError when it has no runs. */
export function contextOf(out: string): StoreContext & { readonly blobs: DirectoryBlobs } {
  checkFolder(out);
  return storesOf(out);
}

/** Does the same for a folder that may not have runs yet. */
export function storesOf(out: string): StoreContext & { readonly blobs: DirectoryBlobs } {
  const blobs = directoryBlobs(out);
  const signer = createSigner({ blobs, secretOf: fileSecrets(out) });
  const log = { info: () => {}, warn: () => {} };
  return { blobs, signer, limits: DEFAULT_LIMITS, clock: { now: () => Date.now() }, log };
}

/** Checks the folder. Throws UsageError when it has no runs. */
export function checkFolder(out: string): void {
  if (!existsSync(join(out, 'work', 'runs')))
    throw new UsageError(`${out} has no runs. Name the folder of airlock scan with --out.`);
}

/** Returns true when a run exists below a folder. */
export const hasRun = (out: string, runId: string): boolean => existsSync(join(out, 'work', 'runs', runId));

/** Returns the ids of all runs below a folder. */
export async function* namesOfRuns(out: string): AsyncGenerator<string> {
  for (const name of await readdir(join(out, 'work', 'runs'))) if (RUN_ID.test(name)) yield name;
}

/**
 * Returns the ledger of the newest attempt of a run; null when there is no such run. Throws CorruptDataError when its chain was changed.
 */
export async function ledgerIfAny(ctx: StoreContext, runId: string): Promise<Ledger | null> {
  try {
    return await readLedger(ctx, runId);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
