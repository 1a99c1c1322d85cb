/** Connections to a checked address, directly or through a proxy that gets the address and not the name. */
import { request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { VisitedCertificate } from '../../url-report.ts';
import { CONNECT_MS } from './limits.ts';

export interface Connection {
  /** The checked address. */
  readonly address: string;
  /** The host of the URL, which the certificate must name. */
  readonly hostname: string;
  /** `http://host:port` of a proxy that understands CONNECT; null for none. */
  readonly proxy: string | null;
  /** Certificates trusted beside those of Node, in PEM: for tests. */
  readonly ca: string | null;
  readonly signal: AbortSignal;
  readonly onCertificate: (certificate: VisitedCertificate) => void;
}

/**
 * Returns a connector for undici that goes to the checked address only. TLS is verified for the host of the URL. Fails with the error of
 * the socket, of TLS or of the proxy.
 */
export function pinnedConnector(connection: Connection): buildConnector.connector {
  const { address, proxy, ca, onCertificate, signal } = connection;
  const hostname = connection.hostname.replace(/^\[|\]$/g, '');
  // No sessions are kept: a resumed one would show no certificate.
  const connect = buildConnector({
    timeout: CONNECT_MS,
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    ...(ca && { ca }),
  });
  return (options, callback) => {
    const pinned = { ...options, hostname: address, ...(isIP(hostname) === 0 && { servername: hostname }) };
    const done: buildConnector.Callback = (...[error, socket]) => {
      if (error) return callback(error, null);
      if (socket instanceof TLSSocket) onCertificate(certificateOf(socket));
      callback(null, socket);
    };
    if (proxy === null) return connect(pinned, done);
    tunnel(proxy, address, options.port || (options.protocol === 'https:' ? '443' : '80'), signal).then(
      (socket) =>
        options.protocol === 'https:' ? connect({ ...pinned, httpSocket: socket }, done) : callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

/** Connects through a proxy (RFC 9110 §9.3.6). The proxy gets the address, because a name that it resolved itself could lead anywhere. */
function tunnel(proxy: string, address: string, port: string, signal: AbortSignal): Promise<Socket> {
  const { hostname, port: proxyPort, username, password } = new URL(proxy);
  const target = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return new Promise((resolve, reject) => {
    const asked = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: proxyPort || 80,
      method: 'CONNECT',
      path: target,
      signal,
      timeout: CONNECT_MS,
      agent: false,
      headers: { host: target, ...(username && { 'proxy-authorization': `Basic ${credentials}` }) },
    });
    asked.once('connect', (answer, socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy refused with status ${answer.statusCode}`));
    });
    asked.once('response', (answer) => {
      answer.destroy();
      reject(new Error(`the proxy answered with status ${answer.statusCode}`));
    });
    asked.once('timeout', () => asked.destroy(new Error('the proxy did not answer')));
    asked.once('error', reject);
    asked.end();
  });
}

function certificateOf(socket: TLSSocket): VisitedCertificate {
  const { subject, issuer, valid_from, valid_to, serialNumber, fingerprint256 } = socket.getPeerCertificate();
  const nameOf = (names: Readonly<Record<string, unknown>> | undefined) =>
    Object.entries(names ?? {})
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(', ')
      .slice(0, 300);
  return {
    subject: nameOf({ ...subject }),
    issuer: nameOf({ ...issuer }),
    validFromMs: Date.parse(valid_from) || 0,
    validToMs: Date.parse(valid_to) || 0,
    serialNumber: serialNumber ?? '',
    fingerprint: fingerprint256 ?? '',
  };
}
