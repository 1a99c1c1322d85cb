/** The desk on a port of this machine, and of no other. */
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createDesk, type DeskParts } from './desk.ts';
import { createGuard } from './guard.ts';

const HOST = '127.0.0.1';

export interface RunningDesk {
  /** The address with the token. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the desk; port 0 means any free one. Rejects when the port is taken (EADDRINUSE). */
export async function startDesk(port: number, parts: Omit<DeskParts, 'guard'>): Promise<RunningDesk> {
  let bound = port;
  const guard = createGuard(() => bound);
  const desk = createDesk({ ...parts, guard });
  const listener = getRequestListener(desk.fetch, {
    overrideGlobalObjects: false,
    // Only requests come here that cannot become a Request: their Host or their target does not form a URL.
    errorHandler: () => new Response('This is no request.', { status: 400 }),
  });
  const server = createServer((request, response) => void listener(request, response));
  bound = await listening(server, port);
  return {
    url: `http://${HOST}:${bound}/?token=${guard.token}`,
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
