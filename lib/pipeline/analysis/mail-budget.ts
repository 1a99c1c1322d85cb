/**
 * The budget of one mail for an analysis. Each place is an object that is written once and names its file. So the budget also counts for
 * repeated stages, for stages that run twice at once, and for later attempts. Another request about the same file needs no other place.
 */
import type { StoreContext } from '../context.ts';
import { keys } from '../keys.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Kind } from '../model.ts';
import { nullIfMissing } from '../null-if-missing.ts';

export interface MailBudget {
  /** Returns true when the file has a place, or one is free. */
  hasRoom(id: string): boolean;
  /** Takes a place for the file, unless it has one. Returns false when none is left. Throws TransientError. */
  take(id: string): Promise<boolean>;
}

/** Longer than the id of any file. */
const MAX_ID_BYTES = 1_024;

/** Makes the budget of the mail of this ledger. A limit of null has room for everything. Throws TransientError. */
export async function mailBudget(
  ctx: StoreContext,
  { runId }: Pick<Ledger, 'runId'>,
  kind: Kind,
  limit: number | null,
): Promise<MailBudget> {
  if (limit === null) return { hasRoom: () => true, take: async () => true };
  const key = (place: number) => keys.mailBudgetPlace(kind, runId, place);
  const ids: string[] = [];
  while (ids.length < limit) {
    const id = await idAt(ctx, key(ids.length + 1));
    if (id === null) break;
    ids.push(id);
  }
  const hasRoom = (id: string) => ids.includes(id) || ids.length < limit;
  return {
    hasRoom,
    async take(id) {
      while (hasRoom(id)) {
        if (ids.includes(id)) return true;
        const place = key(ids.length + 1);
        const isMine = await ctx.blobs.put('work', place, new TextEncoder().encode(id), { ifAbsent: true });
        // A stage of the same mail that runs at the same time took this place first.
        ids.push(isMine ? id : ((await idAt(ctx, place)) ?? ''));
      }
      return false;
    },
  };
}

/** Returns the id of the artifact that took this place of the budget; null when the place is free. */
async function idAt({ blobs }: StoreContext, key: string): Promise<string | null> {
  const bytes = await nullIfMissing(blobs.get('work', key, { maxBytes: MAX_ID_BYTES }));
  return bytes && new TextDecoder().decode(bytes);
}
