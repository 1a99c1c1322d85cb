/**
 * Visits a URL without a browser and finds what a browser would load. For every hop, the host is resolved and its addresses are checked
 * before anything is sent. Readers in worker threads read the answer; this module does not.
 */
import { parseUrl } from '../../../formats/urls/parse-url.ts';
import type { PageFacts, UrlVisit, VisitEnd, VisitedCertificate, VisitedFile, VisitedHop } from '../../url-report.ts';
import { fetchHop, type HopAnswer } from './fetch-hop.ts';
import { HOP_CHARACTERS, HOPS, LOOKUP_MS, PAGE_BYTES, PORTS, VISIT_MS } from './limits.ts';
import { type Resolve, resolveByDns, resolveHost } from './resolve-host.ts';

/** The readers of the hostile bytes of a visit. */
export interface VisitReaders {
  /** Returns null when the page could not be read. */
  readPage(bytes: Uint8Array, url: string, contentType: string): Promise<PageFacts | null>;
  judgeFile(bytes: Uint8Array, untrustedName: string): Promise<VisitedFile>;
  /** Returns the PNG of a page; null when there is none, and when `signal` was aborted before it could start. */
  picture(bytes: Uint8Array, contentType: string, signal: AbortSignal): Promise<Uint8Array | null>;
}

export interface VisitOptions {
  /** `http://host:port`. Every connection goes through this proxy, which gets the checked address. @default none */
  readonly proxy?: string | null;
  /** @default the name servers of this machine */
  readonly resolve?: Resolve;
  /** Private addresses and other ports that tests may use. Never comes from a request. */
  readonly allowAddresses?: readonly string[];
  readonly allowPorts?: readonly number[];
  /** More trusted certificates in PEM, for tests. */
  readonly ca?: string;
  /** @default VISIT_MS */
  readonly timeoutMs?: number;
}

interface Visit {
  readonly options: VisitOptions;
  readonly readers: VisitReaders;
  readonly signal: AbortSignal;
  readonly hops: VisitedHop[];
  headers: Readonly<Record<string, string>> | null;
  certificate: VisitedCertificate | null;
}

interface Seen {
  readonly end: VisitEnd | null;
  readonly page?: PageFacts | null;
  readonly file?: VisitedFile;
  readonly screenshot?: Uint8Array | null;
}

interface Next {
  readonly url: string;
  readonly via: VisitedHop['via'];
}

/** Visits a URL up to its last page. Never rejects: an error becomes the end of the visit. */
export async function visitUrl(
  untrustedUrl: string,
  readers: VisitReaders,
  options: VisitOptions = {},
): Promise<UrlVisit> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? VISIT_MS);
  const visit: Visit = { options, readers, signal, hops: [], headers: null, certificate: null };
  const { end, page = null, file = null, screenshot = null } = await follow(visit, { url: untrustedUrl, via: 'start' });
  const { hops, headers, certificate } = visit;
  return { outcome: end === null ? 'visited' : 'ended', end, hops, headers, certificate, page, file, screenshot };
}

async function follow(visit: Visit, start: Next): Promise<Seen> {
  let next = start;
  for (let hop = 0; hop < HOPS; hop += 1) {
    const step = await takeHop(visit, next);
    if ('end' in step) return step;
    next = step;
  }
  return { end: 'too-many-redirects' };
}

async function takeHop(visit: Visit, next: Next): Promise<Seen | Next> {
  const { options, hops, signal } = visit;
  const url = visitableUrl(next.url, options);
  const shown = next.url.slice(0, HOP_CHARACTERS);
  if (url === null) {
    hops.push({ url: shown, via: next.via, addresses: [], status: null });
    return { end: 'not-visitable' };
  }
  const lookup = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_MS)]);
  const allowed = new Set(options.allowAddresses ?? []);
  const { outcome, addresses } = await resolveHost(url.hostname, options.resolve ?? resolveByDns, allowed, lookup);
  const hop = { url: url.href, via: next.via, addresses };
  if (outcome !== 'public') {
    hops.push({ ...hop, status: null });
    return {
      end: outcome === 'unresolved' ? 'unresolved' : hops.length > 1 ? 'redirect-to-internal' : 'internal-address',
    };
  }
  const { proxy = null, ca = null } = options;
  const answer = await fetchHop({ url, address: addresses[0] ?? '', proxy, ca, signal });
  hops.push({ ...hop, status: 'end' in answer ? null : answer.status });
  visit.certificate = answer.certificate;
  if ('end' in answer) return { end: answer.end };
  visit.headers = answer.headers;
  return answer.location === null ? await read(visit, url, answer) : resolved(answer.location, url, 'http');
}

/** Returns the URL if it may be visited: one of the web, on a port of the web, and not too long. */
function visitableUrl(text: string, { allowPorts = [] }: VisitOptions): URL | null {
  if (text.length > HOP_CHARACTERS) return null;
  const url = parseUrl(text);
  if (url === null) return null;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  // A user name and a password in the URL would be sent to its host.
  url.username = '';
  url.password = '';
  return PORTS.has(port) || allowPorts.includes(port) ? url : null;
}

const resolved = (reference: string, base: URL, via: Next['via']): Next => ({
  url: parseUrl(reference, base.href)?.href ?? reference,
  via,
});

async function read(visit: Visit, url: URL, { headers, body, status }: HopAnswer): Promise<Seen | Next> {
  const { readers, signal } = visit;
  const type = headers['content-type'] ?? '';
  const refresh = /^\s*[0-9.]*\s*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(headers.refresh ?? '')?.[1];
  if (refresh) return resolved(refresh, url, 'meta');
  if (isFile(headers, body)) {
    const file = status < 400 ? await readers.judgeFile(body, nameOf(url, headers)) : undefined;
    return file ? { end: null, file } : { end: null };
  }
  if (!isPage(type, body)) return { end: null };
  const bytes = body.subarray(0, PAGE_BYTES);
  const page = await readers.readPage(bytes, url.href, type);
  if (page === null) return { end: 'unreadable' };
  if (page.redirect) return { url: page.redirect.url, via: page.redirect.via };
  const screenshot = await readers.picture(bytes, type, signal);
  return { end: bytes.length < body.length ? 'oversize' : null, page, screenshot };
}

const PAGE_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)/i;
const SHOWN_TYPE =
  /^\s*(?:image\/(?!svg)|audio\/|video\/|font\/|text\/(?:plain|css|javascript|xml|csv|calendar)|application\/(?:json|javascript|xml|rss\+xml|atom\+xml|manifest\+json))/i;
/** The first bytes of programs, archives and documents. */
const MAGIC = ['MZ', '\x7fELF', 'PK\x03\x04', '%PDF', '\xd0\xcf\x11\xe0', 'Rar!', '7z\xbc\xaf'];
/** The bytes that browsers read when they guess a type. */
const GUESSED_BYTES = 1_445;
const MARKUP = /<(?:!doctype\s+html|html|head|body|script|meta|title|form)\b/i;

/** Returns true for a page by its type, or by its first bytes when the type is missing or vague, as browsers guess it. */
const isPage = (type: string, body: Uint8Array) =>
  PAGE_TYPE.test(type) ||
  ((type === '' || /^\s*text\/plain/i.test(type)) && MARKUP.test(headOf(body).slice(0, GUESSED_BYTES)));

function isFile(headers: Readonly<Record<string, string>>, body: Uint8Array): boolean {
  if (body.length === 0) return false;
  if (/^\s*attachment/i.test(headers['content-disposition'] ?? '')) return true;
  const type = headers['content-type'] ?? '';
  if (isPage(type, body)) return false;
  // A body that begins like a program is one, under any type.
  return !SHOWN_TYPE.test(type) || MAGIC.some((magic) => headOf(body).startsWith(magic));
}

const headOf = (body: Uint8Array) =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 4_096)).toString('latin1');

function nameOf(url: URL, headers: Readonly<Record<string, string>>): string {
  const disposition = headers['content-disposition'] ?? '';
  const given = /filename\*?\s*=\s*(?:[a-z0-9-]{1,20}'[^']{0,20}')?"?([^";]{1,255})/i.exec(disposition)?.[1];
  return given ?? (url.pathname.slice(url.pathname.lastIndexOf('/') + 1).slice(0, 255) || 'download');
}
