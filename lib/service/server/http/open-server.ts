/** The server of Node under the service, with its limits, and with TLS whose certificate may be renewed at run time. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { ServiceLimits } from '../limits.ts';
import { answerBadRequests } from './bad-requests.ts';

/** A source of a key and a certificate. */
export interface CertificateSource {
  /** Throws when they cannot be read. */
  read(): { readonly key: string; readonly cert: string; readonly minVersion: 'TLSv1.2' };
  /** Returns true when they differ from those that were read last. */
  hasChanged(): boolean;
}

export interface ServerOptions {
  readonly limits: Pick<ServiceLimits, 'requestMs' | 'headersMs' | 'certificateMs'>;
  /** @default plain HTTP */
  readonly tls?: CertificateSource | undefined;
  /** Called when a renewed certificate cannot be used. The earlier one stays in use. */
  readonly onFault: (error: unknown) => void;
}

/** How often Node looks for requests whose time is over, unless their time is shorter. */
const LOOK_MS = 30_000;

/** Makes the server, which does not listen yet. Throws the errors of `tls.read`, and when key and certificate do not fit. */
export function openServer(listener: RequestListener, { limits, tls, onFault }: ServerOptions): Server | SecureServer {
  // A request without Host is refused by the listener, which says why.
  const options = {
    requireHostHeader: false,
    requestTimeout: limits.requestMs,
    headersTimeout: limits.headersMs,
    // Node looks for such requests twice a minute by default. A request with a shorter time would then still have half a minute.
    connectionsCheckingInterval: Math.min(LOOK_MS, limits.requestMs, limits.headersMs),
  };
  const server = tls ? createSecureServer({ ...options, ...tls.read() }, listener) : createServer(options, listener);
  answerBadRequests(server);
  if (tls) renew(server as SecureServer, tls, limits.certificateMs, onFault);
  return server;
}

/** Checks for a new certificate from time to time. Open connections keep their certificate. */
function renew(server: SecureServer, tls: CertificateSource, everyMs: number, onFault: (error: unknown) => void): void {
  const timer = setInterval(() => {
    try {
      if (tls.hasChanged()) server.setSecureContext(tls.read());
    } catch (error) {
      // A renewal writes two files, one after the other. The next check finds both.
      onFault(error);
    }
  }, everyMs);
  timer.unref();
  server.on('close', () => clearInterval(timer));
}
