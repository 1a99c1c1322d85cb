/** What the interfaces of one service share: store, blobs, queue, quotas, and the jobs that they start. */
import { randomUUID } from 'node:crypto';
import type { BlobStore } from './blobs.ts';
import type { HandlerContext } from './context.ts';
import type { JobQueue } from './job-queue.ts';
import { pauseUntil } from './job-storage.ts';
import { type EngineRunner, runReports } from './jobs.ts';
import type { KeyRing } from './keys.ts';
import { DEFAULT_SERVICE_LIMITS, type ServiceLimits } from './limits.ts';
import { createQuotas, type Quotas } from './quotas.ts';
import { createRetention } from './retention.ts';
import type { AccessLogEntry, RoutingDeps } from './routing.ts';
import type { SubmissionStore } from './submission-store.ts';
import type { StoredSubmission } from './submissions.ts';
import { createUploads } from './uploads.ts';

/** What a service is made of: its ports. */
export interface ServiceDeps {
  readonly store: SubmissionStore;
  readonly blobs: BlobStore;
  readonly queue: JobQueue;
  readonly runner: EngineRunner;
  /** Who may call. */
  readonly keys: KeyRing;
  /** Shared by services that have the same keys. @default quotas of this service alone */
  readonly quotas?: Quotas;
  /** @default DEFAULT_SERVICE_LIMITS */
  readonly limits?: ServiceLimits;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
  /** A new UUID. @default random */
  readonly newId?: () => string;
  /** @default nothing is logged */
  readonly log?: (entry: AccessLogEntry) => void;
  /** Told of every fault that was answered with INTERNAL_ERROR, and of the storage failing a job (JobFault). @default console.error */
  readonly onFault?: (error: unknown) => void;
  /** How a job waits before it asks a failing storage again, in milliseconds. @default the clock of the system */
  readonly pause?: (ms: number) => Promise<void>;
  /** Told of each submission whose reports have all ended. @default nobody is told */
  readonly onFinished?: (submission: StoredSubmission) => void;
}

export interface ServiceCore {
  readonly context: HandlerContext;
  readonly routing: RoutingDeps;
  /** Starts the jobs that a crash or a stop left behind. Resolves when all of them wait in the queue. */
  resume(): Promise<void>;
  /** From now on results are dropped: the jobs start again with the next service over this store. */
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
    routing: { keys, quotas, queue, uploads, retention, store, limits, now, log, onFault },
    resume: async () => {
      for (const { uuid, keyId } of await store.unfinished()) {
        quotas.resumed(keyId);
        queue.resume((group) => runReports(context, uuid, group).finally(() => quotas.ended(keyId)));
      }
    },
    stop: () => stopping.abort(),
  };
}
