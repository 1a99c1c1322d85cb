/** Web sites on loopback ports for visits. Only the injected resolver knows their names, and a test writes their answers. */
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { reportOf } from '../../lib/engines/threads/worker.ts';
import { type VisitSettings, withVisits } from '../../lib/engines/url/visit/visiting-runner.ts';
import type { UrlReport, UrlVisit } from '../../lib/engines/url-report.ts';
import { NET_MS } from '../runner/net.ts';
import { type HandlerServer, handlerServer } from '../service/handler-server.ts';
import { selfSigned } from '../service/self-signed.ts';

export const LOOPBACK = '127.0.0.1';

export type Pages = Readonly<Record<string, (response: ServerResponse, port: number) => void>>;

/** A site with the given answers by path. Any other path is 404, and the host name does not matter. */
export async function site(pages: Pages): Promise<HandlerServer & { readonly port: number }> {
  let port = 0;
  const server = await handlerServer(({ url }, response) => {
    const page = pages[new URL(url, 'http://x.example').pathname];
    if (page) page(response, port);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<p>nothing here');
  });
  port = Number(new URL(server.url).port);
  return { ...server, port };
}

/** A site over TLS with a self-signed certificate for `localhost`. */
export async function tlsSite(body: string) {
  const { key, cert } = selfSigned();
  const server = createTlsServer({ key, cert }, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cert,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const sendHtml = (html: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
};
export const sendTo =
  (location: string | ((port: number) => string), status = 302) =>
  (response: ServerResponse, port: number) => {
    response.writeHead(status, { location: typeof location === 'string' ? location : location(port) }).end();
  };

/** Engines in this thread, with visits. Loopback is allowed on these ports, and every name leads there. */
export function visitor(ports: readonly number[], settings: Partial<VisitSettings> = {}) {
  return withVisits(
    { run: (task) => reportOf(task, DEFAULT_ENGINE_LIMITS) },
    {
      chromium: null,
      allowAddresses: [LOOPBACK],
      allowPorts: ports,
      resolve: async () => [LOOPBACK],
      timeoutMs: NET_MS,
      ...settings,
    },
  );
}

/** The report of a visit. Throws when there is none. */
export async function visited(
  url: string,
  ports: readonly number[],
  settings: Partial<VisitSettings> = {},
): Promise<UrlReport & { readonly visit: UrlVisit; readonly ids: readonly string[] }> {
  const report = await visitor(ports, settings).run({ engine: 'url', url });
  if (report.outcome !== 'completed' || !('visit' in report) || !report.visit) throw new Error(JSON.stringify(report));
  return { ...report, visit: report.visit, ids: report.findings.map(({ id }) => id) };
}
