/**
 * The door at which mail servers offer messages by the milter protocol. Only named servers may connect, because the protocol has no
 * password.
 */
import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { clientMatcher } from '../client-addresses.ts';
import type { Door } from '../door.ts';
import { packetsIn, QUIT } from './packets.ts';
import { openSession, type SessionOptions } from './session.ts';

/** Opens the door. Rejects when the address cannot be used. */
export async function openMilterDoor(options: SessionOptions): Promise<Door> {
  const { settings, limits } = options;
  const sockets = new Set<Socket>();
  const isNamed = clientMatcher(settings.clients);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    const mayConnect = settings.path !== null || isNamed(socket.remoteAddress ?? '');
    if (!mayConnect || sockets.size >= limits.connections) return void socket.destroy();
    sockets.add(socket);
    options.onConnections(sockets.size);
    socket.once('close', () => {
      sockets.delete(socket);
      options.onConnections(sockets.size);
    });
    socket.setTimeout(limits.dataSeconds * 1000, () => socket.destroy());
    void serve(options, socket).finally(() => socket.destroy());
  });
  if (settings.path === null) server.listen(settings.port, settings.host);
  else {
    await removeStale(settings.path);
    server.listen(settings.path);
  }
  await Promise.race([once(server, 'listening'), failed(server)]);
  server.on('error', (error) => options.onFault(error));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    // A mail server keeps its connections open between messages, and each has a time limit of its own.
    endSlowPeers: () => undefined,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      const last = setTimeout(() => destroyAll(sockets), graceMs);
      await options.offers.close();
      // A mail server whose connection ends says 4xx to its sender.
      for (const socket of sockets) socket.end();
      await closed;
      clearTimeout(last);
    },
  };
}

/** Serves one connection, until it ends. Never rejects: a mail server that loses us tells its sender to come back. */
async function serve(options: SessionOptions, socket: Socket): Promise<void> {
  const session = openSession(options, socket);
  socket.once('close', () => session.withdraw());
  try {
    for await (const packet of packetsIn(socket, options.limits.milterPacketBytes)) {
      if (packet.command === QUIT) break;
      await session.take(packet);
    }
  } catch (error) {
    // A broken connection is no fault of ours.
    if (!(error instanceof Error && 'code' in error)) options.onFault(error);
  } finally {
    session.withdraw();
  }
}

/** Removes the socket of a killed process. A socket with a listener stays. */
async function removeStale(path: string): Promise<void> {
  const socket = connect(path);
  const code = await new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
  socket.destroy();
  if (code === 'ECONNREFUSED') await unlink(path);
}

function destroyAll(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

async function failed(server: Server): Promise<never> {
  const [error] = await once(server, 'error');
  throw error;
}
