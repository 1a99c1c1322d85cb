/**
 * Calls the routes of one table. The contract defines the path, the query and the answer of each route, so a method of a client
 * needs only the name and the arguments.
 */
import type * as z from 'zod';
import { GROUP_HEADER, type RouteDefinition, type RouteJson } from '../contract/common.ts';
import { parseAnswer } from './answer.ts';
import { responseError } from './api-error.ts';
import { fillPath } from './base-url.ts';
import type { RouteNames } from './dialect.ts';
import { Download } from './download.ts';
import { AnalysisError, YaraRulePendingError } from './errors.ts';
import { type ExchangeRequest, labelOf, type RequestBody } from './exchange.ts';
import { boundedBytes, type CreateOptions, type Transport } from './transport.ts';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Submissions of the same group share a budget and take turns as one, when the service knows groups. Up to 200 letters, digits
   * and `-._:`. @default each submission is its own group
   */
  readonly group?: string | undefined;
}

/** How a query writes a list of values: `level=a,b` as documented, or `level=a&level=b` as public clients do. */
export type ListForm = 'comma' | 'repeated';

export interface RouteCallerOptions {
  /** Normalised. */
  readonly baseUrl: string;
  /** Returns the credential, and nothing else. */
  readonly headersOf: (route: RouteDefinition) => Readonly<Record<string, string>>;
  readonly transport: Transport;
  /** @default comma for a service of the documented dialect, repeated for one of the public dialect */
  readonly listForm?: ListForm | undefined;
  /** The names by which the service knows its routes. */
  readonly names: RouteNames;
}

type Routes = readonly RouteDefinition[];
type NameOf<R extends Routes> = R[number]['name'];

/** One route of a table, by its name. */
export type RouteNamed<R extends Routes, N extends NameOf<R>> = Extract<R[number], { readonly name: N }>;

/** The values of a route's query: every field optional, none null. */
export type QueryOf<Route extends RouteDefinition> = Route['request']['query'] extends infer S extends z.ZodType
  ? { readonly [K in keyof z.output<S>]?: QueryField<Exclude<z.output<S>[K], null | undefined>> | undefined }
  : Readonly<Record<never, never>>;

/** A date can also be text, for times that a Date cannot hold. Lists may be read-only. */
type QueryField<T> = T extends Date ? Date | string : T extends readonly (infer I)[] ? readonly I[] : T;

export type Params = Readonly<Record<string, string | number>>;
export type QueryValue = string | number | boolean | Date | readonly (string | number)[] | null | undefined;

/** Most bytes of a JSON answer: a service could send JSON without end. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;
const MAX_PENDING_BYTES = 64 * 1024;

/**
 * Every method rejects with an AnalysisError (errors.ts), or with the reason of the caller's own signal.
 *
 * @example
 * ```ts
 * import { V3_ROUTES } from './lib/service/contract/v3.ts';
 * import { RouteNames } from './lib/service/client/dialect.ts';
 * import { Transport } from './lib/service/client/transport.ts';
 *
 * const transport = new Transport({ timeoutMs: 5_000 });
 * const options = { baseUrl: 'https://analysis.example', headersOf: () => ({}), transport, names: new RouteNames() };
 * const { total } = await new RouteCaller(V3_ROUTES, options).json('listSubmissions', {}, { limit: 1 });
 * ```
 */
export class RouteCaller<const R extends Routes> {
  readonly transport: Transport;
  readonly #routes: ReadonlyMap<string, RouteDefinition>;
  readonly #options: RouteCallerOptions;

  constructor(routes: R, options: RouteCallerOptions) {
    this.#routes = new Map(routes.map((route) => [route.name, route]));
    this.#options = options;
    this.transport = options.transport;
  }

  /** The JSON of a route that changes nothing. */
  async json<N extends NameOf<R>>(
    name: N,
    params: Params,
    query: object = {},
    options: CallOptions = {},
  ): Promise<RouteJson<RouteNamed<R, N>>> {
    return await this.#options.names.call(this.#route(name), async (path) => {
      const request = this.#request(name, path, params, query, options);
      return this.#parse(name, request, (await this.transport.read(request, MAX_JSON_BYTES)).bytes);
    });
  }

  /** Does the same in one attempt and by the documented name, for callers that repeat by themselves. */
  async jsonOnce<N extends NameOf<R>>(
    name: N,
    params: Params,
    options: CallOptions,
  ): Promise<RouteJson<RouteNamed<R, N>>> {
    const request = this.#request(name, this.#route(name).paths[0], params, {}, options);
    const answer = await this.transport.readOnce(request, MAX_JSON_BYTES);
    if (answer instanceof AnalysisError) throw answer;
    return this.#parse(name, request, answer.bytes);
  }

  /** Returns the file of a route. Rejects with YaraRulePendingError while the file is being made. */
  async file<N extends NameOf<R>>(name: N, params: Params, options: CallOptions = {}): Promise<Download> {
    return await this.#options.names.call(this.#route(name), async (path) => {
      const request = this.#request(name, path, params, {}, options);
      const answer = await this.transport.open(request);
      if (answer.status !== 202) return new Download(this.transport, request, answer);
      const body = await boundedBytes(answer.body, MAX_PENDING_BYTES, labelOf(request));
      throw pendingError(answer.headers, body, labelOf(request), this.transport.now());
    });
  }

  /** The JSON of a route that creates something. */
  async create<N extends NameOf<R>>(
    name: N,
    send: { readonly body: RequestBody; readonly query?: object } & Omit<
      CreateOptions<RouteJson<RouteNamed<R, N>>>,
      'maxBytes'
    >,
    options: CallOptions,
  ): Promise<RouteJson<RouteNamed<R, N>>> {
    const { body, query = {}, ...how } = send;
    const attempt = async (path: string) => {
      const request = { ...this.#request(name, path, {}, query, options), body };
      const answer = await this.transport.create(request, { ...how, maxBytes: MAX_JSON_BYTES });
      return 'found' in answer ? answer.found : this.#parse(name, request, answer.bytes);
    };
    return await this.#options.names.call(this.#route(name), attempt, how.canResend);
  }

  /** Throws TypeError for a parameter that is empty or a dot segment. */
  #request(
    name: NameOf<R>,
    path: string,
    params: Params,
    query: object,
    { signal, group }: CallOptions,
  ): ExchangeRequest {
    const route = this.#route(name);
    const { baseUrl, headersOf, names } = this.#options;
    const { listForm = names.dialect === 'public' ? 'repeated' : 'comma' } = this.#options;
    const search = queryString(query as Readonly<Record<string, QueryValue>>, listForm);
    const url = baseUrl + fillPath(path, params) + search;
    const headers = { ...headersOf(route), ...(group !== undefined && { [GROUP_HEADER]: group }) };
    return { method: route.method, url, headers, signal };
  }

  #parse<N extends NameOf<R>>(name: N, request: ExchangeRequest, bytes: Uint8Array): RouteJson<RouteNamed<R, N>> {
    const body = this.#route(name).responses[200];
    if (body.kind !== 'json') throw new TypeError(`route ${name} answers with a file`);
    // The table guarantees that this is the schema of the route, but a lookup by name loses that type.
    return parseAnswer(body.schema, bytes, labelOf(request)) as RouteJson<RouteNamed<R, N>>;
  }

  #route(name: string): RouteDefinition {
    const route = this.#routes.get(name);
    if (!route) throw new TypeError(`no route ${name}`);
    return route;
  }
}

/**
 * Returns `?a=1&b=x,y`, or nothing. Values that are null or undefined are not sent.
 *
 * @example
 * ```ts
 * queryString({ level: ['malicious', 'suspicious'], page: 2 }, 'repeated'); // => '?level=malicious&level=suspicious&page=2'
 * ```
 */
export function queryString(query: Readonly<Record<string, QueryValue>>, listForm: ListForm): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) search.append(key, textOf(value as Exclude<QueryValue, readonly unknown[]>));
    // An empty list means no filter. Sent as it is, it would ask for submissions without any level.
    else if (value.length > 0 && listForm === 'comma') search.append(key, value.join(','));
    else for (const item of value) search.append(key, String(item));
  }
  const text = search.toString();
  return text && `?${text}`;
}

const textOf = (value: string | number | boolean | Date | null | undefined) =>
  value instanceof Date ? value.toISOString() : String(value);

const DEFAULT_PENDING_SECONDS = 5;

function pendingError(headers: { get(name: string): string | null }, body: Uint8Array, label: string, nowMs: number) {
  const error = responseError(202, headers, body, label, nowMs);
  const retryAfterSeconds = error.retryAfterSeconds ?? pendingSeconds(body) ?? DEFAULT_PENDING_SECONDS;
  const facts = { status: 202, code: 'YARA_RULE_PENDING', details: error.details, retryAfterSeconds };
  return new YaraRulePendingError(`the rule is being made, ask again in ${retryAfterSeconds} s: ${label}`, facts);
}

/** `{message, retryAfter}` with seconds. */
function pendingSeconds(body: Uint8Array): number | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    const seconds: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'retryAfter') : null;
    return typeof seconds === 'number' && seconds >= 0 && seconds <= 86_400 ? seconds : null;
  } catch {
    return null;
  }
}
