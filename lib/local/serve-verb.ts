/** `airlock serve`: the analysis service and the CDR service on this machine, until Ctrl-C. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { VisitSettings } from '../engines/url/visit/visiting-runner.ts';
import { type MetricsServer, serveMetrics } from '../gateway/metrics-server.ts';
import type { HostPort } from '../gateway/settings.ts';
import { JobFault } from '../service/server/jobs/storage.ts';
import type { AccessLogEntry } from '../service/server/routing.ts';
import type { Role } from '../service/server/service-options.ts';
import { DatabaseRefusedError } from '../service/server/store/database-refused.ts';
import { StorageLockedError } from '../service/server/store/storage.ts';
import { type Console, UsageError, writeLine } from './console.ts';
import { portFault } from './options/port.ts';
import { EXIT } from './outcome.ts';
import { type ListenOptions, listenSettings } from './serve-settings.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  type SharedService,
  startLocalService,
  startSharedService,
} from './session/local-service.ts';
import { type SharedOptions, type SharedPlace, sharedPlace } from './session/shared-storage.ts';
import { type VisitOptions, visitSettings } from './session/visit-settings.ts';
import { reportRules } from './session/yara-rules.ts';

export interface ServeOptions extends VisitOptions, ListenOptions, SharedOptions {
  readonly data: string;
  readonly inMemory?: boolean;
  readonly allowPrivateWebhooks?: boolean;
}

/** A service that may have no separate address, and no separate key. */
type StartedService = SharedService & Partial<Pick<LocalService, 'apiKey'>>;

interface Announced {
  readonly visits: VisitSettings | null;
  readonly metricsUrl: string | null;
  readonly dataText: string;
  readonly role: Role;
}

/** Runs the verb. Throws UsageError for a port or a data directory that cannot be used. */
export async function serveVerb(console: Console, options: ServeOptions): Promise<number> {
  const { port, metrics, drainMs, ...listening } = await listenSettings(options);
  const { AIRLOCK_API_KEY: apiKey, AIRLOCK_CDR_TOKEN: cdrToken } = console.env;
  const visits = visitSettings(console, options);
  const rulesFolder = console.env.AIRLOCK_YARA_RULES;
  if (rulesFolder) await reportRules(console, rulesFolder);
  const shared = await sharedPlace(console, options);
  const common = {
    ...(rulesFolder && { rulesFolder }),
    ...(apiKey && { apiKey }),
    ...(cdrToken && { cdrToken }),
    ...logging(console),
    ...listening,
    visits,
    webhooks: { allowPrivateAddresses: options.allowPrivateWebhooks ?? false },
  };
  const own = { ...common, ...(!options.inMemory && { dataDirectory: options.data }), warmUp: true };
  const start = shared ? startSharedService(port, shared, common) : startLocalService(port, own);
  const service: StartedService = await start.catch((error: NodeJS.ErrnoException) => {
    throw usageErrorOf(error, port, options.data);
  });
  const told = await toldMetrics(metrics, service);
  const metricsUrl = metrics && told && `http://${metrics.host}:${told.port}/metrics`;
  const dataText = dataLine(options, shared);
  await announce(console, service, { visits, metricsUrl, dataText, role: shared?.role ?? 'all' });
  if (!console.signal.aborted) await once(console.signal, 'abort');
  await service.close(delay(drainMs));
  await told?.close();
  return EXIT.delivered;
}

/** Opens the endpoint of the counts. Throws UsageError when its address cannot be used, after closing the service. */
async function toldMetrics(metrics: HostPort | null, service: StartedService): Promise<MetricsServer | null> {
  if (!metrics) return null;
  return await serveMetrics(metrics, async () => service.metrics()).catch(async (error: NodeJS.ErrnoException) => {
    await service.close();
    throw new UsageError(`--metrics: ${metrics.host}:${metrics.port} cannot be used (${error.code ?? error.message}).`);
  });
}

async function announce(
  console: Console,
  service: StartedService,
  { visits, metricsUrl, dataText, role }: Announced,
): Promise<void> {
  const { AIRLOCK_API_KEY: apiKey, AIRLOCK_CDR_TOKEN: cdrToken } = console.env;
  const madeKey = service.apiKey ?? 'those of airlock keys create --database';
  const requests = [
    `analysis service  ${service.url}`,
    `CDR service       ${service.cdrUrl}`,
    `API key           ${apiKey ? 'as given in AIRLOCK_API_KEY' : madeKey}`,
    cdrToken ? 'CDR token         as given in AIRLOCK_CDR_TOKEN' : 'CDR token         same as the API key',
  ];
  const lines = [
    ...(role === 'worker' ? ['jobs              of the database; requests are taken by others'] : requests),
    ...(role === 'api' ? ['requests          only; jobs are done by workers (--role worker)'] : []),
    `data              ${dataText}`,
    ...(role === 'api' ? [] : [urlLine(visits)]),
    ...(metricsUrl === null ? [] : [`metrics           ${metricsUrl}`]),
    'Stop with Ctrl-C.',
  ];
  for (const line of lines) await writeLine(console.stdout, line);
}

function dataLine(options: ServeOptions, shared: SharedPlace | null): string {
  if (shared) return `in the database, files in ${shared.filesText}`;
  if (options.inMemory) return 'in memory: gone when the service stops';
  return `${options.data}; airlock keys create makes more keys`;
}

function urlLine(visits: VisitSettings | null): string {
  if (!visits) return 'URLs              judged as text; with --online they are also visited';
  return `URLs              visited${visits.proxy ? ' through the proxy' : ''}, ${visits.chromium ? 'with' : 'without'} screenshots`;
}

/** Logs one JSON line per event on stderr: only route names, ids and numbers, nothing that a caller wrote. */
function logging(console: Console): Pick<LocalServiceOptions, 'log' | 'onFault' | 'onWebhook'> {
  const write = (level: string, event: string, facts: object) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...facts });
    // When the reader has fallen behind, lines are dropped, so that they do not fill the memory of the service.
    if (!console.stderr.writableNeedDrain) console.stderr.write(`${line}\n`);
  };
  return {
    log: (entry: AccessLogEntry) => write('info', 'request', entry),
    onFault: (error) =>
      error instanceof JobFault
        ? write('error', 'job', { ...error.facts, cause: placeOf(error.cause) })
        : write('error', 'fault', placeOf(error)),
    onWebhook: (resultId, outcome) =>
      write(outcome === 'delivered' ? 'info' : 'warn', 'webhook', { resultId, outcome }),
  };
}

/** Logs only the stack, because it names places in our code. The message of the error could quote the caller. */
function placeOf(error: unknown): { readonly name: string; readonly at: readonly string[] } {
  if (!(error instanceof Error)) return { name: 'unknown', at: [] };
  return { name: error.name, at: (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) };
}

function usageErrorOf(error: NodeJS.ErrnoException, port: number, directory: string): Error {
  if (error instanceof StorageLockedError)
    return new UsageError(`Another service uses ${directory}. Stop it, or name another directory with --data.`);
  if (error instanceof DatabaseRefusedError) return new UsageError(`--database: ${error.message}.`);
  if (error.syscall !== 'listen') {
    const isPath =
      error.code === 'EACCES' || error.code === 'ENOTDIR' || error.code === 'EEXIST' || error.code === 'EROFS';
    return isPath ? new UsageError(`--data ${JSON.stringify(directory)} cannot be used: ${error.code}.`) : error;
  }
  return portFault(port, error);
}
