/** The list of the operator in the work bucket (`lists/lists.txt`), for the function that decides. */
import type { Context } from '../../lib/pipeline/context.ts';
import { NotFoundError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { parseOperatorList } from '../../lib/pipeline/policy/operator-list.ts';
import { type LookedUp, lookUp } from '../../lib/pipeline/policy/operator-lists.ts';

/** A changed list counts within this time. Reading it for each mail would cost a function the transfer of megabytes. */
const LIFETIME_MS = 60_000;
/** The function has 512 MB of memory. */
const MAX_BYTES = 16 * 1024 * 1024;

interface Known {
  readonly readAt: number;
  readonly lists: LookedUp | undefined;
}

const known = new WeakMap<Context['blobs'], Known>();

/**
 * Returns the context with the list of the operator. Throws ConfigError when the list has a fault, because nobody then knows what to keep
 * out.
 */
export async function withLists(ctx: Context): Promise<Context> {
  const now = ctx.clock.now();
  const before = known.get(ctx.blobs);
  if (before !== undefined && now - before.readAt < LIFETIME_MS) return { ...ctx, lists: before.lists };
  const lists = await read(ctx);
  known.set(ctx.blobs, { readAt: now, lists });
  return { ...ctx, lists };
}

async function read({ blobs }: Context): Promise<LookedUp | undefined> {
  const key = keys.operatorLists();
  try {
    const text = Buffer.from(await blobs.get('work', key, { maxBytes: MAX_BYTES })).toString('utf8');
    return lookUp(parseOperatorList(key, text));
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
