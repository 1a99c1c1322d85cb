/** Reads the options of `airlock serve` for listening, and reports their faults. */
import { isIP } from 'node:net';
import { parseUrl } from '../formats/urls/parse-url.ts';
import { certificatesOf } from '../gateway/certificates.ts';
import { isLoopback } from '../gateway/metrics-server.ts';
import type { HostPort } from '../gateway/settings.ts';
import type { CertificateSource } from '../service/server/http/open-server.ts';
import { type TrustedProxies, trustedProxies } from '../service/server/http/peer.ts';
import { UsageError } from './console.ts';
import { checkCertificate, metricsOf } from './gateway/gateway-settings.ts';
import { portIn } from './options/port.ts';

export interface ListenOptions {
  readonly port: string;
  readonly host?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly trustProxy?: readonly string[];
  readonly metrics?: string;
  readonly drain?: string;
  readonly deskUrl?: string;
}

export interface ListenSettings {
  readonly host: string;
  readonly port: number;
  readonly tls?: CertificateSource;
  readonly proxies?: TrustedProxies;
  /** Null when no address is set. */
  readonly metrics: HostPort | null;
  readonly drainMs: number;
  readonly deskUrl?: string;
}

/** The longest time that a load balancer needs to notice, in seconds. */
const MAX_DRAIN_SECONDS = 600;

/** Reads the options. Throws UsageError for an option that cannot be used, and when keys and mail would cross the network unencrypted. */
export async function listenSettings(options: ListenOptions): Promise<ListenSettings> {
  const host = options.host ?? '127.0.0.1';
  if (isIP(host) === 0 && host !== 'localhost')
    throw new UsageError(`--host takes an address of this machine, for example 0.0.0.0, not ${JSON.stringify(host)}.`);
  const port = portIn(options.port);
  const tls = await tlsOf(options);
  const proxies = proxiesOf(options.trustProxy);
  if (!isLoopback(host) && !tls && !proxies)
    throw new UsageError(
      `Over plain HTTP others can read keys and files. For --host ${host} give --tls-cert and --tls-key, or name the proxy that speaks TLS with --trust-proxy.`,
    );
  const { drain = '0', deskUrl } = options;
  return {
    host,
    port,
    ...(tls && { tls }),
    ...(proxies && { proxies }),
    metrics: metricsOf(options),
    drainMs: secondsIn(drain) * 1_000,
    ...(deskUrl !== undefined && { deskUrl: webUrl(deskUrl) }),
  };
}

function secondsIn(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,9}$/.test(text) && seconds <= MAX_DRAIN_SECONDS) return seconds;
  throw new UsageError(`--drain takes seconds from 0 to ${MAX_DRAIN_SECONDS}, not ${JSON.stringify(text)}.`);
}

async function tlsOf({ tlsCert, tlsKey }: ListenOptions): Promise<CertificateSource | null> {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError(
      '--tls-cert and --tls-key go together: the certificate with its chain, and its private key (PEM).',
    );
  await checkCertificate('--tls', { keyFile: tlsKey, certFile: tlsCert });
  return certificatesOf({ certFile: tlsCert, keyFile: tlsKey });
}

function proxiesOf(ranges: readonly string[] | undefined): TrustedProxies | null {
  if (ranges === undefined) return null;
  try {
    return trustedProxies(ranges);
  } catch (error) {
    throw new UsageError(`--trust-proxy takes addresses and ranges such as 10.0.0.0/8: ${(error as Error).message}.`);
  }
}

function webUrl(text: string): string {
  if (/^https?:\/\/./.test(text) && parseUrl(text) !== null) return text;
  throw new UsageError(
    `--desk-url takes the address of the desk, for example https://desk.example/, not ${JSON.stringify(text)}.`,
  );
}
