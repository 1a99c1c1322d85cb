/**
 * What reading a message yields. lib/message knows MIME and nothing of scanning: bytes in, a tree with byte ranges out, and
 * back. It never throws on content; what it could not read or found odd is a warning.
 */

/** Bytes [start, end) of the email. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Warnings are a closed set: policy acts on codes. */
export const WARNING_CODES = [
  /** The two readings do not list the same leaves: what a recipient's program shows may not be what was looked at. */
  'readings_disagree',
  /** A limit of the reader was hit; what lies beyond was not looked at. */
  'limit_exceeded',
  /** Text before the first or after the last boundary that is more than the customary note. It is not delivered. */
  'text_outside_parts',
  /** A multipart without a usable boundary, or whose closing boundary is missing. */
  'broken_multipart',
  /** A Content-Transfer-Encoding that is unknown, repeated or contradicts the content. */
  'odd_encoding',
  /** A header that must be unique is repeated, or a header line is malformed. */
  'odd_header',
  /** Bytes of the message that no header, body or boundary accounts for. */
  'unaccounted_bytes',
  /** What a part shows is fetched from elsewhere or put together from other messages (message/external-body, message/partial). */
  'content_elsewhere',
  /** More URLs than the cap: the rest was not judged. */
  'urls_over_limit',
  /** A text too large to be searched for URLs. */
  'text_too_large',
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

export interface ReadingWarning {
  readonly code: WarningCode;
  /** The part it is about; null for the message as a whole. */
  readonly path: string | null;
  /** Plain words; no text of the sender. */
  readonly detail: string;
}

export type PartRole = 'multipart' | 'message' | 'body' | 'attachment';
export type TransferEncoding = '7bit' | '8bit' | 'binary' | 'base64' | 'quoted-printable' | 'unknown';

/** One node of the MIME tree, in document order. */
export interface MessagePart {
  /** `1` is the root; children append `.1`, `.2` …; the root of a nested message is the only child of its message part. */
  readonly path: string;
  readonly parent: string | null;
  /** 0 for the root. */
  readonly depth: number;
  /**
   * `multipart` and `message` are containers. A leaf is a `body` when it is text/plain or text/html without a name and
   * without Content-Disposition: attachment; every other leaf is an `attachment`.
   */
  readonly role: PartRole;
  /** Every name claimed (Content-Disposition filename, Content-Type name; RFC 2231 and RFC 2047 decoded), unchanged otherwise. */
  readonly untrustedNames: readonly string[];
  /** Lower-case `type/subtype`; `text/plain` when absent (RFC 2045 §5.2). */
  readonly declaredType: string;
  /** Lower-case charset parameter, or null. */
  readonly charset: string | null;
  readonly encoding: TransferEncoding;
  /** Content-ID without angle brackets, or null. Untrusted. */
  readonly untrustedContentId: string | null;
  /** Content-Disposition is inline (or absent on a body). */
  readonly isInline: boolean;
  /** The header block with its closing blank line. */
  readonly header: ByteRange;
  /** The body as it stands in the email, still encoded, without the line break that belongs to the next boundary. */
  readonly body: ByteRange;
  /** Decoded size in bytes; of the body range for containers. */
  readonly size: number;
  /** SHA-256 of the decoded bytes; null for containers. */
  readonly sha256: string | null;
  readonly readings: readonly ('structure' | 'stream')[];
}

export interface MessageFacts {
  readonly untrustedSubject: string;
  readonly untrustedFrom: string;
  readonly untrustedTo: string;
  readonly untrustedDate: string;
  readonly untrustedMessageId: string;
}

/** Both readings of one email, united. */
export interface MessageReading {
  readonly facts: MessageFacts;
  readonly parts: readonly MessagePart[];
  readonly warnings: readonly ReadingWarning[];
}

/** The limits the reader needs; lib/pipeline/limits.ts names the attack behind each. */
export interface ReadingLimits {
  readonly headerBytes: number;
  readonly headerLines: number;
  readonly parts: number;
  readonly depth: number;
  readonly untrustedTextLength: number;
}

/** What takes the place of a leaf part in the rebuilt message. */
export interface Replacement {
  /** `type/subtype`, from our own closed list. */
  readonly type: string;
  /** Charset of text replacements; null for others. */
  readonly charset: 'utf-8' | null;
  /** Name to show, already made safe; null for a body. */
  readonly filename: string | null;
  readonly isInline: boolean;
  /** Keep the part's Content-ID, so that an HTML body still finds its picture. */
  readonly keepContentId: boolean;
  readonly bytes: Uint8Array;
}

/** A header line added to the rebuilt message. */
export interface AddedHeader {
  /** Starts with `X-Airlock-`. */
  readonly name: string;
  readonly value: string;
}

/** A URL as found in a text. Offsets are UTF-16 indexes into that text. */
export interface UrlInText {
  readonly untrustedRaw: string;
  /** WHATWG form; the identity of the URL. */
  readonly normalised: string;
  readonly where: 'attribute' | 'text' | 'css';
  readonly start: number;
  readonly end: number;
}
