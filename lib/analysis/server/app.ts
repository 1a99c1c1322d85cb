/** The two services as functions from Request to Response. No socket, no environment, no global state. */
import { randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import { CDR_ROUTES } from '../contract/cdr.ts';
import { V3_PREFIXES, V3_ROUTES } from '../contract/v3.ts';
import { cdrHandlers } from './cdr-handlers.ts';
import { keyCheck } from './credentials.ts';
import type { JobQueue } from './job-queue.ts';
import type { EngineRunner } from './jobs.ts';
import { DEFAULT_SERVICE_LIMITS, type ServiceLimits } from './limits.ts';
import { createUsage } from './me.ts';
import { type AccessLogEntry, createRoutes } from './routing.ts';
import type { SubmissionStore } from './submissions.ts';
import { type HandlerContext, v3Handlers } from './v3-handlers.ts';

/** What a service is made of. */
export interface ServiceDeps {
  readonly store: SubmissionStore;
  readonly queue: JobQueue;
  readonly runner: EngineRunner;
  /** Accepted keys: API keys for the analysis service, tokens for the CDR service. None may be empty. */
  readonly keys: readonly string[];
  /** @default DEFAULT_SERVICE_LIMITS */
  readonly limits?: ServiceLimits;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
  /** A new UUID. @default random */
  readonly newId?: () => string;
  /** @default nothing is logged */
  readonly log?: (entry: AccessLogEntry) => void;
  /** Told of every fault that was answered with INTERNAL_ERROR. @default console.error */
  readonly onFault?: (error: unknown) => void;
}

/** The analysis service (v3). Throws TypeError without a usable key. */
export function createAnalysisApp(deps: ServiceDeps): Hono {
  const { routing, context } = wire(deps);
  return createRoutes(V3_ROUTES, v3Handlers(context), V3_PREFIXES, routing);
}

/** The CDR service. Throws TypeError without a usable token. */
export function createCdrApp(deps: ServiceDeps): Hono {
  const { routing, context } = wire(deps);
  return createRoutes(CDR_ROUTES, cdrHandlers(context), [''], routing);
}

function wire(deps: ServiceDeps) {
  const { store, queue, runner, limits = DEFAULT_SERVICE_LIMITS, now = Date.now, newId = randomUUID } = deps;
  const usage = createUsage(now);
  const context: HandlerContext = { store, queue, runner, limits, now, newId, usage };
  const log = (entry: AccessLogEntry) => {
    usage.countRequest();
    deps.log?.(entry);
  };
  const onFault = deps.onFault ?? ((error: unknown) => console.error('analysis service fault', error));
  return { context, routing: { isAccepted: keyCheck(deps.keys), queue, limits, now, log, onFault } };
}
