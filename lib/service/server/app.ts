/** The two services as functions from Request to Response. No socket, no environment, no global state. */
import { Hono } from 'hono';
import { CDR_ROUTES } from '../contract/cdr.ts';
import { ANALYSIS_API, CDR_API } from '../contract/descriptions.ts';
import { V3_PREFIXES, V3_ROUTES } from '../contract/v3.ts';
import { cdrHandlers } from './cdr/handlers.ts';
import type { ServiceCore } from './core.ts';
import { addDocs } from './http/docs.ts';
import { addHome } from './http/home.tsx';
import { mountFallback, mountRoutes } from './routing.ts';
import { errorResponse, ServiceError } from './service-error.ts';
import type { SubmissionStore } from './store/submission-store.ts';
import { mountV1 } from './v1/app.ts';
import { v3Handlers } from './v3/handlers.ts';

export interface AppOptions {
  /** The address of the desk. @default the first page says how to start one */
  readonly deskUrl?: string | undefined;
  /** @default always ready */
  readonly isReady?: (() => boolean) | undefined;
}

/** Returns the analysis service: v3, v1, their documentation, and a first page for people. */
export function createAnalysisApp(core: ServiceCore, { deskUrl, isReady }: AppOptions = {}): Hono {
  const { routing, context } = core;
  const app = new Hono();
  const v3 = v3Handlers(context);
  addHome(app, deskUrl);
  addHealth(app, context.store, isReady);
  addDocs(app, ANALYSIS_API, V3_PREFIXES);
  mountRoutes(app, V3_ROUTES, v3, V3_PREFIXES, routing);
  mountV1(app, core, v3);
  mountFallback(app, 'bearer', routing);
  return app;
}

/** Returns the CDR service and its documentation. */
export function createCdrApp({ routing, context }: ServiceCore, { isReady }: AppOptions = {}): Hono {
  const app = new Hono();
  addHealth(app, context.store, isReady);
  addDocs(app, CDR_API, ['']);
  mountRoutes(app, CDR_ROUTES, cdrHandlers(context), [''], routing);
  mountFallback(app, 'api-token', routing);
  return app;
}

/**
 * Checks for operators and load balancers. They need no key. `healthz` says whether the storage answers, `readyz` also whether the service
 * has started and is not about to stop.
 */
function addHealth(app: Hono, store: Pick<SubmissionStore, 'get'>, isReady: () => boolean = () => true): void {
  const headers = { 'cache-control': 'no-store' };
  const checked = (status: string, isGood: () => boolean) => async () => {
    try {
      // Any id is good enough: only the answer of the storage matters.
      await store.get('healthz');
    } catch {
      return errorResponse(new ServiceError('STORAGE_UNAVAILABLE'));
    }
    return isGood() ? Response.json({ status }, { headers }) : errorResponse(new ServiceError('NOT_READY'));
  };
  app.get(
    '/healthz',
    checked('ok', () => true),
  );
  app.get('/readyz', checked('ready', isReady));
}
