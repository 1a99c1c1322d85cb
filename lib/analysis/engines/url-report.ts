/** What the URL engine and a visit to a URL report. */
import type { Finding, Hashes, Level } from './engine.ts';

export interface UrlReport {
  readonly outcome: 'completed';
  readonly level: Level;
  readonly score: number;
  readonly findings: readonly Finding[];
  /** Absent when pages are not visited. */
  readonly visit?: UrlVisit;
  readonly engineVersion: string;
}

/** One URL that was asked for, and how the visit came to it. */
export interface VisitedHop {
  /** Untrusted. */
  readonly url: string;
  readonly via: 'start' | 'http' | 'meta' | 'script';
  /** Of its host; the connection went to the first. */
  readonly addresses: readonly string[];
  /** Null when there was no answer. */
  readonly status: number | null;
}

export const VISIT_ENDS = [
  /** The first URL leads to an address that is not public. */
  'internal-address',
  /** A redirect leads to an address that is not public. */
  'redirect-to-internal',
  /** No URL of the web, or a port that is not asked. */
  'not-visitable',
  'unresolved',
  'certificate',
  'connection',
  'timeout',
  'too-many-redirects',
  /** More bytes than a visit reads, packed or unpacked. */
  'oversize',
  /** Bytes that are not what the headers say. */
  'unreadable',
] as const;
export type VisitEnd = (typeof VISIT_ENDS)[number];

/** A form of a page. */
export interface PageForm {
  /** Where it sends what is typed in: absolute, or as written when it is no URL. Untrusted. */
  readonly action: string;
  readonly hasPassword: boolean;
}

/** What a page says of itself. All texts are untrusted and cut. */
export interface PageFacts {
  readonly title: string | null;
  readonly forms: readonly PageForm[];
  /** A field for a password anywhere, inside of forms or not. */
  readonly hasPassword: boolean;
  /** Alternative texts and addresses of pictures that call themselves a logo, and of the icon. */
  readonly logos: readonly string[];
  /** Where the page goes on to by itself. */
  readonly redirect: { readonly url: string; readonly via: 'meta' | 'script' } | null;
  readonly tricks: readonly ('self-writing-script' | 'whole-frame')[];
}

/** The certificate of the last host, which was verified. */
export interface VisitedCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly validFromMs: number;
  readonly validToMs: number;
  readonly serialNumber: string;
  /** SHA-256. */
  readonly fingerprint: string;
}

/** A file that a visit ended in. */
export interface VisitedFile {
  readonly untrustedName: string;
  readonly bytes: Uint8Array;
  readonly hashes: Hashes;
  /** Of the static engine; null when it could not judge it. */
  readonly level: Level | null;
}

/** What a visit brought. */
export interface UrlVisit {
  /** `visited`: the last page or file was seen whole. */
  readonly outcome: 'visited' | 'ended';
  /** Why it ended early; null when it did not. */
  readonly end: VisitEnd | null;
  readonly hops: readonly VisitedHop[];
  /** Of the last answer: names in lower case, values untrusted. */
  readonly headers: Readonly<Record<string, string>> | null;
  readonly certificate: VisitedCertificate | null;
  readonly page: PageFacts | null;
  readonly file: VisitedFile | null;
  /** PNG of the page as it was downloaded. */
  readonly screenshot: Uint8Array | null;
}

/** What is in the bytes of a page. */
export interface PageReport {
  readonly outcome: 'completed';
  readonly page: PageFacts;
  readonly engineVersion: string;
}
