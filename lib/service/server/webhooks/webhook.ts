/**
 * Telling a caller's URL that a result is there. The URL is the caller's, so this is a request made for a stranger: the name
 * is resolved once, the address is judged, and the connection goes to that very address (a second lookup could answer
 * otherwise: DNS rebinding). Redirects are not followed, the answer's body is not read.
 */
import { lookup as lookupName } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPublicAddress } from '../../../engines/url/visit/public-address.ts';

/** Milliseconds before each attempt; their number bounds the attempts. */
export const WEBHOOK_DELAYS_MS = [0, 1_000, 5_000, 30_000, 120_000] as const;
/** A receiver that accepts the connection and never answers. */
const ATTEMPT_TIMEOUT_MS = 10_000;

/** What became of one delivery. `refused`: the URL may not be called, which no retry changes. */
export type WebhookOutcome = 'delivered' | 'failed' | 'refused';

export interface WebhookDeps {
  /** Also call private, loopback and link-local addresses. @default false */
  readonly allowPrivateAddresses?: boolean;
  /** Every address of a name. @default the system's resolver */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Waits between attempts. @default a timer */
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** One POST to a checked address; resolves with the status. @default node:http and node:https */
  readonly post?: (url: URL, address: string, body: string, signal: AbortSignal) => Promise<number>;
}

/** Sends `{resultId}` once, with retries. Never rejects. `signal` ends waiting and sending early, as `failed`. */
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

/** A URL that can be called: http or https, no credentials in it. Null for any other text. */
export function webhookUrl(untrustedUrl: string): URL | null {
  if (!URL.canParse(untrustedUrl)) return null;
  const url = new URL(untrustedUrl);
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
    // Looked up anew for every attempt: a name may move between them, but never between its check and its call.
    const addresses = await resolve(url.hostname.replace(/^\[|\]$/g, ''));
    const [address] = addresses;
    if (address === undefined) return 'failed';
    // One private address among public ones is enough to refuse: a receiver has no reason to be both.
    if (!deps.allowPrivateAddresses && !addresses.every(isPublicAddress)) return 'refused';
    const status = await post(url, address, body, AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]));
    return status >= 200 && status < 300 ? 'delivered' : 'failed';
  } catch {
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
      // No pooled connection: it could lead to an address that was checked for another URL.
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
