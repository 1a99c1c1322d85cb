/** `airlock serve`: the analysis service and the CDR service on this machine, until Ctrl-C. */
import { once } from 'node:events';
import type { VisitSettings } from '../engines/url/visit/visiting-runner.ts';
import { JobFault } from '../service/server/jobs/job-storage.ts';
import type { AccessLogEntry } from '../service/server/routing.ts';
import { StorageLockedError } from '../service/server/store/storage.ts';
import { type Console, UsageError, writeLine } from './console.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from './local-service.ts';
import { EXIT } from './outcome.ts';
import { type VisitOptions, visitSettings } from './visit-settings.ts';
import { reportRules } from './yara-rules.ts';

export interface ServeOptions extends VisitOptions {
  readonly port: string;
  readonly data: string;
  readonly inMemory?: boolean;
  readonly allowPrivateWebhooks?: boolean;
}

/** The default folder for the data of `airlock serve` and the keys of `airlock keys`. */
export const DEFAULT_DATA_DIRECTORY = 'airlock-data';

/** Runs the verb. Throws UsageError for a port or a data directory that cannot be used. */
export async function serveVerb(console: Console, options: ServeOptions): Promise<number> {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port takes a number from 0 (any free port) to 65535, not ${JSON.stringify(options.port)}.`);
  const { AIRLOCK_API_KEY: apiKey, AIRLOCK_CDR_TOKEN: cdrToken } = console.env;
  const visits = visitSettings(console, options);
  const rulesFolder = console.env.AIRLOCK_YARA_RULES;
  if (rulesFolder) await reportRules(console, rulesFolder);
  const service = await startLocalService(port, {
    ...(rulesFolder && { rulesFolder }),
    ...(apiKey && { apiKey }),
    ...(cdrToken && { cdrToken }),
    ...(!options.inMemory && { dataDirectory: options.data }),
    ...logging(console),
    visits,
    webhooks: { allowPrivateAddresses: options.allowPrivateWebhooks ?? false },
  }).catch((error: NodeJS.ErrnoException) => {
    throw usageErrorOf(error, port, options.data);
  });
  await announce(console, options, service, visits);
  if (!console.signal.aborted) await once(console.signal, 'abort');
  await service.close();
  return EXIT.delivered;
}

async function announce(
  console: Console,
  options: ServeOptions,
  service: LocalService,
  visits: VisitSettings | null,
): Promise<void> {
  const { AIRLOCK_API_KEY: apiKey, AIRLOCK_CDR_TOKEN: cdrToken } = console.env;
  const lines = [
    `analysis service  ${service.url}`,
    `CDR service       ${service.cdrUrl}`,
    apiKey ? 'API key           as given in AIRLOCK_API_KEY' : `API key           ${service.apiKey}`,
    cdrToken ? 'CDR token         as given in AIRLOCK_CDR_TOKEN' : 'CDR token         same as the API key',
    options.inMemory
      ? 'data              in memory: gone when the service stops'
      : `data              ${options.data}; airlock keys create makes more keys`,
    urlLine(visits),
    'Stop with Ctrl-C.',
  ];
  for (const line of lines) await writeLine(console.stdout, line);
}

function urlLine(visits: VisitSettings | null): string {
  if (!visits) return 'URLs              judged as text; with --online they are also visited';
  return `URLs              visited${visits.proxy ? ' through the proxy' : ''}, ${visits.chromium ? 'with' : 'without'} screenshots`;
}

/** Logs one JSON line per event on stderr: only route names, ids and numbers, nothing that a caller wrote. */
function logging(console: Console): Pick<LocalServiceOptions, 'log' | 'onFault' | 'onWebhook'> {
  const write = (level: string, event: string, facts: object) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...facts });
    // When the reader has fallen behind, lines are dropped: they must not fill the memory of the service.
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

/** Only the stack is logged, because it names places in our code. The message of the error could quote the caller. */
function placeOf(error: unknown): { readonly name: string; readonly at: readonly string[] } {
  if (!(error instanceof Error)) return { name: 'unknown', at: [] };
  return { name: error.name, at: (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) };
}

function usageErrorOf(error: NodeJS.ErrnoException, port: number, directory: string): Error {
  if (error instanceof StorageLockedError)
    return new UsageError(`Another service uses ${directory}. Stop it, or name another directory with --data.`);
  if (error.syscall !== 'listen') {
    const isPath =
      error.code === 'EACCES' || error.code === 'ENOTDIR' || error.code === 'EEXIST' || error.code === 'EROFS';
    return isPath ? new UsageError(`--data ${JSON.stringify(directory)} cannot be used: ${error.code}.`) : error;
  }
  if (error.code === 'EADDRINUSE') return new UsageError(`Port ${port} is taken. Name another with --port.`);
  if (error.code === 'EACCES') return new UsageError(`This user may not open port ${port}. Name one above 1023.`);
  return error;
}
