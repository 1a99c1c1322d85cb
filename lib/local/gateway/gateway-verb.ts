/** `airlock gateway` and `airlock milter`: take mail, judge it, and send it on, until SIGTERM. */
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type GatewayOptions as GatewayPartsOptions, openGateway } from '../../gateway/gateway.ts';
import { streamLog } from '../../gateway/log.ts';
import { isLoopback } from '../../gateway/metrics-server.ts';
import { holdLock } from '../../storage/sqlite/lock.ts';
import { fileSecret } from '../../storage/stage-secrets.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { numberIn } from '../options/number.ts';
import { EXIT } from '../outcome.ts';
import { type EngineOptions, readPolicy } from '../session/engine-session.ts';
import { forgetRun } from '../session/forget-run.ts';
import { ledgerIfAny, storesOf } from '../session/run-context.ts';
import { openRunIndex } from '../session/run-index.ts';
import { createGatewayJudge } from './gateway-judge.ts';
import {
  doorOf,
  type GatewayVerbOptions,
  limitsOf,
  type MilterVerbOptions,
  metricsOf,
  milterDoorOf,
  noticesOf,
  type SpoolVerbOptions,
  spoolOf,
} from './gateway-settings.ts';
import { MAX_PROCESSES } from './judge-messages.ts';
import { openJudgePool } from './judge-pool.ts';
import { withLaterPages } from './later-pages.ts';
import { nextOf } from './next-settings.ts';
import { residentBytes } from './resident-bytes.ts';

export interface GatewayOptions extends GatewayVerbOptions, EngineOptions {}
export interface MilterOptions extends MilterVerbOptions, EngineOptions {}

/** Runs `airlock gateway` until SIGTERM. Throws UsageError, ConfigError or ClientConfigError when it cannot begin. */
export async function gatewayVerb(console: Console, options: GatewayOptions): Promise<number> {
  spoolOf(options);
  const door = await doorOf(options);
  checkRelay(options, door);
  return await spoolVerb(console, options, door);
}

/** Runs `airlock milter` until SIGTERM. Throws as `gatewayVerb` does. */
export async function milterVerb(console: Console, options: MilterOptions): Promise<number> {
  spoolOf(options);
  return await spoolVerb(console, options, milterDoorOf(options));
}

async function spoolVerb(
  console: Console,
  options: SpoolVerbOptions & EngineOptions,
  door: GatewayPartsOptions['door'],
): Promise<number> {
  const root = spoolOf(options);
  const [next, limits] = [await nextOf(console, options), await limitsOf(options)];
  const [notices, metrics] = [noticesOf(options), metricsOf(options)];
  await mkdir(root, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--spool ${root} cannot be used: ${error.code ?? error.message}.`);
  });
  const lock = holdLock(join(root, 'gateway.lock'));
  if (lock === null)
    throw new UsageError(`Another gateway uses ${root}. Stop it, or name another folder with --spool.`);
  try {
    await runGateway(console, options, { root, door, next, notices, metrics, limits });
  } finally {
    await lock.close();
  }
  return EXIT.delivered;
}

async function runGateway(
  console: Console,
  options: SpoolVerbOptions & EngineOptions,
  settings: Pick<GatewayPartsOptions, 'root' | 'door' | 'next' | 'notices' | 'metrics' | 'limits'>,
): Promise<void> {
  const { root, door, next } = settings;
  const stop = new AbortController();
  const { signal } = stop;
  const policy = await readPolicy(options.policy);
  const { engines, processes } = judgingOf(options);
  const pages = options.html === undefined ? null : { folder: options.html, language: options.language ?? 'en' };
  const pool = await openJudgePool({
    opening: {
      policy,
      options: engines,
      out: root,
      pages,
      concurrentStages: settings.limits.concurrentJudgements,
      env: console.env,
    },
    ...{ processes, signal },
    stderr: console.stderr,
  });
  const stores = { ...storesOf(root), index: openRunIndex(root) };
  const ledgerOf = (runId: string) => ledgerIfAny(stores, runId);
  const plain = createGatewayJudge(root, policy, {
    ...{ scanStored: pool.scanStored, ledgerOf },
    forget: (runId) => forgetRun(stores, runId),
  });
  const say = (text: string) => void console.stderr.write(text);
  const { judge, settled } =
    pages === null
      ? { judge: plain, settled: async () => {} }
      : withLaterPages(plain, { ...pages, out: root }, ledgerOf, say);
  try {
    const gateway = await openGateway({
      ...settings,
      limits: engines.service === undefined ? settings.limits : whileWaiting(settings.limits),
      loopKey: Buffer.from(await fileSecret(root, 'loop'), 'hex'),
      judge,
      residentBytes: () => residentBytes() + pool.residentBytes(),
      abandonJudgements: () => stop.abort(),
      log: streamLog(console.stderr, Date.now),
    }).catch((error: NodeJS.ErrnoException) => {
      throw usageErrorOf(error, options);
    });
    const { metricsPort } = gateway;
    for (const line of [
      `${door.protocol.toUpperCase()} from ${placeOf(door, gateway.port)}, on to ${next.protocol}:${next.host}:${next.port}`,
      `spool ${root}${metricsPort === null ? '' : `, metrics http://127.0.0.1:${metricsPort}/metrics`}`,
      'Stop with SIGTERM or Ctrl-C: what is in progress ends first.',
    ])
      await writeLine(console.stdout, line);
    if (!console.signal.aborted) await once(console.signal, 'abort');
    await gateway.close();
    await settled();
  } finally {
    stop.abort();
    await pool.close();
    await stores.index.close();
  }
}

const placeOf = (door: GatewayPartsOptions['door'], port: number): string =>
  'path' in door && door.path !== null ? `unix:${door.path}` : `${door.host}:${port}`;

/** Returns how many mails are judged at once. A message that waits for the answer of a service keeps no engine busy. */
function whileWaiting(limits: GatewayPartsOptions['limits']): GatewayPartsOptions['limits'] {
  return { ...limits, concurrentJudgements: limits.awaitedJudgements };
}

/** Returns the options of the judging processes, and the most processes. Throws UsageError. */
function judgingOf(options: SpoolVerbOptions & EngineOptions) {
  const { service, cdrService, policy, sealKey, online, proxy, processes = String(availableParallelism()) } = options;
  const engines = { service, cdrService, policy, sealKey, online, proxy };
  return {
    engines: Object.fromEntries(Object.entries(engines).filter(([, value]) => value !== undefined)) as EngineOptions,
    processes: numberIn('--processes', processes, 1, MAX_PROCESSES),
  };
}

/** Checks who may send. Otherwise everybody who can reach the port could send mail to everybody through it, or nobody could. */
function checkRelay(
  { client, domain, authFile, tlsClientCa }: GatewayOptions,
  { host }: { readonly host: string },
): void {
  const isKnown = domain.length > 0 || authFile !== undefined || tlsClientCa !== undefined;
  const isOpen = !isLoopback(host) && !isKnown && client.every(isLoopback);
  if (isOpen)
    throw new UsageError(
      `Nobody could send to ${host}: name who may relay (--client ADDRESS), your own domains (--domain DOMAIN), passwords (--auth-file FILE), or certificates (--tls-client-ca FILE).`,
    );
}

function usageErrorOf(error: NodeJS.ErrnoException, { listen, metrics }: SpoolVerbOptions): Error {
  if (error.syscall !== 'listen' && error.syscall !== 'bind') return error;
  const place = `${listen}${metrics === undefined ? '' : ` or ${metrics}`}`;
  if (error.code === 'EADDRINUSE') return new UsageError(`${place} is taken. Name another address.`);
  return new UsageError(`${place} cannot be used: ${error.code ?? error.message}.`);
}
