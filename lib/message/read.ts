/** Both readings of one email, united. */
import { createHash } from 'node:crypto';
import { asBuffer } from './byte-scan.ts';
import { hiddenFileIn } from './hidden-encodings.ts';
import { readMessageFacts } from './message-facts.ts';
import type { ByteRange, MessagePart, MessageReading, ReadingLimits } from './model.ts';
import { pageWithLinksElsewhere } from './relative-links.ts';
import { readStream } from './stream.ts';
import { type PartDraft, readStructure, type StructureReading } from './structure.ts';
import { textProblem } from './text-problem.ts';
import { decodeBody } from './transfer-encodings.ts';
import { unite } from './unite.ts';
import { createWarnings, type WarningList } from './warnings.ts';

/**
 * Reads an email twice, by its byte structure and through mailparser, and says where the two differ. Never throws on
 * content: what could not be read or looked odd is a warning. Leaves are in document order; the ranges point into `email`.
 */
export async function readMessage(email: Uint8Array, limits: ReadingLimits): Promise<MessageReading> {
  const buffer = asBuffer(email);
  const warnings = createWarnings();
  const structure = readStructure(buffer, limits, warnings);
  const drafts = new Map(structure.parts.map((draft) => [draft.path, draft]));
  const parts = structure.parts.map((draft) => toPart(buffer, draft, warnings));
  const page = pageWithLinksElsewhere(drafts, (path) => bytesOf(buffer, drafts.get(path)));
  if (page !== null) warnings.add('odd_header', page, 'relative links that a header places elsewhere');
  warnOfUnaccounted(buffer, structure, parts, warnings);
  const facts = readMessageFacts(buffer, structure.rootHeader, limits.untrustedTextLength, warnings);
  const stream = structure.isComplete ? await readStream(withoutRanges(buffer, structure.padding), limits) : null;
  return { facts, parts: unite(buffer, parts, stream, warnings), warnings: warnings.list() };
}

function withoutRanges(email: Buffer, ranges: readonly ByteRange[]): Buffer {
  if (ranges.length === 0) return email;
  const starts = [0, ...ranges.map((range) => range.end)];
  const ends = [...ranges.map((range) => range.start), email.length];
  return Buffer.concat(starts.map((start, at) => email.subarray(start, ends[at])));
}

function bytesOf(email: Buffer, draft: PartDraft | undefined): Uint8Array {
  if (draft === undefined) return new Uint8Array();
  return decodeBody(email.subarray(draft.bodyStart, draft.bodyEnd), draft.facts.encoding).bytes;
}

function toPart(email: Buffer, draft: PartDraft, warnings: WarningList): MessagePart {
  const { path, parent, depth, role, facts, header, bodyStart, bodyEnd } = draft;
  const isLeaf = role === 'body' || role === 'attachment';
  const content = isLeaf ? leafContent(email, draft, warnings) : { size: bodyEnd - bodyStart, sha256: null };
  return {
    ...{ path, parent, depth, role, header },
    untrustedNames: facts.names,
    declaredType: facts.declaredType,
    charset: facts.charset,
    encoding: facts.encoding,
    untrustedContentId: facts.contentId,
    isInline: facts.disposition === 'inline' || (role === 'body' && facts.disposition === null),
    body: { start: bodyStart, end: bodyEnd },
    ...content,
    readings: ['structure'],
  };
}

function leafContent(
  email: Buffer,
  draft: PartDraft,
  warnings: WarningList,
): { readonly size: number; readonly sha256: string } {
  const { path, facts, bodyStart, bodyEnd } = draft;
  const { bytes, isWellFormed } = decodeBody(email.subarray(bodyStart, bodyEnd), facts.encoding);
  if (!isWellFormed) warnings.add('odd_encoding', path, `a body that is not well-formed ${facts.encoding}`);
  const isIdentity = facts.encoding !== 'base64' && facts.encoding !== 'quoted-printable';
  const hidden = hiddenFileIn(bytes, { isText: facts.declaredType.startsWith('text/'), isIdentity });
  if (hidden !== null) warnings.add('odd_encoding', path, hidden);
  const ambiguity = ambiguityOf(bytes, draft);
  if (ambiguity !== null) warnings.add('odd_encoding', path, ambiguity);
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Where the extension of a name is. */
const NAME_END = 40;
const PAGE_NAME = /\.html?\s*$/i;

function ambiguityOf(bytes: Uint8Array, { role, facts }: PartDraft): string | null {
  const { declaredType, charset: label, names } = facts;
  const isPage = declaredType === 'text/html' || names.some((name) => PAGE_NAME.test(name.slice(-NAME_END)));
  if (!isPage && !declaredType.startsWith('text/')) return null;
  return textProblem(bytes, { label, isPage, isBody: role === 'body' });
}

/** Headers, leaves and delimiters must add up to the whole email: bytes in none of them are seen by nobody here. */
function warnOfUnaccounted(
  email: Buffer,
  { others }: StructureReading,
  parts: readonly MessagePart[],
  warnings: WarningList,
): void {
  let bytes = 0;
  for (const range of others) bytes += range.end - range.start;
  for (const { header, body, sha256 } of parts)
    bytes += header.end - header.start + (sha256 === null ? 0 : body.end - body.start);
  if (bytes !== email.length)
    warnings.add('unaccounted_bytes', null, `${email.length - bytes} bytes are in no header, part or boundary`);
}
