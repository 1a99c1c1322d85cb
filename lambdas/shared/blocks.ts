/** The block list of people, for functions that judge or show it. */

import type { Context } from '../../lib/pipeline/context.ts';
import { type BlockList, blockingPolicy, createBlockList } from '../../lib/pipeline/review/block-list.ts';

type Blocks = Pick<Context, 'blobs' | 'signer'>;

const lists = new WeakMap<Context['blobs'], BlockList>();
const policies = new WeakMap<Context['blobs'], ReturnType<typeof blockingPolicy>>();

/** The list of this context, which reads only what is new in the trail. */
export function blockListOf(ctx: Blocks): BlockList {
  const list = lists.get(ctx.blobs) ?? createBlockList(ctx);
  lists.set(ctx.blobs, list);
  return list;
}

/** The context with a policy that also blocks what is blocked now. Throws CorruptDataError when nobody knows what that is. */
export async function withBlocked(ctx: Context): Promise<Context> {
  const blocking = policies.get(ctx.blobs) ?? blockingPolicy(ctx.policy, blockListOf(ctx));
  policies.set(ctx.blobs, blocking);
  await blocking.refresh();
  return { ...ctx, policy: blocking.policy() };
}
