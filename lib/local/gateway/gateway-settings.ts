/** Reads the options of `airlock gateway` into its settings. A wrong option causes a UsageError with the correct form. */
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { createSecureContext } from 'node:tls';
import type { DeskLanguage } from '../../desk/desk-words.ts';
import { authoritiesIn, revocationListsIn } from '../../gateway/certificates.ts';
import { DEFAULT_GATEWAY_LIMITS, GatewayLimits } from '../../gateway/limits.ts';
import { isLoopback } from '../../gateway/metrics-server.ts';
import { passwordCheck } from '../../gateway/passwords.ts';
import type {
  CertificateFiles,
  ClientCertificates,
  DoorSettings,
  HostPort,
  MilterSettings,
  NextSettings,
  NoticeSettings,
} from '../../gateway/settings.ts';
import { isPlainAddress } from '../../words/notice.ts';
import { UsageError } from '../console.ts';

const DOMAIN = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?)*$/u;

/** The written options of every verb that judges messages of a spool and sends them on. */
export interface SpoolVerbOptions {
  readonly listen?: string;
  readonly next?: string;
  readonly spool?: string;
  readonly name?: string;
  readonly client: readonly string[];
  readonly nextTls?: NextSettings['tls'];
  readonly nextCa?: string;
  readonly nextKey?: string;
  readonly nextCert?: string;
  readonly nextUser?: string;
  readonly metrics?: string;
  /** The folder of pages about mails, and their language. */
  readonly html?: string;
  readonly language?: DeskLanguage;
  readonly noticeFrom?: string;
  readonly noticeTo?: string;
  readonly limits?: string;
  /** The most processes that judge mail. */
  readonly processes?: string;
}

export interface GatewayVerbOptions extends SpoolVerbOptions {
  readonly domain: readonly string[];
  readonly xforwardFrom: readonly string[];
  readonly xclientFrom: readonly string[];
  readonly tlsKey?: string;
  readonly tlsCert?: string;
  readonly tlsRequired?: boolean;
  readonly tlsClientCa?: string;
  readonly tlsClientCrl?: string;
  readonly tlsClientRequired?: boolean;
  readonly authFile?: string;
}

export interface MilterVerbOptions extends SpoolVerbOptions {
  readonly held: MilterSettings['held'];
  readonly wait: string;
}

/** Returns the folder of the gateway. Throws UsageError that names every option without which it cannot begin. */
export function spoolOf({ listen, next, spool }: SpoolVerbOptions): string {
  if (listen !== undefined && next !== undefined && spool !== undefined) return spool;
  const needed = [
    ...(listen === undefined ? ['--listen HOST:PORT, where mail comes in'] : []),
    ...(next === undefined ? ['--next HOST:PORT, the mail server that gets what is safe'] : []),
    ...(spool === undefined ? ['--spool DIR, the folder for everything that is kept'] : []),
  ];
  throw new UsageError(`These are missing: ${needed.join('; ')}.`);
}

/** Reads where messages come in. Throws UsageError. */
export async function doorOf(options: GatewayVerbOptions): Promise<DoorSettings> {
  const { tlsKey, tlsCert, tlsRequired } = options;
  const place = placeOf('--listen', options.listen);
  const tls = tlsKey === undefined || tlsCert === undefined ? null : { keyFile: tlsKey, certFile: tlsCert };
  if (tls === null && (tlsKey !== undefined || tlsCert !== undefined || tlsRequired))
    throw new UsageError('TLS needs two files in PEM: the key (--tls-key) and the certificate (--tls-cert).');
  if (tls !== null) await checkCertificate('--tls', tls);
  const clients = await certifiedOf(options);
  if (options.authFile !== undefined && tls === null)
    throw new UsageError('--auth-file needs --tls-key and --tls-cert: passwords are taken over TLS only.');
  return {
    ...place,
    name: nameOf(options),
    clients: clientsOf(options.client),
    domains: domainsOf(options.domain),
    xforward: addressesOf('--xforward-from', options.xforwardFrom),
    xclient: addressesOf('--xclient-from', options.xclientFrom),
    tls: tls && { ...tls, isRequired: tlsRequired === true, ...(clients && { clients }) },
    authenticate: options.authFile === undefined ? null : await readPasswords(options.authFile),
  };
}

/** Returns the authorities of clients. Throws UsageError. */
async function certifiedOf(options: GatewayVerbOptions): Promise<ClientCertificates | null> {
  const { tlsKey, tlsClientCa: caFile, tlsClientCrl: crlFile, tlsClientRequired } = options;
  if (caFile === undefined && tlsClientRequired)
    throw new UsageError('--tls-client-required needs --tls-client-ca: the authorities whose certificates count.');
  if (caFile === undefined && crlFile !== undefined)
    throw new UsageError('--tls-client-crl needs --tls-client-ca: the authorities that have revoked them.');
  if (caFile === undefined) return null;
  if (tlsKey === undefined)
    throw new UsageError('--tls-client-ca needs --tls-key and --tls-cert: certificates are shown over TLS only.');
  await checkPem('--tls-client-ca', caFile, authoritiesIn);
  if (crlFile !== undefined) await checkPem('--tls-client-crl', crlFile, revocationListsIn);
  return { caFile, ...(crlFile !== undefined && { crlFile }), isRequired: tlsClientRequired === true };
}

async function checkPem(option: string, path: string, read: (text: string) => unknown): Promise<void> {
  const text = await readText(option, path);
  try {
    read(text);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${option}: ${path} cannot be used: ${error.message}.`);
    throw error;
  }
}

function nameOf({ name = hostname() }: SpoolVerbOptions): string {
  if (/^[A-Za-z0-9.-]{1,255}$/.test(name)) return name;
  throw new UsageError(`--name takes a host name, not ${JSON.stringify(name)}.`);
}

/** Senders give up after ten minutes (RFC 5321, 4.5.3.2.6). */
const MAX_WAIT_SECONDS = 540;

/** Reads where a mail server offers messages. Throws UsageError. */
export function milterDoorOf(options: MilterVerbOptions): MilterSettings {
  const { listen = '', held, wait } = options;
  const waitSeconds = /^\d{1,3}$/.test(wait) ? Number(wait) : 0;
  if (waitSeconds < 1 || waitSeconds > MAX_WAIT_SECONDS)
    throw new UsageError(`--wait takes seconds from 1 to ${MAX_WAIT_SECONDS}, not ${JSON.stringify(wait)}.`);
  const path = /^unix:(.+)$/.exec(listen)?.[1] ?? null;
  const { host, port } = path === null ? placeOf('--listen', listen) : { host: '', port: 0 };
  return {
    ...{ protocol: 'milter' as const, host, port, path, held, waitSeconds },
    name: nameOf(options),
    clients: clientsOf(options.client),
  };
}

/** Reads the people who are told of trouble. Throws UsageError. */
export function noticesOf({ noticeFrom: from, noticeTo: to }: SpoolVerbOptions): NoticeSettings | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined || !isPlainAddress(from) || !isPlainAddress(to))
    throw new UsageError('--notice-from and --notice-to belong together, and each is a plain address.');
  return { from, to };
}

/** Returns the address of the metrics. Throws UsageError. */
export function metricsOf({ metrics }: Pick<SpoolVerbOptions, 'metrics'>): HostPort | null {
  if (metrics === undefined) return null;
  const place = placeOf('--metrics', metrics);
  if (!isLoopback(place.host)) throw new UsageError('--metrics takes an address of this machine only: 127.0.0.1:PORT.');
  return place;
}

/** Reads the limits in a JSON file, which replace the shipped ones. Throws UsageError. */
export async function limitsOf({ limits }: SpoolVerbOptions): Promise<GatewayLimits> {
  if (limits === undefined) return DEFAULT_GATEWAY_LIMITS;
  const text = await readText('--limits', limits);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`The limits file ${limits} is not JSON.`);
  }
  const parsed = GatewayLimits.safeParse(json);
  const names = Object.keys(DEFAULT_GATEWAY_LIMITS);
  const unknown = Object.keys(Object(json)).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`The limits file ${limits} names ${unknown}, which is no limit of the gateway.`);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new UsageError(`The limits file ${limits} cannot be used: ${where} must be a whole number above 0.`);
}

/** The shortest prefix of a range. A wider range contains whole providers, and each of their customers could send as you. */
const SHORTEST_PREFIX = { 4: 8, 6: 32 } as const;

/** Addresses and ranges of them. Throws UsageError. */
function clientsOf(clients: readonly string[]): string[] {
  return clients.flatMap((client) => {
    const [, address = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(client) ?? [];
    const version = isIP(address);
    if (!client.includes('/')) return addressesOf('--client', [client]);
    const bits = Number(digits);
    const most = version === 4 ? 32 : 128;
    if (version === 0 || digits === '' || bits > most || address.includes('%'))
      throw new UsageError(
        `--client takes a range such as 192.0.2.0/24 or 2001:db8::/48, not ${JSON.stringify(client)}.`,
      );
    const shortest = SHORTEST_PREFIX[version as 4 | 6];
    if (bits < shortest)
      throw new UsageError(
        `--client ${client} is too wide: every machine in it may send to everybody. A range of IPv${version} has a prefix of ${shortest} or more.`,
      );
    return [client];
  });
}

/** Writes addresses as a connection shows them. An address in another notation is then found, too. */
function addressesOf(flag: string, addresses: readonly string[]): string[] {
  return addresses.map((address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    if (isIP(plain) === 4) return plain;
    if (isIP(plain) === 6 && !plain.includes('%')) return new URL(`http://[${plain}]`).hostname.slice(1, -1);
    throw new UsageError(
      `${flag} takes IP addresses, each for itself, not ${JSON.stringify(address)}: names and ranges are not looked up.`,
    );
  });
}

function domainsOf(domains: readonly string[]): string[] {
  const odd = domains.find((domain) => !DOMAIN.test(domain));
  if (odd !== undefined)
    throw new UsageError(
      `--domain takes a domain such as example.com, not ${JSON.stringify(odd)}. Each subdomain is named for itself.`,
    );
  return domains.map((domain) => domain.toLowerCase());
}

/** Reads `HOST:PORT`, `[IPV6]:PORT`, each with or without `smtp:` or `lmtp:` in front. Throws UsageError. */
export function placeOf(flag: string, text: string | undefined): HostPort & { readonly protocol: 'smtp' | 'lmtp' } {
  const [, protocol = 'smtp', bracketed, plain, port = ''] =
    /^(?:(smtp|lmtp):)?(?:\[([0-9A-Za-z:.-]+)\]|([0-9A-Za-z.-]+)):(\d{1,5})$/.exec(text ?? '') ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535)
    throw new UsageError(
      `${flag} takes HOST:PORT, for example 127.0.0.1:10025 or lmtp:[::1]:24, not ${JSON.stringify(text ?? '')}.`,
    );
  return { protocol: protocol as 'smtp' | 'lmtp', host, port: Number(port) };
}

/**
 * Checks a key and a certificate. `options` begins the names of their options. Throws UsageError when the files do not contain them, or when
 * they do not fit together.
 */
export async function checkCertificate(
  options: '--tls' | '--next',
  { keyFile, certFile }: CertificateFiles,
): Promise<void> {
  const [key, cert] = [await readText(`${options}-key`, keyFile), await readText(`${options}-cert`, certFile)];
  try {
    createSecureContext({ key, cert });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${keyFile} and ${certFile} are no key and certificate that fit together (${why}).`);
  }
}

async function readPasswords(path: string): Promise<(name: string, password: string) => Promise<boolean>> {
  try {
    return passwordCheck(await readText('--auth-file', path));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(
      `The file ${path} cannot be used: ${error.message}. "airlock gateway password" makes such lines.`,
    );
  }
}

export async function readText(flag: string, path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${flag}: ${path} cannot be read (${error.code ?? error.message}).`);
  });
}
