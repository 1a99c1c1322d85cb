/** The two services as functions from Request to Response. No socket, no environment, no global state. */
import { Hono } from 'hono';
import { CDR_ROUTES } from '../contract/cdr.ts';
import { ANALYSIS_API, CDR_API } from '../contract/descriptions.ts';
import { V3_PREFIXES, V3_ROUTES } from '../contract/v3.ts';
import { cdrHandlers } from './cdr/handlers.ts';
import type { ServiceCore } from './core.ts';
import { addDocs } from './http/docs.ts';
import { mountFallback, mountRoutes } from './routing.ts';
import { errorResponse, ServiceError } from './service-error.ts';
import type { SubmissionStore } from './store/submission-store.ts';
import { mountV1 } from './v1/app.ts';
import { v3Handlers } from './v3/handlers.ts';

/** The analysis service: v3, v1 and their documentation. */
export function createAnalysisApp(core: ServiceCore): Hono {
  const { routing, context } = core;
  const app = new Hono();
  const v3 = v3Handlers(context);
  addHealth(app, context.store);
  addDocs(app, ANALYSIS_API, V3_PREFIXES);
  mountRoutes(app, V3_ROUTES, v3, V3_PREFIXES, routing);
  mountV1(app, core, v3);
  mountFallback(app, 'bearer', routing);
  return app;
}

/** The CDR service and its documentation. */
export function createCdrApp({ routing, context }: ServiceCore): Hono {
  const app = new Hono();
  addHealth(app, context.store);
  addDocs(app, CDR_API, ['']);
  mountRoutes(app, CDR_ROUTES, cdrHandlers(context), [''], routing);
  mountFallback(app, 'api-token', routing);
  return app;
}

/** A health check for operators: it needs no key and only says whether the storage answers. */
function addHealth(app: Hono, store: Pick<SubmissionStore, 'get'>): void {
  app.get('/healthz', async () => {
    try {
      // Any id is good enough: only the answer of the storage matters.
      await store.get('healthz');
      return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
    } catch {
      return errorResponse(new ServiceError('STORAGE_UNAVAILABLE'));
    }
  });
}
