/**
 * Tells the URL of a caller that a result exists. The caller chose the URL, so this is a request for a stranger. The name is resolved once,
 * the address is checked, and the connection goes to that address, because a second lookup could give another one (DNS rebinding).
 * Redirects are not followed, and the body of the answer is not read.
 */

import { lookup as lookupName } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPublicAddress } from '../../../engines/url/visit/public-address.ts';
import { parseUrl } from '../../../formats/urls/parse-url.ts';

/** The milliseconds before each attempt. There are as many attempts as delays. */
export const WEBHOOK_DELAYS_MS = [0, 1_000, 5_000, 30_000, 120_000] as const;
/** The most milliseconds of one attempt. A receiver can accept the connection and never answer. */
const ATTEMPT_TIMEOUT_MS = 10_000;

/** The outcome of one delivery. `refused` means that the URL may not be called, which no other attempt changes. */
export type WebhookOutcome = 'delivered' | 'failed' | 'refused';

export interface WebhookDeps {
  /** True allows private, loopback and link-local addresses. @default false */
  readonly allowPrivateAddresses?: boolean;
  /** Returns every address of a name. @default the system's resolver */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Waits between attempts. @default a timer */
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns one POST to a checked address; resolves with the status. @default node:http and node:https */
  readonly post?: (url: URL, address: string, body: string, signal: AbortSignal) => Promise<number>;
}

/** Sends `{resultId}` once, with several attempts. Never rejects. `signal` ends it early as `failed`. */
export async function sendWebhook(
  deps: WebhookDeps,
  untrustedUrl: string,
  resultId: string,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const url = webhookUrl(untrustedUrl);
  if (!url) return 'refused';
  const body = JSON.stringify({ resultId });
  for (const delayMs of WEBHOOK_DELAYS_MS) {
    const outcome = await attempt(deps, url, body, delayMs, signal);
    if (outcome !== 'failed' || signal.aborted) return outcome;
  }
  return 'failed';
}

/** Returns the URL if it can be called: http or https, without credentials. Returns null for any other text. */
export function webhookUrl(untrustedUrl: string): URL | null {
  const url = parseUrl(untrustedUrl);
  if (url === null) return null;
  const isCallable = url.protocol === 'https:' || url.protocol === 'http:';
  return isCallable && url.username === '' && url.password === '' ? url : null;
}

async function attempt(
  deps: WebhookDeps,
  url: URL,
  body: string,
  delayMs: number,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const { resolve = resolveAll, delay = wait, post = postTo } = deps;
  try {
    if (delayMs > 0) await delay(delayMs, signal);
    // The name is resolved again for every attempt. It may change between attempts, but not between its check and its call.
    const addresses = await resolve(url.hostname.replace(/^\[|\]$/g, ''));
    const [address] = addresses;
    if (address === undefined) return 'failed';
    // One private address among public ones is enough to refuse, because no receiver needs both.
    if (!deps.allowPrivateAddresses && !addresses.every(isPublicAddress)) return 'refused';
    const status = await post(url, address, body, AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]));
    return status >= 200 && status < 300 ? 'delivered' : 'failed';
  } catch {
    // The name does not resolve, or the connection failed. Another attempt may work.
    return 'failed';
  }
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname];
  return (await lookupName(hostname, { all: true, verbatim: true })).map(({ address }) => address);
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false });
}

/** POSTs to `address`, with the name of the URL in Host and, for https, in the certificate check. */
function postTo(url: URL, address: string, body: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const family = isIP(address);
    const request = send(url, {
      method: 'POST',
      signal,
      // No connection is reused, because it could lead to an address that was checked for another URL.
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      lookup: (_hostname, options, callback) => {
        if (options.all) callback(null, [{ address, family }]);
        else callback(null, address, family);
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.end(body);
  });
}
