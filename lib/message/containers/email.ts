/** A message as a file: base64 or quoted-printable message/rfc822, an .eml of any declared type, a message in an archive. */
import { asBuffer, nonBlankRange } from '../../formats/byte-scan.ts';
import { readHeaderBlock } from '../../formats/mail/header-block.ts';
import { looksLikeEmail } from '../../formats/mail/looks-like-email.ts';
import { decodePart } from '../encodings/decode-part.ts';
import type { MessagePart, ReadingWarning, WarningCode } from '../model.ts';
import { wasRead } from '../reading/leaf-content.ts';
import { readMessage } from '../reading/read.ts';
import { pageBase } from '../urls/header-urls.ts';
import { collectMembers } from './budget.ts';
import { type Candidate, type Container, type OpenContext, type Opened, opened } from './container.ts';

/** Declared types whose content is a message, or an encrypted or signed form that mail programs treat as one. */
const MESSAGE_TYPES = new Set(['message/rfc822', 'message/global', 'message/news', 'text/rfc822-headers']);
/** The detected type of a saved page (MHTML). */
const WEB_ARCHIVE = 'multipart/related';
/** Longest header without a body. A longer one is read like any message. */
const HEADER_BYTES = 256 * 1024;
const HEADER_LINES = 5_000;
const NAME = /\.(?:eml|mht|mhtml|emlx|nws)\s*$/i;

export const email: Container = {
  name: 'email',
  accepts: (candidate) => isMessage(candidate) && looksLikeEmail(candidate.bytes) && !isHeaderAlone(candidate),
  open,
};

/** Returns true for the header of a returned message (RFC 6522 §4). It names a multipart but has no body, so there is nothing to open. */
function isHeaderAlone({ declaredType, bytes }: Candidate): boolean {
  if (declaredType !== 'text/rfc822-headers') return false;
  const stop = { isDelimiter: () => false, maxBytes: HEADER_BYTES, maxLines: HEADER_LINES };
  const { end, endedBy } = readHeaderBlock(asBuffer(bytes), 0, stop);
  const text = nonBlankRange(asBuffer(bytes), end, bytes.length);
  return endedBy !== 'text' && text.start === text.end;
}

function isMessage({ detectedType, declaredType, role, untrustedNames }: Candidate): boolean {
  if (role === 'body') return false;
  return (
    detectedType === 'message/rfc822' ||
    detectedType === WEB_ARCHIVE ||
    MESSAGE_TYPES.has(declaredType) ||
    untrustedNames.some((name) => NAME.test(name))
  );
}

async function open({ bytes, depth, detectedType }: Candidate, context: OpenContext): Promise<Opened> {
  // Reading the innermost of thousands of nested messages again and again would take seconds each time.
  if (depth >= context.readingLimits.depth)
    return opened({ outcome: 'over_budget', detail: 'messages nested too deeply' });
  if (!context.budget.takeReading(bytes.length))
    return opened({ outcome: 'over_budget', detail: 'more nested messages than the limit for one message' });
  const isArchive = detectedType === WEB_ARCHIVE;
  const { facts, parts, warnings } = await readMessage(bytes, context.readingLimits, undefined, isArchive);
  const doubt = isArchive ? warnings.find(({ code }) => !HARMLESS.has(code)) : undefined;
  if (doubt !== undefined) return opened({ outcome: 'damaged', detail: doubtOf(doubt) });
  const collector = collectMembers(context.budget.allowance(), bytes.length);
  for (const part of parts) {
    if (part.sha256 === null) continue;
    const member = memberOf(part, bytes);
    const isPage = isArchive && part.declaredType === 'text/html';
    if (!collector.add(isPage ? { ...member, base: pageBase(headerOf(part, bytes)) } : member)) break;
  }
  const found = collector.result({ warnings: isArchive ? [] : warnings, untrustedTexts: [facts.untrustedSubject] });
  return parts.length === 0
    ? opened({ ...found, outcome: 'damaged', detail: 'no part was found in the message' })
    : found;
}

/**
 * Warnings about spellings that all programs nevertheless read alike. A web archive with any other warning is removed, and its mail is not
 * held.
 */
const HARMLESS: ReadonlySet<WarningCode> = new Set([
  'text_outside_parts',
  'type_name_mismatch',
  'header_removed',
  'link_text_differs',
]);

const doubtOf = ({ detail }: ReadingWarning) => `programs read this web archive in different ways: ${detail}`;

const headerOf = ({ header }: MessagePart, email: Uint8Array) => email.subarray(header.start, header.end);

function memberOf(part: MessagePart, email: Uint8Array) {
  const { path, untrustedNames, declaredType, charset } = part;
  const role = part.role === 'body' ? ('body' as const) : ('attachment' as const);
  return { path, untrustedNames, declaredType, charset, role, wasRead: wasRead(part), bytes: decodePart(email, part) };
}
