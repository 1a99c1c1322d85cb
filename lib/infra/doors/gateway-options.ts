import type { GatewayServiceProps } from './gateway-service-props.ts';

/** The port of the gateway in its container. Only root may listen at port 25. */
export const GATEWAY_PORT = 2525;
/** The port of its metrics, for its own task only. */
export const METRICS_URL = 'http://127.0.0.1:9100/metrics';
/** Folders in the container: the spool, and a folder in memory for secrets. */
export const SPOOL = '/spool';
const SECRETS = '/dev/shm/airlock';

/** A wider range contains whole providers, and each of their customers could send as you. */
const SHORTEST_RELAY_PREFIX = 8;
/** Each gateway has its own task. */
const MAX_SPOOLS = 10;

const isNetwork = (text: string) => /^(?:\d{1,3}\.){3}\d{1,3}\/(?:\d|[12]\d|3[0-2])$/.test(text);
const isHostPort = (text: string) => /^[A-Za-z0-9.-]{1,255}:\d{1,5}$/.test(text);
const isDomain = (text: string) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text);

/**
 * Refuses props of a gateway that can be deployed but would take no mail, or the mail of everybody. Throws a TypeError with one line for
 * each fault.
 *
 * @example
 * ```ts
 * import type { GatewayServiceProps } from './lib/infra/doors/gateway-service-props.ts';
 *
 * const check = (props: GatewayServiceProps) => checkGatewayProps(props);
 * ```
 */
export function checkGatewayProps(props: GatewayServiceProps): void {
  const { next, name, domains = [], relayFrom = [], clientNetworks, spools = 1 } = props;
  const wide = relayFrom.filter((text) => Number(text.split('/')[1]) < SHORTEST_RELAY_PREFIX);
  const issues = [
    ...(isHostPort(next) ? [] : [`next: HOST:PORT is expected, not ${JSON.stringify(next)}`]),
    ...(isDomain(name) ? [] : [`name: a host name is expected, not ${JSON.stringify(name)}`]),
    ...domains
      .filter((text) => !isDomain(text))
      .map((text) => `domains: a domain is expected, not ${JSON.stringify(text)}`),
    ...networkIssues('clientNetworks', clientNetworks),
    ...networkIssues('relayFrom', relayFrom),
    ...wide.map((text) => `relayFrom: ${text} is too wide: every machine in it may send to everybody`),
    ...(clientNetworks.length === 0 ? ['clientNetworks: nobody could connect; name networks such as 10.0.0.0/8'] : []),
    ...([...domains, ...relayFrom].length === 0 && !props.passwords && !props.clientAuthorities
      ? [
          'domains, relayFrom, passwords, clientAuthorities: nobody could send; name your own domains, who may relay, passwords, or authorities of certificates',
        ]
      : []),
    ...(props.clientCertificateRequired && !props.clientAuthorities
      ? ['clientCertificateRequired: it needs clientAuthorities, whose certificates count']
      : []),
    ...(props.clientRevocationLists && !props.clientAuthorities
      ? ['clientRevocationLists: they need clientAuthorities, which have revoked these certificates']
      : []),
    ...(Number.isInteger(spools) && spools >= 1 && spools <= MAX_SPOOLS
      ? []
      : [`spools: a whole number from 1 to ${MAX_SPOOLS}, not ${spools}`]),
  ];
  if (issues.length > 0)
    throw new TypeError(`GatewayService cannot be built:\n${issues.map((line) => `  - ${line}`).join('\n')}`);
}

const networkIssues = (name: string, networks: readonly string[]) =>
  networks
    .filter((text) => !isNetwork(text))
    .map((text) => `${name}: a network such as 10.0.0.0/8 is expected, not ${JSON.stringify(text)}`);

/**
 * Returns the options of `airlock gateway` for these props.
 *
 * @example
 * ```ts
 * import type { GatewayServiceProps } from './lib/infra/doors/gateway-service-props.ts';
 *
 * const asTyped = (props: GatewayServiceProps) => ['airlock', 'gateway', ...gatewayOptions(props)].join(' ');
 * ```
 */
export function gatewayOptions(props: GatewayServiceProps): string[] {
  const { next, name, domains = [], relayFrom = [], passwords, nextLogin, nextCertificate, options = [] } = props;
  const { clientAuthorities, clientRevocationLists, clientCertificateRequired } = props;
  const each = (flag: string, values: readonly string[]) => values.flatMap((value) => [flag, value]);
  return [
    ...['--listen', `0.0.0.0:${GATEWAY_PORT}`, '--next', next, '--name', name],
    ...['--tls-key', `${SECRETS}/key.pem`, '--tls-cert', `${SECRETS}/cert.pem`],
    ...['--metrics', new URL(METRICS_URL).host],
    ...each('--domain', domains),
    ...each('--client', relayFrom),
    ...(clientAuthorities ? ['--tls-client-ca', `${SECRETS}/authorities.pem`] : []),
    ...(clientRevocationLists ? ['--tls-client-crl', `${SECRETS}/revoked.pem`] : []),
    ...(clientCertificateRequired ? ['--tls-client-required'] : []),
    ...(passwords ? ['--auth-file', `${SECRETS}/passwords`] : []),
    ...(nextCertificate ? ['--next-key', `${SECRETS}/key.pem`, '--next-cert', `${SECRETS}/cert.pem`] : []),
    ...(nextLogin ? ['--next-user', nextLogin.user] : []),
    ...options,
  ];
}

/**
 * Returns the script that the container runs. It writes secrets from variables to files in memory, which the gateway reads. Then it
 * replaces the shell by the gateway, so that SIGTERM reaches the gateway.
 *
 * @example
 * ```ts
 * const command = ['sh', '-c', startScript({ spool: '/spool', hasPasswords: false })];
 * ```
 */
export function startScript({
  spool = SPOOL,
  secrets = SECRETS,
  hasPasswords = false,
  hasAuthorities = false,
  hasRevocationLists = false,
}): string {
  const put = (variable: string, file: string) => `printf '%s\\n' "$${variable}" > ${secrets}/${file}`;
  return [
    'set -eu',
    'umask 077',
    `mkdir -p ${secrets} ${spool}/secrets`,
    put('AIRLOCK_TLS_KEY', 'key.pem'),
    put('AIRLOCK_TLS_CERTIFICATE', 'cert.pem'),
    ...(hasAuthorities ? [put('AIRLOCK_CLIENT_AUTHORITIES', 'authorities.pem')] : []),
    ...(hasRevocationLists ? [put('AIRLOCK_CLIENT_REVOCATION_LISTS', 'revoked.pem')] : []),
    ...(hasPasswords ? [put('AIRLOCK_PASSWORDS', 'passwords')] : []),
    // All spools share one key, so that each recognises mail that another has sent on. It is replaced in one step.
    `printf %s "$AIRLOCK_LOOP_KEY" > ${spool}/secrets/loop.key.new`,
    `mv ${spool}/secrets/loop.key.new ${spool}/secrets/loop.key`,
    'unset AIRLOCK_TLS_KEY AIRLOCK_TLS_CERTIFICATE AIRLOCK_PASSWORDS AIRLOCK_LOOP_KEY',
    'unset AIRLOCK_CLIENT_AUTHORITIES AIRLOCK_CLIENT_REVOCATION_LISTS',
    `exec airlock gateway --spool ${spool} "$@"`,
  ].join('\n');
}
