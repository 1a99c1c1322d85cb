/** The door of the service: both apps on one port. */
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createAnalysisApp, createCdrApp } from './app.ts';
import { createJobQueue } from './job-queue.ts';
import type { EngineRunner } from './jobs.ts';
import { ServiceLimits } from './limits.ts';
import { createMemoryStore } from './memory-store.ts';
import type { AccessLogEntry } from './routing.ts';
import { errorResponse, ServiceError } from './service-error.ts';

export interface ServiceOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** @default 127.0.0.1: reachable from this machine only */
  readonly host?: string;
  readonly apiKey: string;
  readonly cdrToken: string;
  /** The engines. Whoever made them closes them, after the service. */
  readonly pool: EngineRunner;
  /** Changes to the limits as shipped. Throws when one is no positive integer. */
  readonly limits?: Partial<ServiceLimits>;
  /** @default nothing is logged */
  readonly log?: (entry: AccessLogEntry) => void;
}

export interface RunningService {
  /** Base URL of the analysis service. */
  readonly url: string;
  /** Base URL of the CDR service. */
  readonly cdrUrl: string;
  /** Takes no new work, lets requests and jobs under way end for a while, and frees the port. */
  close(): Promise<void>;
}

/** Where the CDR service lives beside the analysis service. */
const CDR_PATH = '/cdr';

/** Starts both services in this process. Rejects when the port is taken (EADDRINUSE) or an option cannot be used. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const limits = ServiceLimits.parse(options.limits ?? {});
  const queue = createJobQueue(limits);
  const shared = { queue, runner: options.pool, limits, ...(options.log && { log: options.log }) };
  // Two stores: what the CDR service was given is not listed by the analysis service.
  const analysis = createAnalysisApp({ ...shared, store: createMemoryStore(limits), keys: [options.apiKey] });
  const cdr = createCdrApp({ ...shared, store: createMemoryStore(limits), keys: [options.cdrToken] });
  const app = new Hono().route(CDR_PATH, cdr).route('/', analysis);
  // Left alone, the adapter replaces the global Request and cuts off uploads that were answered before they ended.
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    // Reached only by requests that no Request can be made of: a Host or a target that is no URL.
    errorHandler: () => errorResponse(new ServiceError('INVALID_REQUEST')),
  });
  const server = createServer((request, response) => void listener(request, response));
  const host = options.host ?? '127.0.0.1';
  const port = await listening(server, options.port, host);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url,
    cdrUrl: url + CDR_PATH,
    close: () => close(server, queue, limits.closeMs),
  };
}

async function listening(server: Server, port: number, host: string): Promise<number> {
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

async function close(server: Server, queue: { close(): Promise<void> }, closeMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMs);
  });
  await Promise.race([Promise.all([closed, queue.close()]), late]);
  clearTimeout(timer);
  server.closeAllConnections();
  await closed;
}
