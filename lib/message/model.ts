/**
 * The result of reading a message. lib/message knows MIME and nothing about scanning: it turns bytes into a tree with byte ranges,
 * and back. It never throws on content. A fault or an oddity in the message becomes a warning.
 */
import { ARCHIVE_FORMATS } from '../formats/archives/unpacking.ts';

/** Bytes [start, end) of the email. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Warnings are a closed set, because policy acts on their codes. */
export const WARNING_CODES = [
  /** The two readings do not list the same leaves. A recipient's program may therefore show something that was not judged. */
  'readings_disagree',
  /** Only our own reading was made. mailparser would have needed minutes or gigabytes for the message. */
  'reading_skipped',
  /** A limit of the reader was reached. The rest of the message was not read. */
  'limit_exceeded',
  /** A leaf that no well-formed reading lists was found in the bytes. Some program may show it. */
  'part_recovered',
  /** Text in which a lenient program sees a separate part that is also plain text. It was judged as part of the text around it. */
  'text_recovered',
  /** More text before the first or after the last boundary than the usual note. It is not delivered. */
  'text_outside_parts',
  /** A multipart whose closing boundary is missing, or lines that some programs take for its boundary. */
  'broken_multipart',
  /** The message, or a message quoted in it, ends before its closing boundary. It is delivered with the boundary. */
  'cut_off',
  /** A multipart whose named boundary is not in its body. Its parts were found by lines that look like a boundary. */
  'boundary_inferred',
  /** A boundary that programs read in different ways: given twice, encoded, escaped, or the same as an enclosing part's. */
  'ambiguous_boundary',
  /** A Content-Transfer-Encoding that is unknown or misspelt, or a body that is malformed in it. */
  'odd_encoding',
  /** More than one Content-Transfer-Encoding: programs take the first or the last. */
  'duplicate_encoding',
  /** A multipart or a message under base64 or quoted-printable, which some programs decode and others do not. */
  'encoded_container',
  /** A body that is base64, although its header does not say so. */
  'label_lies',
  /** A file written into a text (uuencode, yEnc), which some programs show as an attachment. */
  'hidden_file',
  /** More than one Content-Type: programs take the first or the last. */
  'duplicate_content_type',
  /** Another header that must be unique is repeated, or a header line is malformed. */
  'odd_header',
  /** A carriage return without a line feed where it matters: some programs end the line there. */
  'bare_carriage_return',
  /** A NUL in a header: some programs end the value there. */
  'nul_in_header',
  /** No blank line between a header and its body. */
  'missing_blank_line',
  /** Blank lines or a byte order mark in front of the header, or a message in UTF-16: to some programs it is all text. */
  'odd_start',
  /** Bytes of the message that belong to no header, body or boundary. */
  'unaccounted_bytes',
  /** The content of a part is fetched from elsewhere or joined from other messages (message/external-body, message/partial). */
  'content_elsewhere',
  /** A name with a harmless extension in front of its real one (`invoice.pdf.exe`). */
  'double_extension',
  /** A name whose extension belongs to another kind of file than the declared type. */
  'type_name_mismatch',
  /** A name that programs show in another form: bidirectional controls, NUL, runs of blanks, dots at its end, a path. */
  'deceptive_name',
  /** More URLs than can be listed, or a URL in an address field beyond those that are analysed. The rest was not judged. */
  'urls_over_limit',
  /** More links than are analysed. The rest is defanged where possible. Files that contain a link of the rest are removed. */
  'links_not_analysed',
  /** A text too large to be searched for URLs. */
  'text_too_large',
  /** Something that can hold URLs and was not searched for them: a picture without a code reader, a file that is encrypted. */
  'urls_not_searched',
  /** A link whose text shows one address while the link leads to another. */
  'link_text_differs',
  /** Relative links of a page without a base. Programs complete them in different ways, so they now lead to `#`. */
  'unresolved_links',
  /** Header fields that programs act on, unknown fields, and fields with a blocked address. They are not delivered. */
  'header_removed',
  /** No ARC set was added, although the policy asks for one. */
  'not_sealed',
  /** A container that no password opened, or a message encrypted to its recipient. Its content was not read. */
  'container_encrypted',
  /** A container that is damaged, or that programs open in different ways. */
  'container_damaged',
  /** A container that is nested too deeply, unpacks to too many bytes, or takes too long. */
  'container_over_budget',
  /** A container that cannot be opened here. */
  'container_unsupported',
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
export type TransferEncoding =
  | '7bit'
  | '8bit'
  | 'binary'
  | 'base64'
  | 'quoted-printable'
  /** RFC 2045 does not define it, but old programs write it and new ones still decode it. */
  | 'uuencode'
  | 'unknown';

/**
 * Which reading lists a leaf: our reading of the structure, mailparser's stream reading, or the search through the bytes, which
 * runs when one of these two met something odd.
 */
export const READINGS = ['structure', 'stream', 'recovery'] as const;
export type Reading = (typeof READINGS)[number];

/** One node of the MIME tree, in document order; recovered leaves come after the tree. */
export interface MessagePart {
  /** `1` is the root. Children append `.1`, `.2` and so on. The root of a nested message is the only child of its message part. */
  readonly path: string;
  readonly parent: string | null;
  /** 0 for the root. */
  readonly depth: number;
  /**
   * `multipart` and `message` are containers. A leaf is a `body` when it is text/plain or text/html without a name and
   * without Content-Disposition: attachment; every other leaf is an `attachment`.
   */
  readonly role: PartRole;
  /** Every claimed name (Content-Disposition filename, Content-Type name), RFC 2231 and RFC 2047 decoded and otherwise unchanged. */
  readonly untrustedNames: readonly string[];
  /** Lower-case `type/subtype`; `text/plain` when absent (RFC 2045 §5.2). */
  readonly declaredType: string;
  /** Lower-case charset parameter, or null. */
  readonly charset: string | null;
  readonly encoding: TransferEncoding;
  /** Content-ID without angle brackets, or null. Untrusted. */
  readonly untrustedContentId: string | null;
  /** True when Content-Disposition is inline, or absent on a body. */
  readonly isInline: boolean;
  /** The header block with its closing blank line. */
  readonly header: ByteRange;
  /** The body in the email, still encoded, without the line break that belongs to the next boundary. */
  readonly body: ByteRange;
  /** Decoded size in bytes; of the body range for containers. */
  readonly size: number;
  /** SHA-256 of the decoded bytes; null for containers. */
  readonly sha256: string | null;
  readonly readings: readonly Reading[];
  /**
   * The decoded bytes of a leaf that is not in the tree; null for every part of the tree. A message with such a leaf cannot be
   * rebuilt. Its path is the path of the part around it, a tilde and a number; its ranges only say where it was found.
   */
  readonly recovered: Uint8Array | null;
}

export interface MessageFacts {
  readonly untrustedSubject: string;
  readonly untrustedFrom: string;
  readonly untrustedTo: string;
  readonly untrustedDate: string;
  readonly untrustedMessageId: string;
}

/** The account of all bytes of an email. The four lists together have the length of the email. */
export interface ByteAccount {
  readonly headers: number;
  /** Encoded bodies of the leaves of the tree. */
  readonly bodies: number;
  /** Delimiters with their padding and line breaks, text outside parts, an mbox line. */
  readonly boundariesAndOutside: number;
  /** Bytes in none of the lists above. They always cause a warning. */
  readonly unaccounted: number;
}

/** Both readings of one email, after their comparison. */
export interface MessageReading {
  readonly facts: MessageFacts;
  readonly parts: readonly MessagePart[];
  readonly warnings: readonly ReadingWarning[];
  readonly account: ByteAccount;
  /** The text to put into a message that was cut off, so that every program reads it alike. In order. */
  readonly repairs: readonly Repair[];
}

/** Text that replaces a range. */
export interface Repair extends ByteRange {
  readonly text: string;
}

/** The limits the reader needs; lib/pipeline/limits.ts names the attack behind each. */
export interface ReadingLimits {
  readonly headerBytes: number;
  readonly headerLines: number;
  readonly parts: number;
  readonly depth: number;
  readonly untrustedTextLength: number;
}

/** The replacement for a leaf part in the rebuilt message. */
export interface Replacement {
  /** `type/subtype`, from our own closed list. */
  readonly type: string;
  /** Charset of text replacements; null for others. */
  readonly charset: 'utf-8' | null;
  /** The method of an appointment, from the closed list of RFC 5546 §1.4; null for everything else. */
  readonly method: string | null;
  /** The name to show, already safe; null for a body. */
  readonly filename: string | null;
  readonly isInline: boolean;
  /** For texts: whether a line that ends in a blank continues in the next one (RFC 3676). @default it does not */
  readonly isFlowed?: boolean;
  /** True to keep the part's Content-ID, so that an HTML body still finds its picture. */
  readonly keepContentId: boolean;
  readonly bytes: Uint8Array;
}

/** A header line added to the rebuilt message. */
export interface AddedHeader {
  /** Starts with `X-Airlock-`. */
  readonly name: string;
  readonly value: string;
}

/** Where URLs are found. */
export const URL_PLACES = [
  /** The value of an HTML attribute. */
  'attribute',
  /** Plain text of which a program makes a link. */
  'text',
  /** A style sheet. */
  'css',
  /** A defanged URL (`hxxp://evil[.]example`): a person can turn it back, and no program links it. Signed ledgers store this word. */
  'respelled',
  /** A header field that the message needs: sender, recipient, and the place of its content. */
  'header',
  /** Any other header field. When the link is blocked, the field is left out or its text is defanged. */
  'field',
  /** A reference from a file to something outside: an annotation, a relationship, a field, a shortcut. */
  'document',
  /** A QR code or a similar code in a picture. */
  'code',
] as const;
export type UrlPlace = (typeof URL_PLACES)[number];

/**
 * How likely a URL is to be opened: 0 a click opens it, 1 it is fetched without a click, 2 it is only text, 3 a person must spell it
 * out. When there are more URLs than the limit, the lower numbers are judged first.
 */
export type UrlRank = 0 | 1 | 2 | 3;

/** A URL found in something. */
export interface DiscoveredUrl {
  readonly untrustedRaw: string;
  /** The URL in WHATWG form, which identifies it. */
  readonly normalised: string;
  readonly where: UrlPlace;
  readonly rank: UrlRank;
  /** The targets behind the services that rewrote it, outermost first, in WHATWG form. Empty when no service did. */
  readonly unwrapped: readonly string[];
  /** The address that the text of the link shows, when it is on another host; else null. */
  readonly untrustedShown: string | null;
}

/** A URL as found in a text. Offsets are UTF-16 indexes into that text. */
export interface UrlInText extends DiscoveredUrl {
  readonly start: number;
  readonly end: number;
}

/** The kinds of containers; `containers/containers.ts` has a module for each. */
export const CONTAINER_NAMES = [
  'email',
  'tnef',
  'outlook-message',
  'encoded-block',
  'data-url',
  'smime',
  'pgp',
  'inline-pgp',
  ...ARCHIVE_FORMATS,
] as const;
export type ContainerName = (typeof CONTAINER_NAMES)[number];
