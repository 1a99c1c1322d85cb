/** The proof of a delivery: the chain of its run, beside the message, and the public keys that verify the chain. */

import type { StoreContext } from '../context.ts';
import { keys } from '../keys.ts';
import type { Writer } from '../model.ts';
import type { Chain } from './chain.ts';
import { chainText } from './chain-text.ts';
import type { VerifyingKey } from './ed25519.ts';

const JSON_OBJECT = { contentType: 'application/json', tags: { airlock: 'evidence' } } as const;

/** Keys that this process has copied. A signer forgets its keys from time to time, so they are copied anew before they age out. */
const COPIED = new WeakSet<VerifyingKey>();

/** Writes the chain under a key of the clean bucket, and the keys that it relies on. */
export async function writeEvidence(ctx: StoreContext, { lines, entries }: Chain, key: string): Promise<void> {
  for (const [index, { keyId }] of lines.entries()) await copyKey(ctx, entries[index]?.stage as Writer, keyId);
  await ctx.blobs.put('clean', key, chainText(lines), JSON_OBJECT);
}

async function copyKey(ctx: StoreContext, stage: Writer, keyId: string): Promise<void> {
  const key = await ctx.signer.publicKey(stage, keyId);
  if (key === null || COPIED.has(key)) return;
  await ctx.blobs.put('clean', keys.publicKey(stage, keyId), key.document, JSON_OBJECT);
  COPIED.add(key);
}
