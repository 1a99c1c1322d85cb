/** The entry point of the service in Node: both apps on one port. */
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createAnalysisApp, createCdrApp } from './app.ts';
import { createCore, type ServiceCore } from './core.ts';
import { answerBadRequests } from './http/bad-requests.ts';
import { createJobQueue, type JobQueue } from './jobs/job-queue.ts';
import type { EngineRunner } from './jobs/jobs.ts';
import { createQuotas } from './jobs/quotas.ts';
import { ServiceLimits } from './limits.ts';
import type { AccessLogEntry } from './routing.ts';
import { errorResponse, ServiceError } from './service-error.ts';
import { eitherRing, givenKeys, type KeyRing } from './store/api-keys.ts';
import { memoryStorage, type Storage } from './store/storage.ts';
import type { WebhookDeps, WebhookOutcome } from './webhooks/webhook.ts';
import { createWebhookDelivery } from './webhooks/webhook-delivery.ts';
import { createWebhookQueue } from './webhooks/webhook-queue.ts';

export interface ServiceOptions {
  /** 0 means any free port. */
  readonly port: number;
  /** @default 127.0.0.1: reachable from this machine only */
  readonly host?: string;
  /** A key of the operator's own, beside those that the storage keeps. */
  readonly apiKey: string;
  readonly cdrToken: string;
  /** The engines. Their owner closes them after the service. */
  readonly pool: EngineRunner;
  /** Closed with the service. @default memory */
  readonly storage?: Storage;
  /** Changes to the limits as shipped. Throws when one is no positive integer. */
  readonly limits?: Partial<ServiceLimits>;
  /** @default nothing is logged */
  readonly log?: (entry: AccessLogEntry) => void;
  /** Called for every fault that was answered with INTERNAL_ERROR, and when the storage fails a job (JobFault). @default console.error */
  readonly onFault?: (error: unknown) => void;
  /** How the webhooks of the CDR service are called. @default public addresses only */
  readonly webhooks?: WebhookDeps;
  /** Called with the outcome of the webhook of a result. @default nothing is called */
  readonly onWebhook?: (resultId: string, outcome: WebhookOutcome) => void;
}

export interface RunningService {
  /** Base URL of the analysis service. */
  readonly url: string;
  /** Base URL of the CDR service. */
  readonly cdrUrl: string;
  /**
   * Accepts no new work, gives open requests and jobs some time to end, and frees the port. The next service with the same storage
   * does the rest.
   */
  close(): Promise<void>;
}

/** The path of the CDR service beside the analysis service. */
const CDR_PATH = '/cdr';

/** Starts both services in this process. Rejects when the port is taken (EADDRINUSE) or an option cannot be used. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const given = ServiceLimits.parse(options.limits ?? {});
  const storage = options.storage ?? memoryStorage(given);
  const limits = { ...given, ...storage.bounds };
  const queue = createJobQueue(limits);
  const { log, onFault } = options;
  // A key has one account of quotas for both services.
  const quotas = createQuotas({
    now: Date.now,
    countSince: async (keyId, sinceMs) => {
      const counts = [storage.analysis, storage.cdr].map(({ store }) => store.countSince(keyId, sinceMs));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
  });
  const shared = { queue, quotas, runner: options.pool, limits, ...(log && { log }), ...(onFault && { onFault }) };
  const ring = (key: string): KeyRing => {
    const own = givenKeys([{ key }], Date.now());
    return storage.keys ? eitherRing(own, storage.keys) : own;
  };
  const analysis = createCore({ ...shared, ...storage.analysis, keys: ring(options.apiKey) });
  const webhooks = createWebhookDelivery({
    store: storage.cdr.store,
    queue: createWebhookQueue(options.webhooks ?? {}),
    now: Date.now,
    onSettled: options.onWebhook ?? (() => undefined),
  });
  const onFinished = webhooks.tell;
  const cdr = createCore({ ...shared, ...storage.cdr, keys: ring(options.cdrToken), onFinished });
  const analysisApp = createAnalysisApp(analysis);
  const app = new Hono()
    // This is a download of v1, whose path looks like one of the CDR service.
    .get(`${CDR_PATH}/:uuid{[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}}`, (c) => analysisApp.fetch(c.req.raw))
    .route(CDR_PATH, createCdrApp(cdr))
    .route('/', analysisApp);
  // Otherwise the adapter would replace the global Request, and would cut off uploads that are answered before their end.
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    // Only requests come here that cannot become a Request: their Host or their target does not form a URL.
    errorHandler: () => errorResponse(new ServiceError('INVALID_REQUEST')),
  });
  // A request without Host is refused by the listener, which says why.
  const server = createServer({ requireHostHeader: false }, (request, response) => void listener(request, response));
  answerBadRequests(server);
  const host = options.host ?? '127.0.0.1';
  const port = await listening(server, options.port, host);
  const cores = [analysis, cdr];
  for (const core of [...cores, webhooks]) await core.resume();
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url,
    cdrUrl: url + CDR_PATH,
    close: async () => {
      await close(server, queue, cores, limits.closeMs);
      await webhooks.close();
      await storage.close();
    },
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

async function close(server: Server, queue: JobQueue, cores: readonly ServiceCore[], closeMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMs);
  });
  await Promise.race([Promise.all([closed, queue.close()]), late]);
  clearTimeout(timer);
  // Otherwise engines that are stopped now would leave reports that say that they failed.
  for (const core of cores) core.stop();
  server.closeAllConnections();
  await closed;
}
