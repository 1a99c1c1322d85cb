/** Serves pages on a port of this machine, and of no other. */
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { answerBadRequests } from '../service/server/http/bad-requests.ts';
import { createDesk } from './desk.ts';
import type { DeskParts } from './desk-parts.tsx';
import { DROP_LIMITS } from './drops.ts';
import { createGuard } from './guard.ts';

const HOST = '127.0.0.1';
const HEADERS_MS = DROP_LIMITS.requestMs / 6;
/** A request that has not arrived whole by then ends with 408. Node looks for such requests as often as the shorter time. An answer has no limit. */
const TIMES = {
  requestTimeout: DROP_LIMITS.requestMs,
  headersTimeout: HEADERS_MS,
  connectionsCheckingInterval: HEADERS_MS,
};

export interface RunningDesk {
  /** The address with the token. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the desk; port 0 means any free one. Rejects when the port is taken (EADDRINUSE). */
export async function startDesk(port: number, parts: Omit<DeskParts, 'guard'>): Promise<RunningDesk> {
  let bound = port;
  const guard = createGuard(() => bound);
  const { port: taken, close } = await listenOn(port, createDesk({ ...parts, guard }));
  bound = taken;
  return { url: `http://${HOST}:${bound}/?token=${guard.token}`, close };
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Puts pages on a port of this machine; port 0 means any free one. Rejects when the port is taken (EADDRINUSE). */
export async function listenOn(port: number, { fetch }: Hono): Promise<Listening> {
  const listener = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    // Only requests come here that cannot become a Request: their Host or their target does not form a URL.
    errorHandler: () => new Response('This is no request.', { status: 400 }),
  });
  const server = createServer(TIMES, (request, response) => void listener(request, response));
  answerBadRequests(server);
  const bound = await listening(server, port);
  return {
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listening(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
