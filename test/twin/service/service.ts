/**
 * The analysis service on a port of its own: ours, with real engines, behind a proxy that a fault can let answer instead. The functions
 * know only the proxy.
 */
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { CDR_TOKEN_HEADER } from '../../../lib/service/contract/cdr.ts';
import type { EngineRunner } from '../../../lib/service/server/jobs/jobs.ts';
import { startService as startServer } from '../../../lib/service/server/listen.ts';
import type { ToldClock } from '../clock.ts';

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ServiceRequest {
  readonly method: string;
  /** Path with query. Those of the CDR service begin with `/cdr/`. */
  readonly path: string;
}

/** What a fault does to a request of the service. Null: nothing. */
export interface ServiceFault {
  /** Answers instead of the service, or cuts the connection. */
  before?(request: ServiceRequest): ServiceAnswer | 'cut' | null;
  /** Changes what the service answered. */
  after?(request: ServiceRequest, answer: ServiceAnswer): ServiceAnswer;
}

export interface TwinService {
  readonly url: string;
  readonly cdrUrl: string;
  /** Keys that are accepted now. An operator of the service may change them at any time. */
  readonly keys: Set<string>;
  fault: ServiceFault;
  /** Requests that came, as `POST /path`. */
  readonly requests: ServiceRequest[];
  close(): Promise<void>;
}

export interface TwinServiceOptions {
  readonly clock: ToldClock;
  /** The engines. Their owner closes them. */
  readonly engines: EngineRunner;
}

const OWN_KEY = 'the-key-of-the-service-behind-the-proxy';

/** Starts the service and its proxy on any free ports. */
export async function startTwinService({ clock, engines }: TwinServiceOptions): Promise<TwinService> {
  const pool: EngineRunner = {
    ...engines,
    run: (task, group) => clock.work(() => engines.run(task, group)),
    ...(engines.runStored && {
      runStored: (task, group) => clock.work(() => engines.runStored?.(task, group) ?? Promise.reject(new Error())),
    }),
    versions: () => engines.versions?.() ?? Promise.reject(new Error('the engines tell no versions')),
  };
  const behind = await startServer({ port: 0, apiKey: OWN_KEY, cdrToken: OWN_KEY, pool });
  const keys = new Set<string>();
  const requests: ServiceRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const request = { method: incoming.method ?? 'GET', path: incoming.url ?? '/' };
    requests.push(request);
    answered(service.fault, request, () => forwarded(behind.url, keys, incoming, request)).then(
      (answer) => (answer === 'cut' ? outgoing.destroy() : send(outgoing, answer)),
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: TwinService = {
    url,
    cdrUrl: `${url}/cdr`,
    keys,
    fault: {},
    requests,
    async close() {
      const end = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await end;
      await behind.close();
    },
  };
  return service;
}

async function answered(fault: ServiceFault, request: ServiceRequest, forward: () => Promise<ServiceAnswer>) {
  const instead = fault.before?.(request) ?? null;
  if (instead !== null) return instead;
  const answer = await forward();
  return fault.after?.(request, answer) ?? answer;
}

/** Asks the service behind the proxy, with its own key when the caller has one that is accepted. */
async function forwarded(
  url: string,
  keys: ReadonlySet<string>,
  incoming: IncomingMessage,
  { path }: ServiceRequest,
): Promise<ServiceAnswer> {
  const body = await readAll(incoming);
  const headers = { ...incoming.headers };
  const bearer = headers.authorization?.replace(/^Bearer /, '');
  const token = headers[CDR_TOKEN_HEADER];
  if (bearer !== undefined) headers.authorization = `Bearer ${keys.has(bearer) ? OWN_KEY : 'refused'}`;
  if (token !== undefined) headers[CDR_TOKEN_HEADER] = keys.has(String(token)) ? OWN_KEY : 'refused';
  // The body is complete here, so its length replaces the framing that it came with.
  delete headers['transfer-encoding'];
  if (body.length > 0) headers['content-length'] = String(body.length);
  return new Promise((resolve, reject) => {
    const asked = httpRequest(new URL(path, url), { method: incoming.method, headers }, (answer) => {
      readAll(answer).then((bytes) => {
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: bytes });
      }, reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

function send(outgoing: ServerResponse, { status, headers, body }: ServiceAnswer): void {
  const { 'transfer-encoding': _, ...others } = headers;
  outgoing.writeHead(status, { ...others, 'content-length': String(body.length) });
  outgoing.end(body);
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** An answer with a JSON body, as a service or a proxy before it gives. */
export function jsonAnswer(status: number, body: unknown, headers: IncomingHttpHeaders = {}): ServiceAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}
