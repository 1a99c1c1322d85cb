/** Makes an app from a table of routes and a table of handlers. Only this file knows the HTTP framework. */
import type { Context, Hono } from 'hono';
import { GROUP_HEADER, GROUP_NAME, type RouteDefinition, type RouteInput, type RouteJson } from '../contract/common.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { authenticated, type Call, requireReport, type SubmissionCall, visibleSubmission } from './call.ts';
import { type FileAnswer, type PendingAnswer, toResponse } from './http/answers.ts';
import { bodyReader, parseJson, readWhole, requirePlainBody } from './http/body.ts';
import { checkFieldNames } from './http/field-names.ts';
import { inputError } from './http/input-error.ts';
import { readForm } from './http/multipart.ts';
import type { JobPlaces, Slot } from './jobs/queue.ts';
import type { Quotas } from './jobs/quotas.ts';
import type { ServiceLimits } from './limits.ts';
import { errorResponse, ServiceError } from './service-error.ts';
import type { Caller, KeyRing } from './store/api-keys.ts';
import type { Retention } from './store/retention.ts';
import type { SubmissionStore } from './store/submission-store.ts';
import type { StoredSubmission } from './store/submissions.ts';
import type { UploadBatch, Uploads } from './store/uploads.ts';

/** The answer of a route: its file or its JSON, or "not ready" when the contract has a 202. */
type Answer<R extends RouteDefinition> =
  | ([RouteJson<R>] extends [never] ? FileAnswer : RouteJson<R>)
  | (R['responses'] extends { readonly 202: unknown } ? PendingAnswer : never);

/** A handler of one route: it takes parsed input and returns the contract's answer. It throws refusals as ServiceError. */
export type Handler<R extends RouteDefinition> = (
  input: RouteInput<R>,
  /** With the submission, for a route whose path names one. */
  call: R['paths'][0] extends `${string}/:uuid${string}` ? SubmissionCall : Call,
) => Promise<Answer<R>>;

/** A handler for every route of a table: a route without one does not compile. */
export type Handlers<Routes extends readonly RouteDefinition[]> = {
  readonly [R in Routes[number] as R['name']]: Handler<R>;
};

/** One line per request. It has the name of the route, but no path, header or body, because the caller wrote those. */
export interface AccessLogEntry {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** The code of the envelope; null when the answer is no refusal. */
  readonly code: ErrorCode | null;
  readonly durationMs: number;
  /** Id of the key, never the key; null when there was no valid key. */
  readonly keyId: string | null;
  /** The address of the caller; null where there is no connection. */
  readonly peer: string | null;
}

export interface RoutingDeps {
  readonly keys: KeyRing;
  readonly quotas: Quotas;
  readonly queue: JobPlaces;
  readonly uploads: Uploads;
  readonly retention: Retention;
  /** The store of the submissions that paths name. */
  readonly store: Pick<SubmissionStore, 'get'>;
  readonly limits: ServiceLimits;
  readonly now: () => number;
  readonly log: (entry: AccessLogEntry) => void;
  /** Called for our own faults, which the answer does not explain. */
  readonly onFault: (error: unknown) => void;
  /** Returns the address of the caller. @default none is logged */
  readonly peerOf?: ((c: Context) => string | null) | undefined;
  /** `error` of the envelope, where an interface has its own word for a code. @default the reason phrase of the status */
  readonly phrases?: Readonly<Partial<Record<ErrorCode, string>>>;
}

type AnyHandler = (input: RouteInput<RouteDefinition>, call: Call) => Promise<unknown>;

/** Bytes of a multipart body beside its file: fields, headers and boundaries. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;

/** Mounts every route of a table under every prefix and every alias. */
export function mountRoutes<const Routes extends readonly RouteDefinition[]>(
  app: Hono,
  routes: Routes,
  handlers: Handlers<Routes>,
  prefixes: readonly string[],
  deps: RoutingDeps,
): void {
  for (const route of routes) {
    // The mapped type above guarantees that this handler takes this route's input, but the look-up in the table loses that type.
    const handler = (handlers as unknown as Readonly<Record<string, AnyHandler>>)[route.name];
    if (!handler) throw new TypeError(`route ${route.name} has no handler`);
    for (const prefix of prefixes) {
      for (const path of route.paths) {
        app.on(route.method, prefix + path, (c) =>
          answered(c, route.name, route.auth, deps, (caller) => run(c, route, handler, caller, deps)),
        );
      }
    }
  }
}

/** Answers requests without a route: with this error for known callers, with UNAUTHORIZED for unknown ones. */
export function mountFallback(app: Hono, auth: RouteDefinition['auth'], deps: RoutingDeps): void {
  app.all('*', (c) =>
    answered(c, 'none', auth, deps, async () => {
      throw new ServiceError('ROUTE_NOT_FOUND');
    }),
  );
}

/** Runs the work of one request, with authentication, quota, envelope for errors, headers and log. */
export async function answered(
  c: Context,
  route: string,
  auth: RouteDefinition['auth'],
  deps: RoutingDeps,
  work: (caller: Caller) => Promise<Response>,
): Promise<Response> {
  const startedMs = deps.now();
  let keyId: string | null = null;
  let code: ErrorCode | null = null;
  const attempt = async () => {
    const caller = await authenticated(c.req.raw.headers, auth, deps.keys);
    keyId = caller.keyId;
    await deps.quotas.request(caller);
    return await work(caller);
  };
  const response = await attempt().catch((error: unknown) => {
    if (!(error instanceof ServiceError)) deps.onFault(error);
    code = error instanceof ServiceError ? error.code : 'INTERNAL_ERROR';
    return errorResponse(error, deps.phrases);
  });
  response.headers.set('cache-control', 'no-store');
  response.headers.set('x-content-type-options', 'nosniff');
  const { status } = response;
  const peer = deps.peerOf?.(c) ?? null;
  deps.log({ route, method: c.req.method, status, code, durationMs: deps.now() - startedMs, keyId, peer });
  return response;
}

async function run(
  c: Context,
  route: RouteDefinition,
  handler: AnyHandler,
  caller: Caller,
  deps: RoutingDeps,
): Promise<Response> {
  const { request } = route;
  const params = parsed(request.params, c.req.param(), 'params', route);
  const submission = await named(route, params, caller, deps);
  if (submission && route.requires) requireReport(submission, route.requires);
  const query = parsed(request.query, queryOf(c), 'query', route);
  const call = (slot: Slot) => {
    const untrustedUserAgent = c.req.header('user-agent') ?? '';
    return submission ? { caller, slot, untrustedUserAgent, submission } : { caller, slot, untrustedUserAgent };
  };
  if (route.method === 'GET') {
    return toResponse(route, await handler({ params, query } as RouteInput<RouteDefinition>, call(NO_SLOT)));
  }
  const group = groupOf(caller, c.req.header(GROUP_HEADER));
  return await withPlace(caller, group, deps, async (slot, batch) => {
    await deps.retention.makeRoom(request.multipart ? announcedBytes(c.req.raw, deps.limits) : 0);
    const body = await bodyOf(c.req.raw, route, deps.limits, batch);
    return toResponse(route, await handler({ params, query, ...body } as RouteInput<RouteDefinition>, call(slot)));
  });
}

const NO_SLOT: Slot = { start: () => undefined, release: () => undefined };

async function named(
  { paths }: RouteDefinition,
  params: Readonly<Record<string, unknown>> | undefined,
  caller: Caller,
  deps: RoutingDeps,
): Promise<StoredSubmission | null> {
  const uuid = paths[0].includes('/:uuid') ? params?.uuid : undefined;
  return typeof uuid === 'string' ? await visibleSubmission(deps.store, uuid, caller) : null;
}

/** Returns the group of the request; undefined when it names none. It contains the key, so nobody can use another key's budget. */
function groupOf({ keyId }: Caller, untrustedGroup = ''): string | undefined {
  return GROUP_NAME.test(untrustedGroup) ? `${keyId} ${untrustedGroup}` : undefined;
}

/** Takes a place in the quotas and in the queue, and a batch of uploads. All are given back at the end of the request. */
async function withPlace(
  caller: Caller,
  group: string | undefined,
  deps: RoutingDeps,
  work: (slot: Slot, batch: UploadBatch) => Promise<Response>,
): Promise<Response> {
  const { queue, quotas, uploads } = deps;
  const ticket = await quotas.submission(caller);
  const batch = uploads.begin();
  let place: Slot | undefined;
  try {
    place = await queue.reserve(group);
    const slot: Slot = {
      group,
      start: (job) => {
        ticket.use();
        place?.start((name) => job(name).finally(() => quotas.ended(caller.keyId)));
      },
      release: () => undefined,
    };
    return await work(slot, batch);
  } finally {
    place?.release();
    await ticket.release();
    await batch.end();
  }
}

/** Returns the size to reserve for an upload: its announced size, or the limit when it announces none. */
function announcedBytes(request: Request, limits: ServiceLimits): number {
  const announced = Number(request.headers.get('content-length') ?? limits.uploadBytes);
  return announced >= 0 && announced <= limits.uploadBytes ? announced : limits.uploadBytes;
}

/** Returns all values of a repeated key as a list; a single value as a text, because most parameters expect that. */
function queryOf(c: Context): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries()).map(([key, values]) => [
    key,
    values.length === 1 ? values[0] : values,
  ]);
  return Object.fromEntries(entries);
}

function parsed(
  schema: RouteDefinition['request']['params'],
  value: unknown,
  where: 'params' | 'query' | 'body',
  route: RouteDefinition,
) {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (!result.success) throw inputError(where, result.error.issues, route.invalidBody);
  return result.data;
}

function parsedBody(
  schema: NonNullable<RouteDefinition['request']['json']>,
  value: unknown,
  request: Request,
  route: RouteDefinition,
) {
  const query = [...new URL(request.url).searchParams.keys()];
  checkFieldNames(schema, value, query, route.invalidBody ?? 'INVALID_BODY');
  return parsed(schema, value, 'body', route);
}

async function bodyOf(request: Request, route: RouteDefinition, limits: ServiceLimits, batch: UploadBatch) {
  const { json, multipart, repeated } = route.request;
  const maxBytes = multipart ? limits.uploadBytes + FORM_OVERHEAD_BYTES : limits.jsonBytes;
  const reader = bodyReader(request, { maxBytes, discardedBytes: limits.discardedBytes });
  try {
    requirePlainBody(request.headers);
    if (json) return { json: parsedBody(json, parseJson(await readWhole(reader)), request, route) };
    if (!multipart) return {};
    const form = await readForm(request.headers.get('content-type'), reader, limits, batch.sink, repeated);
    return { multipart: parsedBody(multipart, form, request, route) };
  } catch (error) {
    await reader.drain();
    if (route.invalidBody && error instanceof ServiceError && error.code === 'INVALID_BODY') {
      throw new ServiceError(route.invalidBody, error.options);
    }
    throw error;
  }
}
