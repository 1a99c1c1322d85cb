/** `airlock gateway`: takes mail by SMTP, judges it, and sends it on, until SIGTERM. */
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GatewayOptions as GatewayPartsOptions, openGateway } from '../gateway/gateway.ts';
import { streamLog } from '../gateway/log.ts';
import { isLoopback } from '../gateway/metrics-server.ts';
import { holdLock } from '../storage/sqlite-lock.ts';
import { fileSecret } from '../storage/stage-secrets.ts';
import { type Console, UsageError, writeLine } from './console.ts';
import { type EngineOptions, openSessionUnder, readPolicy } from './engine-session.ts';
import { createGatewayJudge } from './gateway-judge.ts';
import {
  doorOf,
  type GatewayVerbOptions,
  limitsOf,
  metricsOf,
  nextOf,
  noticesOf,
  spoolOf,
} from './gateway-settings.ts';
import { EXIT } from './outcome.ts';

export interface GatewayOptions extends GatewayVerbOptions, EngineOptions {}

/** Runs the verb until SIGTERM. Throws UsageError, ConfigError or ClientConfigError when it cannot begin. */
export async function gatewayVerb(console: Console, options: GatewayOptions): Promise<number> {
  const root = spoolOf(options);
  const [door, next, limits] = [await doorOf(options), await nextOf(console, options), await limitsOf(options)];
  const [notices, metrics] = [noticesOf(options), metricsOf(options)];
  checkRelay(options, door);
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
  options: GatewayOptions,
  settings: Pick<GatewayPartsOptions, 'root' | 'door' | 'next' | 'notices' | 'metrics' | 'limits'>,
): Promise<void> {
  const { root, door, next } = settings;
  const stop = new AbortController();
  const { signal } = stop;
  const policy = await readPolicy(options.policy);
  const session = await openSessionUnder(policy, console, options, {
    ...{ out: root, signal, isLasting: true },
    onStage: () => undefined,
  });
  try {
    const gateway = await openGateway({
      ...settings,
      loopKey: Buffer.from(await fileSecret(root, 'loop'), 'hex'),
      judge: createGatewayJudge(root, policy, session),
      abandonJudgements: () => stop.abort(),
      log: streamLog(console.stderr, Date.now),
    }).catch((error: NodeJS.ErrnoException) => {
      throw usageErrorOf(error, options);
    });
    const { metricsPort } = gateway;
    for (const line of [
      `${door.protocol.toUpperCase()} from ${door.host}:${gateway.port}, on to ${next.protocol}:${next.host}:${next.port}`,
      `spool ${root}${metricsPort === null ? '' : `, metrics http://127.0.0.1:${metricsPort}/metrics`}`,
      'Stop with SIGTERM or Ctrl-C: what is in progress ends first.',
    ])
      await writeLine(console.stdout, line);
    if (!console.signal.aborted) await once(console.signal, 'abort');
    await gateway.close();
  } finally {
    stop.abort();
    await session.close();
  }
}

/** Whoever can reach the port could otherwise send mail to everybody through it, or nobody could. */
function checkRelay({ client, domain, authFile }: GatewayOptions, { host }: { readonly host: string }): void {
  const isOpen = !isLoopback(host) && domain.length === 0 && authFile === undefined && client.every(isLoopback);
  if (isOpen)
    throw new UsageError(
      `Nobody could send to ${host}: name who may relay (--client ADDRESS), your own domains (--domain DOMAIN), or passwords (--auth-file FILE).`,
    );
}

function usageErrorOf(error: NodeJS.ErrnoException, { listen, metrics }: GatewayOptions): Error {
  if (error.syscall !== 'listen' && error.syscall !== 'bind') return error;
  const place = `${listen}${metrics === undefined ? '' : ` or ${metrics}`}`;
  if (error.code === 'EADDRINUSE') return new UsageError(`${place} is taken. Name another address.`);
  return new UsageError(`${place} cannot be used: ${error.code ?? error.message}.`);
}
