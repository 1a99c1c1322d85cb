/** The parts that the interfaces of one service share: store, blobs, queue, quotas and jobs. */
import { randomUUID } from 'node:crypto';
import type { HandlerContext } from './context.ts';
import { type EngineRunner, runReports } from './jobs/jobs.ts';
import type { JobPlaces, JobQueue } from './jobs/queue.ts';
import { createQuotas, type OwnQuotas, type Quotas } from './jobs/quotas.ts';
import { pauseUntil } from './jobs/storage.ts';
import { DEFAULT_SERVICE_LIMITS, type ServiceLimits } from './limits.ts';
import type { AccessLogEntry, RoutingDeps } from './routing.ts';
import type { KeyRing } from './store/api-keys.ts';
import type { BlobStore } from './store/blobs.ts';
import { createRetention } from './store/retention.ts';
import type { SubmissionStore } from './store/submission-store.ts';
import type { StoredSubmission } from './store/submissions.ts';
import { createUploads } from './store/uploads.ts';

/** The ports of a service. */
export interface ServiceDeps {
  readonly store: SubmissionStore;
  readonly blobs: BlobStore;
  readonly queue: JobPlaces;
  readonly runner: EngineRunner;
  /** The keys that may call. */
  readonly keys: KeyRing;
  /** Quotas that are shared by services with the same keys. @default quotas of this service alone */
  readonly quotas?: Quotas;
  /** @default DEFAULT_SERVICE_LIMITS */
  readonly limits?: ServiceLimits;
  /** Returns milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
  /** Returns a new UUID. @default random */
  readonly newId?: () => string;
  /** @default nothing is logged */
  readonly log?: (entry: AccessLogEntry) => void;
  /** Called for every fault that was answered with INTERNAL_ERROR, and when the storage fails a job (JobFault). @default console.error */
  readonly onFault?: (error: unknown) => void;
  /** Waits this many milliseconds before a job asks a failing storage again. @default the clock of the system */
  readonly pause?: (ms: number) => Promise<void>;
  /** The address of the caller of a request, for the log. @default none is logged */
  readonly peerOf?: RoutingDeps['peerOf'];
  /** Called for each submission when all its reports have ended. @default nothing is called */
  readonly onFinished?: (submission: StoredSubmission) => void;
}

export interface ServiceCore {
  readonly context: HandlerContext;
  readonly routing: RoutingDeps;
  /** Starts the jobs that a crash or a stop left behind. Resolves when all of them wait in the queue. */
  resume(queue: JobQueue, quotas: OwnQuotas): Promise<void>;
  /** Drops all results from now on. The next service with this store starts the jobs again. */
  stop(): void;
}

/** Wires the ports of one service. */
export function createCore(deps: ServiceDeps): ServiceCore {
  const { store, blobs, queue, runner, keys, onFinished } = deps;
  const { limits = DEFAULT_SERVICE_LIMITS, now = Date.now, newId = randomUUID, log = () => undefined } = deps;
  const stopping = new AbortController();
  const countSince = (keyId: string, sinceMs: number) => store.countSince(keyId, sinceMs);
  const quotas = deps.quotas ?? createQuotas({ now, countSince });
  const uploads = createUploads({ blobs, needs: (sha256) => store.needs(sha256) });
  const retention = createRetention({ store, blobs, limits, isHeld: uploads.isHeld });
  const stopped = stopping.signal;
  const onFault = deps.onFault ?? ((error: unknown) => console.error('analysis service fault', error));
  const pause = deps.pause ?? pauseUntil(stopped);
  const base = { store, blobs, runner, limits, now, newId, quotas, stopped, pause, onFault };
  const context: HandlerContext = onFinished ? { ...base, onFinished } : base;
  return {
    context,
    routing: { keys, quotas, queue, uploads, retention, store, limits, now, log, onFault, peerOf: deps.peerOf },
    resume: async (ofProcess, own) => {
      for (const { uuid, keyId } of await store.unfinished()) {
        own.resumed(keyId);
        ofProcess.resume((group) => runReports(context, uuid, group).finally(() => own.ended(keyId)));
      }
    },
    stop: () => stopping.abort(),
  };
}
