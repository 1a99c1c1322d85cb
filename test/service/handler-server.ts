/** A server on a loopback port. Its answers are a function of the request with its whole body. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  readonly method: string;
  /** The path and the query as they were sent. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface HandlerServer {
  readonly url: string;
  readonly heard: Heard[];
  close(): Promise<void>;
}

/** Starts it. */
export async function handlerServer(
  handle: (request: Heard, response: ServerResponse, at: number) => void,
): Promise<HandlerServer> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece);
    } catch {
      return;
    }
    const { method = '', url = '', headers } = request;
    const entry = { method, url, headers, body: Buffer.concat(pieces) };
    heard.push(entry);
    handle(entry, response, heard.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
