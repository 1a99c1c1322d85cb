/** From a table of routes and a table of handlers to a running app: the one place that knows the HTTP framework. */
import { type Context, Hono } from 'hono';
import type { RouteDefinition, RouteInput, RouteJson } from '../contract/common.ts';
import { parseJson, readBody } from './body.ts';
import { requireKey } from './credentials.ts';
import { inputError } from './input-error.ts';
import type { JobQueue, Slot } from './job-queue.ts';
import type { ServiceLimits } from './limits.ts';
import { parseMultipart } from './multipart.ts';
import { errorResponse, ServiceError } from './service-error.ts';

/** A file as a handler returns it. */
export interface FileAnswer {
  readonly bytes: Uint8Array;
  /** ASCII and safe in a header: made by filename.ts or cdr-view.ts. */
  readonly filename: string;
}

/** A handler of one route: parsed input in, the contract's JSON or a file out. Refusals are thrown as ServiceError. */
export type Handler<R extends RouteDefinition> = (
  input: RouteInput<R>,
  /** The place in the job queue that POST routes hold. */
  slot: Slot,
) => Promise<[RouteJson<R>] extends [never] ? FileAnswer : RouteJson<R>>;

/** A handler for every route of a table: a route without one does not compile. */
export type Handlers<Routes extends readonly RouteDefinition[]> = {
  readonly [R in Routes[number] as R['name']]: Handler<R>;
};

/** One line per request. Holds the name of the route, never a path, a header or a body: those are the caller's text. */
export interface AccessLogEntry {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface RoutingDeps {
  readonly isAccepted: (key: string) => boolean;
  readonly queue: JobQueue;
  readonly limits: ServiceLimits;
  readonly now: () => number;
  readonly log: (entry: AccessLogEntry) => void;
  /** Told of faults of ours, which the answer does not explain. */
  readonly onFault: (error: unknown) => void;
}

type AnyHandler = (input: RouteInput<RouteDefinition>, slot: Slot) => Promise<unknown>;

/** An app that answers every route under every prefix and every alias, and anything else with ROUTE_NOT_FOUND. */
export function createRoutes<const Routes extends readonly RouteDefinition[]>(
  routes: Routes,
  handlers: Handlers<Routes>,
  prefixes: readonly string[],
  deps: RoutingDeps,
): Hono {
  const app = new Hono();
  for (const route of routes) {
    // The mapped type above proves that this handler takes this route's input; the table lookup cannot carry the proof.
    const handler = (handlers as unknown as Readonly<Record<string, AnyHandler>>)[route.name];
    if (!handler) throw new TypeError(`route ${route.name} has no handler`);
    for (const prefix of prefixes) {
      for (const path of route.paths) {
        app.on(route.method, prefix + path, (c) => answer(c, route.name, deps, () => run(c, route, handler, deps)));
      }
    }
  }
  const auth = routes[0]?.auth ?? 'bearer';
  app.all('*', (c) =>
    answer(c, 'none', deps, async () => {
      requireKey(c.req.raw.headers, auth, deps.isAccepted);
      throw new ServiceError('ROUTE_NOT_FOUND');
    }),
  );
  return app;
}

async function answer(c: Context, route: string, deps: RoutingDeps, work: () => Promise<Response>): Promise<Response> {
  const startedMs = deps.now();
  const response = await work().catch((error: unknown) => {
    if (!(error instanceof ServiceError)) deps.onFault(error);
    return errorResponse(error);
  });
  response.headers.set('cache-control', 'no-store');
  response.headers.set('x-content-type-options', 'nosniff');
  deps.log({ route, method: c.req.method, status: response.status, durationMs: deps.now() - startedMs });
  return response;
}

async function run(c: Context, route: RouteDefinition, handler: AnyHandler, deps: RoutingDeps): Promise<Response> {
  requireKey(c.req.raw.headers, route.auth, deps.isAccepted);
  const params = parsed(route.request.params, c.req.param(), 'params');
  const query = parsed(route.request.query, c.req.query(), 'query');
  const slot = route.method === 'POST' ? deps.queue.reserve(announcedBytes(c.req.raw, deps.limits)) : NO_SLOT;
  try {
    const json = route.request.json && parsed(route.request.json, await jsonBody(c.req.raw, deps.limits), 'body');
    const multipart =
      route.request.multipart && parsed(route.request.multipart, await formBody(c.req.raw, deps.limits), 'body');
    return toResponse(route, await handler({ params, query, json, multipart } as RouteInput<RouteDefinition>, slot));
  } finally {
    slot.release();
  }
}

const NO_SLOT: Slot = { start: () => undefined, release: () => undefined };

/** What an upload may cost: its announced size, or the limit when it announces none. */
function announcedBytes(request: Request, limits: ServiceLimits): number {
  const announced = Number(request.headers.get('content-length') ?? limits.uploadBytes);
  return announced >= 0 && announced <= limits.uploadBytes ? announced : limits.uploadBytes;
}

function parsed(schema: RouteDefinition['request']['params'], value: unknown, where: 'params' | 'query' | 'body') {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (!result.success) throw inputError(where, result.error.issues);
  return result.data;
}

async function jsonBody(request: Request, limits: ServiceLimits): Promise<unknown> {
  return parseJson(await readBody(request, { maxBytes: limits.jsonBytes, discardedBytes: limits.discardedBytes }));
}

async function formBody(request: Request, limits: ServiceLimits) {
  const body = await readBody(request, { maxBytes: limits.uploadBytes, discardedBytes: limits.discardedBytes });
  return parseMultipart(request.headers.get('content-type'), body, limits);
}

function toResponse(route: RouteDefinition, value: unknown): Response {
  const body = route.responses[200];
  if (body.kind === 'json') return Response.json(value);
  const { bytes, filename } = value as FileAnswer;
  // The cast only says that nobody shares this memory with another thread; a copy would cost the file once more.
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': body.contentType,
      'content-length': String(bytes.byteLength),
      // Only the plain form: public clients misread a filename* beside it.
      'content-disposition': `attachment; filename="${filename}"`,
    },
  });
}
