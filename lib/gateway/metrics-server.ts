/** The Prometheus endpoint: `GET /metrics`, on an address of this machine only. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { HostPort } from './settings.ts';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Returns true for addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(host);
}

/** Starts the endpoint. Rejects when the address cannot be used. */
export async function serveMetrics({ host, port }: HostPort, text: () => Promise<string>): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isKnown = request.method === 'GET' && request.url === '/metrics';
    if (!isKnown) {
      response.writeHead(404).end();
      return;
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
