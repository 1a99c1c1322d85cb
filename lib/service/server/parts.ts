/** The parts of both services in one process. It has its own jobs, or shares jobs with other processes. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { createCore, type ServiceCore } from './core.ts';
import { peerOf } from './http/peer.ts';
import { runReports } from './jobs/jobs.ts';
import { createJobQueue, type JobPlaces } from './jobs/queue.ts';
import { createQuotas, type Quotas } from './jobs/quotas.ts';
import { Worker } from './jobs/worker.ts';
import type { ServiceLimits } from './limits.ts';
import { ServiceMetrics } from './metrics.ts';
import type { AccessLogEntry } from './routing.ts';
import type { ServiceOptions } from './service-options.ts';
import type { SharedState } from './shared-state.ts';
import { eitherRing, givenKeys, type KeyRing } from './store/api-keys.ts';
import type { Storage } from './store/storage.ts';
import { isFinished, type StoredSubmission } from './store/submissions.ts';
import { createWebhookDelivery, type WebhookDelivery } from './webhooks/delivery.ts';
import { createWebhookQueue } from './webhooks/queue.ts';
import type { WebhookOutcome } from './webhooks/webhook.ts';

export interface ServiceParts {
  /** The cores of the analysis service and of the CDR service. */
  readonly cores: readonly [ServiceCore, ServiceCore];
  readonly webhooks: WebhookDelivery;
  readonly metrics: ServiceMetrics;
  readonly onFault: (error: unknown) => void;
  /** Returns the number of jobs that wait or run, and of uploads that are being read. */
  readonly pending: () => number;
  /** Starts the existing jobs. */
  start(): Promise<void>;
  /** Starts no more jobs. Resolves when the running jobs have ended. */
  drain(): Promise<void>;
  /** Leaves unfinished jobs to other processes. */
  close(): Promise<void>;
}

/** How often a process renews its sign of life, within the time after which others consider it dead. */
const BEATS = 3;

/** Returns both services over one storage, one pool of engines and one account of quotas. */
export function createParts(
  options: Omit<ServiceOptions, 'port'>,
  storage: Storage,
  limits: ServiceLimits,
): ServiceParts {
  const counted = withMetrics(options);
  return storage.shared ? sharedParts(counted, storage, storage.shared, limits) : ownParts(counted, storage, limits);
}

function ownParts(options: Counted, storage: Storage, limits: ServiceLimits): ServiceParts {
  // A key has one account of quotas for both services.
  const quotas = createQuotas({
    now: Date.now,
    countSince: async (keyId, sinceMs) => {
      const counts = [storage.analysis, storage.cdr].map(({ store }) => store.countSince(keyId, sinceMs));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
  });
  const queue = createJobQueue(limits);
  const { metrics, onFault } = options;
  const webhooks = webhooksOf(options, storage);
  const ended = {
    analysis: (submission: StoredSubmission) => metrics.ended(submission),
    cdr: (submission: StoredSubmission) => {
      metrics.ended(submission);
      void webhooks.tell(submission);
    },
  };
  const cores = coresOf(options, storage, limits, { queue, quotas }, ended);
  return {
    cores,
    webhooks,
    metrics,
    onFault,
    pending: () => queue.pending,
    start: async () => {
      for (const core of cores) await core.resume(queue, quotas);
      await webhooks.resume();
    },
    drain: () => queue.close(),
    close: async () => undefined,
  };
}

function sharedParts(
  options: Counted,
  storage: Storage,
  { claims, quotas, places, beat }: SharedState,
  limits: ServiceLimits,
): ServiceParts {
  const { metrics, onFault, role = 'all' } = options;
  const webhooks = webhooksOf(options, storage);
  const cores = coresOf(options, storage, limits, { queue: places, quotas }, {});
  const coreOf = { airlock_analysis: cores[0], airlock_cdr: cores[1] };
  const { concurrentJobs, jobLeaseMs } = limits;
  const worker = new Worker({
    claims,
    concurrentJobs,
    jobLeaseMs,
    onFault,
    run: ({ part, uuid, group }) => runReports(coreOf[part].context, uuid, group),
    finish: async ({ part, uuid }) => {
      const { store, stopped } = coreOf[part].context;
      const submission = await store.get(uuid);
      if (!submission) return true;
      if (!isFinished(submission)) return false;
      metrics.ended(submission);
      if (part === 'airlock_cdr') await webhooks.tell(submission);
      return !stopped.aborted;
    },
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    cores,
    webhooks,
    metrics,
    onFault,
    pending: () => places.pending,
    start: async () => {
      timer = setInterval(() => void beat().catch(onFault), jobLeaseMs / BEATS);
      if (role !== 'api') await worker.start();
    },
    drain: () => worker.drain(),
    close: async () => {
      clearInterval(timer);
      await worker.close();
    },
  };
}

/** Returns the same options with counters on all reports. */
function withMetrics(options: Omit<ServiceOptions, 'port'>) {
  const metrics = new ServiceMetrics();
  const told = options.onFault ?? ((error: unknown) => console.error('analysis service fault', error));
  return {
    ...options,
    metrics,
    log: (entry: AccessLogEntry) => {
      metrics.request(entry);
      options.log?.(entry);
    },
    onFault: (error: unknown) => {
      metrics.fault();
      told(error);
    },
    onWebhook: (resultId: string, outcome: WebhookOutcome) => {
      metrics.webhook(outcome);
      options.onWebhook?.(resultId, outcome);
    },
  };
}

type Counted = ReturnType<typeof withMetrics>;

const webhooksOf = (options: Counted, { cdr }: Storage): WebhookDelivery =>
  createWebhookDelivery({
    store: cdr.store,
    queue: createWebhookQueue(options.webhooks ?? {}),
    now: Date.now,
    onSettled: options.onWebhook,
  });

interface Ended {
  readonly analysis?: (submission: StoredSubmission) => void;
  readonly cdr?: (submission: StoredSubmission) => void;
}

function coresOf(
  options: Counted,
  storage: Storage,
  limits: ServiceLimits,
  jobs: { readonly queue: JobPlaces; readonly quotas: Quotas },
  ended: Ended,
): readonly [ServiceCore, ServiceCore] {
  const { log, onFault, proxies = null, pool: runner } = options;
  const peer = ({ env, req }: Context<{ Bindings: Partial<HttpBindings> }>) =>
    peerOf(env?.incoming?.socket.remoteAddress, req.header('x-forwarded-for') ?? null, proxies);
  const shared = { ...jobs, runner, limits, log, onFault, peerOf: peer };
  const of = (part: 'analysis' | 'cdr', key: string | undefined) => {
    const onFinished = ended[part];
    const keys = ring(storage, key);
    return createCore({ ...shared, ...storage[part], keys, ...(onFinished && { onFinished }) });
  };
  return [of('analysis', options.apiKey), of('cdr', options.cdrToken)];
}

/** Returns the keys that may call: the given one, and those that the storage keeps. */
function ring({ keys }: Storage, given: string | undefined): KeyRing {
  if (given === undefined && keys) return keys;
  const own = givenKeys([{ key: given ?? '' }], Date.now());
  return keys ? eitherRing(own, keys) : own;
}
