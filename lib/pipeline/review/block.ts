/** The things that people block: a file by its hash, a link, a host of links, or a sender. */
import * as z from 'zod/mini';
import type { Policy } from '../policy/policy.ts';

export const BLOCK_KINDS = ['file', 'url', 'host', 'sender'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

export const Block = z.strictObject({ kind: z.enum(BLOCK_KINDS), value: z.string().check(z.maxLength(8_192)) });
export type Block = z.infer<typeof Block>;

/** Returns the policy that also includes these blocks. */
export function withBlocks(policy: Policy, blocks: readonly Block[]): Policy {
  if (blocks.length === 0) return policy;
  const added = (kind: BlockKind) => blocks.filter((block) => block.kind === kind).map(({ value }) => value);
  const { files, urls, hosts, senders } = policy.blocked;
  const blocked = {
    files: [...files, ...added('file')],
    urls: [...urls, ...added('url')],
    hosts: [...hosts, ...added('host')],
    senders: [...senders, ...added('sender')],
  };
  return { ...policy, blocked };
}
