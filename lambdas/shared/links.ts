/** The signed links of recipients. Each context reads their secret once, so a new secret counts within a quarter of an hour. */
import { type LinkSigner, linkSigner, publishLinkKey } from '../../lib/desk/recipients/links.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { ConfigError } from '../../lib/pipeline/errors.ts';
import { setting } from './runtime.ts';
import { secretValue } from './secrets.ts';

/** A person who guesses a short secret can sign links. */
const SHORTEST_SECRET = 32;

const known = new WeakMap<Context, Promise<LinkSigner>>();

/** Returns the signer of links once its public key is published. Throws ConfigError when the secret cannot be read, TransientError. */
export async function linksOf(ctx: Context): Promise<LinkSigner> {
  const links = known.get(ctx) ?? published(ctx);
  known.set(ctx, links);
  try {
    return await links;
  } catch (error) {
    // A failed start is not remembered: the next invocation tries again.
    known.delete(ctx);
    throw error;
  }
}

async function published({ blobs }: Context): Promise<LinkSigner> {
  const links = signerWith(await secretValue(setting('AIRLOCK_LINKS_SECRET')));
  await publishLinkKey(blobs, links);
  return links;
}

function signerWith(secret: string): LinkSigner {
  if (secret.length >= SHORTEST_SECRET) return linkSigner(secret);
  throw new ConfigError('the environment', [
    `the secret of the links has ${secret.length} characters, and needs at least ${SHORTEST_SECRET}`,
  ]);
}
