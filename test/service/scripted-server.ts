/** A server on a loopback port that answers each request with the next step of its script. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `reset` breaks the connection after the request was read; `hang` never answers. */
export type Step =
  | 'reset'
  | 'hang'
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | object };

export interface ScriptedServer {
  readonly url: string;
  /** `METHOD path` of every request, in order. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** Starts it. A request beyond the script is answered with 500 and the code SCRIPT_ENDED. */
export async function scriptedServer(...script: readonly Step[]): Promise<ScriptedServer> {
  const steps = [...script];
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    request.resume().on('end', () => perform(steps.shift(), request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function perform(step: Step | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (step === 'hang') return;
  if (step === 'reset') {
    request.socket.destroy();
    return;
  }
  const { status = 200, headers = {}, body = {} } = step ?? { status: 500, body: { code: 'SCRIPT_ENDED' } };
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
}
