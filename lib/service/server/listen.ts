/** The entry point of the service in Node: both apps on one port, or the jobs alone. */
import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { type AppOptions, createAnalysisApp, createCdrApp } from './app.ts';
import type { ServiceCore } from './core.ts';
import { openServer } from './http/open-server.ts';
import { ServiceLimits } from './limits.ts';
import { createParts, type ServiceParts } from './parts.ts';
import { errorResponse, ServiceError } from './service-error.ts';
import type { ServiceOptions } from './service-options.ts';
import { memoryStorage, type Storage } from './store/storage.ts';

export type { ServiceOptions } from './service-options.ts';

export interface RunningService {
  /** Base URL of the analysis service. */
  readonly url: string;
  /** Base URL of the CDR service. */
  readonly cdrUrl: string;
  /**
   * Accepts no new work, gives open requests and jobs some time to end, and frees the port. The next service with the same storage
   * continues the rest. Until `drained` settles, `readyz` says that the service is about to stop, but requests are still taken.
   */
  close(drained?: Promise<unknown>): Promise<void>;
  /** Returns the counts of the service in the text format of Prometheus. */
  metrics(): string;
}

/** Does the jobs of a storage that processes share, and takes no requests. */
export async function startWorker(
  options: Omit<ServiceOptions, 'port'> & { readonly storage: Storage },
): Promise<Omit<RunningService, 'url' | 'cdrUrl'>> {
  const { storage } = options;
  const limits = { ...ServiceLimits.parse(options.limits ?? {}), ...storage.bounds };
  const parts = createParts({ ...options, role: 'worker' }, storage, limits);
  await parts.start();
  return {
    metrics: () => parts.metrics.text({ pending: parts.pending(), ready: options.isReady?.() ?? true }),
    close: async () => {
      await ended(parts, [], limits.closeMs);
      await leave(parts, storage);
    },
  };
}

/** The path of the CDR service beside the analysis service. */
const CDR_PATH = '/cdr';

/** Starts both services in this process. Rejects when the port is taken (EADDRINUSE) or an option cannot be used. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const given = ServiceLimits.parse(options.limits ?? {});
  const storage = options.storage ?? memoryStorage(given);
  const limits = { ...given, ...storage.bounds };
  const parts = createParts(options, storage, limits);
  let isOpen = true;
  const isReady = () => isOpen && (options.isReady?.() ?? true);
  const app = appOf(parts.cores, { deskUrl: options.deskUrl, isReady });
  // Otherwise the adapter would replace the global Request, and would cut off uploads that are answered before their end.
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    // Only requests that cannot become a Request come here, because their Host or their target does not form a URL.
    errorHandler: () => errorResponse(new ServiceError('INVALID_REQUEST')),
  });
  const { tls } = options;
  const server = openServer((request, response) => void listener(request, response), {
    limits,
    tls,
    onFault: parts.onFault,
  });
  const host = options.host ?? '127.0.0.1';
  const port = await listening(server, options.port, host);
  await parts.start();
  const url = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url,
    cdrUrl: url + CDR_PATH,
    metrics: () => parts.metrics.text({ pending: parts.pending(), ready: isReady() }),
    close: async (drained = Promise.resolve()) => {
      isOpen = false;
      await drained;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await ended(parts, [closed], limits.closeMs);
      server.closeAllConnections();
      await closed;
      await leave(parts, storage);
    },
  };
}

function appOf([analysis, cdr]: readonly [ServiceCore, ServiceCore], options: AppOptions): Hono {
  const analysisApp = createAnalysisApp(analysis, options);
  return (
    new Hono()
      // This is a download of v1, whose path looks like one of the CDR service.
      .get(`${CDR_PATH}/:uuid{[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}}`, (c) => analysisApp.fetch(c.req.raw, c.env))
      .route(CDR_PATH, createCdrApp(cdr, options))
      .route('/', analysisApp)
  );
}

async function listening(server: Server | SecureServer, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/** Waits some time for open requests and running jobs, and drops the results of those that have not ended. */
async function ended(parts: ServiceParts, requests: readonly Promise<void>[], closeMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMs);
  });
  await Promise.race([Promise.all([...requests, parts.drain()]), late]);
  clearTimeout(timer);
  // Otherwise the stopped engines would leave reports that say that they failed.
  for (const core of parts.cores) core.stop();
}

async function leave(parts: ServiceParts, storage: Storage): Promise<void> {
  await parts.webhooks.close();
  await parts.close();
  await storage.close();
}
