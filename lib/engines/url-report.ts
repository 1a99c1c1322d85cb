/** The reports of the URL engine and of a visit to a URL. */
import type { Finding, Hashes, Level } from './engine.ts';

/** The known facts about a link: from its text, and from its pages when they are visited. */
export interface UrlReport {
  readonly outcome: 'completed';
  readonly level: Level;
  readonly score: number;
  readonly findings: readonly Finding[];
  /** Absent when pages are not visited. */
  readonly visit?: UrlVisit;
  readonly engineVersion: string;
}

/** One URL that was requested, and how the visit got there. */
export interface VisitedHop {
  /** Untrusted. */
  readonly url: string;
  readonly via: 'start' | 'http' | 'meta' | 'script';
  /** Addresses of its host. The connection went to the first one. */
  readonly addresses: readonly string[];
  /** Null when there was no answer. */
  readonly status: number | null;
}

export const VISIT_ENDS = [
  /** The first URL leads to an address that is not public. */
  'internal-address',
  /** A redirect leads to an address that is not public. */
  'redirect-to-internal',
  /** The scheme is not HTTP or HTTPS, or the port is not allowed. */
  'not-visitable',
  'unresolved',
  'certificate',
  'connection',
  'timeout',
  'too-many-redirects',
  /** There are more bytes than a visit reads, packed or unpacked. */
  'oversize',
  /** The bytes are not what the headers say. */
  'unreadable',
] as const;
export type VisitEnd = (typeof VISIT_ENDS)[number];

/** A form of a page. */
export interface PageForm {
  /** The target of the form: absolute, or as written when it is not a valid URL. Untrusted. */
  readonly action: string;
  readonly hasPassword: boolean;
}

/** Facts that a page gives about itself. All texts are untrusted and cut to length. */
export interface PageFacts {
  readonly title: string | null;
  readonly forms: readonly PageForm[];
  /** Whether there is a password field anywhere, inside or outside a form. */
  readonly hasPassword: boolean;
  /** Alternative texts and addresses of the icon and of pictures that are named as a logo. */
  readonly logos: readonly string[];
  /** The address that the page redirects to without a click. */
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

/** A file that the last URL of a visit delivered. */
export interface VisitedFile {
  readonly untrustedName: string;
  readonly bytes: Uint8Array;
  readonly hashes: Hashes;
  /** The level from the static engine; null when it could not judge the file. */
  readonly level: Level | null;
}

/** The result of a visit. */
export interface UrlVisit {
  /** `visited` means that the last page or file was read completely. */
  readonly outcome: 'visited' | 'ended';
  /** Why it ended early; null when it did not. */
  readonly end: VisitEnd | null;
  readonly hops: readonly VisitedHop[];
  /** Headers of the last answer. Names are in lower case; values are untrusted. */
  readonly headers: Readonly<Record<string, string>> | null;
  readonly certificate: VisitedCertificate | null;
  readonly page: PageFacts | null;
  readonly file: VisitedFile | null;
  /** PNG of the page as it was downloaded. */
  readonly screenshot: Uint8Array | null;
}

/** The facts in the bytes of a page. */
export interface PageReport {
  readonly outcome: 'completed';
  readonly page: PageFacts;
  readonly engineVersion: string;
}
