/** The block list that people write at the desk, for functions that judge mail or show the list. */

import type { Context } from '../../lib/pipeline/context.ts';
import { type BlockList, blockingPolicy, createBlockList } from '../../lib/pipeline/review/block-list.ts';

type Blocks = Pick<Context, 'blobs' | 'signer'>;

const lists = new WeakMap<Context['blobs'], BlockList>();
const policies = new WeakMap<Context['blobs'], ReturnType<typeof blockingPolicy>>();

/** Makes the block list of this context. It reads only the new records of the trail. */
export function blockListOf(ctx: Blocks): BlockList {
  const list = lists.get(ctx.blobs) ?? createBlockList(ctx);
  lists.set(ctx.blobs, list);
  return list;
}

/** Returns the context with a policy that includes the current block list. Throws CorruptDataError when the list cannot be known. */
export async function withBlocked(ctx: Context): Promise<Context> {
  const blocking = policies.get(ctx.blobs) ?? blockingPolicy(ctx.policy, blockListOf(ctx));
  policies.set(ctx.blobs, blocking);
  await blocking.refresh();
  return { ...ctx, policy: blocking.policy() };
}
