/** One request of a visit: a GET without cookies and referrer to one checked address. Redirects are returned and not followed. */
import { Client } from 'undici';
import type { VisitEnd, VisitedCertificate } from '../../url-report.ts';
import { pinnedConnector } from './connect.ts';
import { BODY_IDLE_MS, HEADER_BYTES, HEADER_CHARACTERS, HEADERS_MS, KEPT_HEADERS } from './limits.ts';
import { BodyTooLargeError, BodyUnreadableError, readBody } from './read-body.ts';

export interface HopRequest {
  readonly url: URL;
  readonly address: string;
  readonly proxy: string | null;
  readonly ca: string | null;
  readonly signal: AbortSignal;
}

export interface HopAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The location as the header has it; null when there is none. */
  readonly location: string | null;
  readonly body: Uint8Array;
  readonly certificate: VisitedCertificate | null;
}

/** An answer, or why there is none, with the certificate if there was one. */
export type HopOutcome = HopAnswer | { readonly end: VisitEnd; readonly certificate: VisitedCertificate | null };

/** The headers of an ordinary browser, because phishing pages show other visitors something harmless. */
const REQUEST_HEADERS = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br',
};

/** Asks once. Never rejects. */
export async function fetchHop({ url, address, proxy, ca, signal }: HopRequest): Promise<HopOutcome> {
  let certificate: VisitedCertificate | null = null;
  const onCertificate = (found: VisitedCertificate) => {
    certificate = found;
  };
  const client = new Client(url.origin, {
    connect: pinnedConnector({ address, hostname: url.hostname, proxy, ca, signal, onCertificate }),
    headersTimeout: HEADERS_MS,
    bodyTimeout: BODY_IDLE_MS,
    maxHeaderSize: HEADER_BYTES,
    pipelining: 0,
  });
  try {
    const path = `${url.pathname}${url.search}`;
    const answer = await client.request({ method: 'GET', path, headers: REQUEST_HEADERS, signal });
    const headers = keptHeaders(answer.headers);
    const location = isRedirect(answer.statusCode) ? (headers.location ?? null) : null;
    const body = location === null ? await readBody(answer.body, headers['content-encoding'] ?? '') : new Uint8Array();
    return { status: answer.statusCode, headers, location, body, certificate };
  } catch (error) {
    return { end: endOf(error, signal), certificate };
  } finally {
    // The body of a redirect and anything else that the server still sends is not read.
    await client.destroy().catch(() => undefined);
  }
}

/** The headers that the visit itself reads. */
const NEEDED_HEADERS = new Set(['location', 'content-type', 'content-encoding', 'content-disposition', 'refresh']);

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);

/** Returns the headers for the report. A location is kept as a whole, because it is followed. */
function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const texts = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')] as const,
  );
  const needed = texts.filter(([name]) => NEEDED_HEADERS.has(name));
  const others = texts.filter(([name]) => !NEEDED_HEADERS.has(name)).slice(0, KEPT_HEADERS);
  return Object.fromEntries(
    [...needed, ...others].map(([name, text]) => [name, name === 'location' ? text : text.slice(0, HEADER_CHARACTERS)]),
  );
}

const TLS_ERROR =
  /^(?:ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|ERR_SSL_)/;

function endOf(error: unknown, signal: AbortSignal): VisitEnd {
  if (signal.aborted) return 'timeout';
  if (error instanceof BodyTooLargeError) return 'oversize';
  if (error instanceof BodyUnreadableError) return 'unreadable';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TLS_ERROR.test(code)) return 'certificate';
  if (/TIMEOUT/.test(code)) return 'timeout';
  return code === 'UND_ERR_HEADERS_OVERFLOW' ? 'oversize' : 'connection';
}
