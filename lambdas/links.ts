/** The links of recipients: the secret behind them is read once for each context, so that another one counts within a quarter of an hour. */
import { createLinks, type Links } from '../lib/desk/links.ts';
import type { Context } from '../lib/pipeline/context.ts';
import { ConfigError } from '../lib/pipeline/errors.ts';
import { setting } from './runtime.ts';
import { secretValue } from './secrets.ts';

/** Whoever guesses a short secret can sign links. */
const SHORTEST_SECRET = 32;

const known = new WeakMap<Context, Promise<Links>>();

/** Throws ConfigError when the secret cannot be read, TransientError. */
export async function linksOf(ctx: Context): Promise<Links> {
  const links = known.get(ctx) ?? secretValue(setting('AIRLOCK_LINKS_SECRET')).then(linksWith);
  known.set(ctx, links);
  try {
    return await links;
  } catch (error) {
    // A failed start is not remembered: the next invocation tries again.
    known.delete(ctx);
    throw error;
  }
}

function linksWith(secret: string): Links {
  if (secret.length >= SHORTEST_SECRET) return createLinks(secret);
  throw new ConfigError('the environment', [
    `the secret of the links has ${secret.length} characters, and needs at least ${SHORTEST_SECRET}`,
  ]);
}
