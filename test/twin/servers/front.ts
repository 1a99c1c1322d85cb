/**
 * The front of all services: one port on 127.0.0.1. It finds out who calls what by the signature's scope, lets faults happen, asks the
 * gate, and hands the call to its service. What a service does not know is remembered, and ends the run.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnknownToTwinError } from '../assembly/refuse.ts';
import type { ToldClock } from '../clock.ts';
import type { Gate } from '../policies/gate.ts';
import { type Answer, type AwsCall, AwsError, type KnownCaller, type Service } from './call.ts';

/** What a fault does to a call. A process that is killed hears no answer. */
export type Interruption =
  | { readonly do: 'refuse'; readonly error: AwsError }
  | { readonly do: 'kill-before' }
  | { readonly do: 'kill-after' }
  | { readonly do: 'answer'; readonly answer: Answer };

export interface FrontOptions {
  readonly clock: ToldClock;
  /** Null: everything is allowed. */
  readonly gate: () => Gate | null;
  readonly services: Readonly<Record<string, Service>>;
  /** Faults. @default none */
  readonly interrupt?: (call: AwsCall) => Interruption | null;
  readonly kill?: (pid: number) => void;
  /** Called for each call that was done. */
  readonly onCall?: (call: AwsCall) => void;
}

export interface Front {
  readonly url: string;
  /** What no service of the twin knows, in the order of the calls. */
  readonly unknowns: string[];
  /** Makes credentials known. */
  admit(accessKeyId: string, caller: KnownCaller): void;
  dismiss(accessKeyId: string): void;
  close(): Promise<void>;
}

const SCOPE = /Credential=([^/]+)\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/;
/** AWS refuses a signature that is farther from its own time. Milliseconds. */
const MAX_SKEW_MS = 15 * 60_000;

/** Starts the front on any free port. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const callers = new Map<string, KnownCaller>();
  const unknowns: string[] = [];
  const server = createServer((request, response) => {
    answerTo(options, callers, request, response).catch((error: unknown) => {
      unknowns.push(error instanceof Error ? error.message : String(error));
      if (!(error instanceof UnknownToTwinError)) unknowns.push(error instanceof Error ? String(error.stack) : '');
      send(options.clock, response, { status: 501, body: 'not known to the twin' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unknowns,
    admit: (accessKeyId, caller) => void callers.set(accessKeyId, caller),
    dismiss: (accessKeyId) => void callers.delete(accessKeyId),
    close: () => closed(server),
  };
}

async function answerTo(
  options: FrontOptions,
  callers: ReadonlyMap<string, KnownCaller>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readAll(request);
  const [, accessKeyId = '', serviceName = ''] = SCOPE.exec(request.headers.authorization ?? '') ?? [];
  const caller = callers.get(accessKeyId);
  const service = options.services[serviceName];
  if (!service) throw new UnknownToTwinError(`a call to service ${JSON.stringify(serviceName)}: ${request.url}`);
  if (!caller)
    return send(options.clock, response, service.error(new AwsError('InvalidClientTokenId', 403, 'no such key')));
  const { method = 'GET', url: target = '/', headers } = request;
  const raw = { service: serviceName, method, target, headers, body };
  const call: AwsCall = { ...raw, caller, operation: service.operation(raw) };
  const skewed = skewOf(options.clock, call);
  if (skewed !== null) return send(options.clock, response, service.error(skewed));
  const interruption = options.interrupt?.(call) ?? null;
  if (interruption?.do === 'kill-before' && caller.pid !== null) {
    options.kill?.(caller.pid);
    response.destroy();
    return;
  }
  const answer = interruption ? interrupted(service, interruption) : null;
  const given = answer ?? (await done(options, service, call));
  if (interruption?.do === 'kill-after' && caller.pid !== null) {
    options.kill?.(caller.pid);
    response.destroy();
    return;
  }
  send(options.clock, response, given);
}

function interrupted(service: Service, interruption: Interruption): Answer | null {
  if (interruption.do === 'refuse') return service.error(interruption.error);
  return interruption.do === 'answer' ? interruption.answer : null;
}

async function done({ gate, onCall }: FrontOptions, service: Service, call: AwsCall): Promise<Answer> {
  try {
    const isAllowed = gate()?.allows(call.caller, service.needs(call)) ?? true;
    if (!isAllowed) throw denied(call);
    const answer = await service.answer(call);
    onCall?.(call);
    return answer;
  } catch (error) {
    if (error instanceof AwsError) {
      onCall?.(call);
      return service.error(error);
    }
    throw error;
  }
}

/** As S3 and as the others spell it. */
function denied({ service, caller, operation }: AwsCall): AwsError {
  const name = service === 's3' ? 'AccessDenied' : 'AccessDeniedException';
  return new AwsError(name, service === 's3' ? 403 : 400, `${caller.name} is not authorized to perform: ${operation}`);
}

/** The error for a signature of another time than ours. */
function skewOf(clock: ToldClock, { headers, service }: AwsCall): AwsError | null {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-amz-date'])) ?? [];
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const signedAt = Date.UTC(year, month - 1, day, hour, minute, second);
  if (Math.abs(signedAt - clock.now()) <= MAX_SKEW_MS) return null;
  const name = service === 's3' ? 'RequestTimeTooSkewed' : 'InvalidSignatureException';
  return new AwsError(name, 403, 'the time of the signature is too far from the time of the server');
}

function send(clock: ToldClock, response: ServerResponse, { status, headers = {}, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(status, {
    date: new Date(clock.now()).toUTCString(),
    'x-amzn-requestid': 'twin',
    ...length,
    ...headers,
  });
  response.end(body);
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function closed(server: Server): Promise<void> {
  const end = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await end;
}
