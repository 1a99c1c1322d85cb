/** Finds the addresses of a host, and whether they may be called. The connection goes to the checked address, without a second lookup. */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ADDRESSES, LOOKUP_MS } from './limits.ts';
import { isPublicAddress } from './public-address.ts';

export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

export type Resolved =
  | { readonly outcome: 'public'; readonly addresses: readonly [string, ...string[]] }
  | { readonly outcome: 'not-public' | 'unresolved'; readonly addresses: readonly string[] };

/**
 * Resolves the host of a URL as the WHATWG parser gives it. The parser has turned numbers in every spelling into addresses. When one
 * address is not public, none may be called. `allowed` are addresses that only tests may call.
 */
export async function resolveHost(
  hostname: string,
  resolve: Resolve,
  allowed: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Resolved> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(literal) ? [literal] : await answerWithin(resolve(hostname, signal), signal);
  const [first, ...others] = addresses;
  if (first === undefined) return { outcome: 'unresolved', addresses: [] };
  const isAllowed =
    addresses.length <= ADDRESSES && addresses.every((found) => isPublicAddress(found) || allowed.has(found));
  return isAllowed ? { outcome: 'public', addresses: [first, ...others] } : { outcome: 'not-public', addresses };
}

/** Looks up a name. Rejects when there is no answer in time, because a name server of the attacker may never answer. */
async function answerWithin(answer: Promise<readonly string[]>, signal: AbortSignal): Promise<readonly string[]> {
  const late = new Promise<readonly string[]>((resolve) => {
    if (signal.aborted) resolve([]);
    signal.addEventListener('abort', () => resolve([]), { once: true });
  });
  return await Promise.race([answer.catch(() => []), late]);
}

/** Asks the name servers of this machine, for IPv4 first. Private names in its hosts file are not found. */
export async function resolveByDns(hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: LOOKUP_MS / 2, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
