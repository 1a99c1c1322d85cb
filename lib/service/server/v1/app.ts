/** Mounts v1 beside v3: the same submissions, in the words of v1. */
import type { Hono } from 'hono';
import type { RouteDefinition } from '../../contract/common.ts';
import { V1_REMOVED_ROUTES, V1_ROUTES } from '../../contract/v1.ts';
import type { V3_ROUTES } from '../../contract/v3.ts';
import type { ServiceCore } from '../core.ts';
import { answered, type Handlers, mountRoutes } from '../routing.ts';
import { ServiceError } from '../service-error.ts';
import { withConnectivityTest } from './connectivity.ts';
import { v1Handlers } from './handlers.ts';

/** The text by which v1 clients recognise a refused key. */
const PHRASES = { UNAUTHORIZED: 'UnauthorizedError' } as const;

/** Adds every v1 route, and the removed routes, whose answer names the replacement. */
export function mountV1(app: Hono, { routing, context }: ServiceCore, v3: Handlers<typeof V3_ROUTES>): void {
  const deps = { ...routing, store: withConnectivityTest(routing.store), phrases: PHRASES };
  mountRoutes(app, V1_ROUTES, v1Handlers(context, v3), [''], deps);
  const auth: RouteDefinition['auth'] = 'bearer-or-cookie';
  for (const { name, path, code, note } of V1_REMOVED_ROUTES) {
    app.all(path, (c) =>
      answered(c, `removed ${name}`, auth, deps, async () => {
        throw new ServiceError(code, { message: note });
      }),
    );
  }
}
