/** The ledger of a run, for pages. */

import { readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import type { StoreContext } from '../../lib/pipeline/context.ts';
import { NotFoundError } from '../../lib/pipeline/errors.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';

/** Returns null when there is no such run. Throws CorruptDataError when its chain was changed, TransientError. */
export const ledgerIn =
  (ctx: StoreContext) =>
  (runId: string): Promise<Ledger | null> =>
    readLedger(ctx, runId).catch((error: unknown) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    });
