/** Reads one email in two ways, compares the readings, and adds the parts that only lenient programs find. */
import { asBuffer } from '../../formats/byte-scan.ts';
import { runAsync } from '../../formats/steps.ts';
import { decodeBody } from '../encodings/transfer-encodings.ts';
import { warnOfName } from '../headers/name-checks.ts';
import { createWarnings, type WarningList } from '../headers/warnings.ts';
import type { ByteAccount, MessagePart, MessageReading, ReadingLimits } from '../model.ts';
import { isArchiveFile } from './archive-file.ts';
import { seenByStream } from './compare-readings.ts';
import { type Surroundings, warnOfEmbeddedPartsSteps } from './embedded-parts.ts';
import { createFinds, type Finds } from './finds.ts';
import { containerAsLeaf, type LeafContent, leafContentSteps, type OtherBudget, otherBudget } from './leaf-content.ts';
import { readMessageFacts } from './message-facts.ts';
import type { PartDraft } from './part-draft.ts';
import { recoverySteps } from './recover.ts';
import { pageWithLinksElsewhere } from './relative-links.ts';
import { type ChunkSize, type KeptLeaf, readStream } from './stream.ts';
import { expectedLeaf, withoutRanges } from './stream-view.ts';
import { type StructureReading, structureSteps } from './structure.ts';

/** A leaf or a container of the tree, with facts that only the structure reading knows. */
interface ReadPart {
  readonly part: MessagePart;
  readonly draft: PartDraft;
  /** Null for containers. */
  readonly content: LeafContent | null;
}

/**
 * Reads an email twice, by its byte structure and through mailparser, and warns where the two differ. When anything is odd, the bytes are
 * searched as lenient programs read them. Leaves that no reading listed follow the tree. Leaves are in document order. The ranges point
 * into `email`.
 *
 * Never throws on content. Everything unreadable or odd becomes a warning. `chunkSize` is the size of the pieces that mailparser gets, and
 * does not change the result. In a web archive, links that a header completes cause no warning, because its disarm writes them in full.
 */
export async function readMessage(
  email: Uint8Array,
  limits: ReadingLimits,
  chunkSize?: ChunkSize,
  isWebArchive = false,
): Promise<MessageReading> {
  const buffer = asBuffer(email);
  const warnings = createWarnings();
  const structure = await runAsync(structureSteps(buffer, limits, warnings));
  const drafts = new Map(structure.parts.map((draft) => [draft.path, draft]));
  const read: ReadPart[] = [];
  const budget = otherBudget();
  for (const draft of structure.parts) {
    const part = await readPart(buffer, draft, warnings, budget);
    read.push(part);
    if (part.content?.holdsField)
      await runAsync(warnOfEmbeddedPartsSteps(buffer, draft, surroundingsOf(draft, drafts), warnings));
  }
  const page = isWebArchive ? null : pageWithLinksElsewhere(drafts, (path) => bytesOf(buffer, drafts.get(path)));
  if (page !== null) warnings.add('odd_header', page, 'relative links that a header places elsewhere');
  const account = accountOf(buffer, structure, read, warnings);
  const facts = readMessageFacts(buffer, structure.rootHeader, limits.untrustedTextLength, warnings);
  const { tree, kept } = await readAgain({ email: buffer, limits, warnings, chunkSize }, structure, read);
  const finds = createFinds(buffer, tree, limits, warnings);
  if (warnings.list().length > 0)
    await findMore({ email: buffer, limits, warnings, chunkSize, tree, kept }, read, finds);
  const parts = [...tree, ...finds.parts()];
  for (const part of parts) warnOfName(part, warnings);
  return { facts, parts, warnings: warnings.list(), account, repairs: structure.repairs };
}

interface Context {
  readonly email: Buffer;
  readonly limits: ReadingLimits;
  readonly warnings: WarningList;
  readonly chunkSize: ChunkSize | undefined;
}

async function readPart(
  email: Buffer,
  draft: PartDraft,
  warnings: WarningList,
  budget: OtherBudget,
): Promise<ReadPart> {
  const { path, parent, depth, role, facts, header, bodyStart, bodyEnd } = draft;
  const content = isLeaf(draft) ? await runAsync(leafContentSteps(email, draft, warnings, budget)) : null;
  const part: MessagePart = {
    path,
    parent,
    depth,
    role,
    header,
    untrustedNames: facts.names,
    declaredType: facts.declaredType,
    charset: facts.charset,
    encoding: facts.encoding,
    untrustedContentId: facts.contentId,
    isInline: facts.disposition === 'inline' || (role === 'body' && facts.disposition === null),
    body: { start: bodyStart, end: bodyEnd },
    size: content?.size ?? bodyEnd - bodyStart,
    sha256: content?.sha256 ?? null,
    readings: ['structure'],
    recovered: null,
  };
  return { part, draft, content };
}

const isLeaf = ({ role }: PartDraft) => role === 'body' || role === 'attachment';

function surroundingsOf(draft: PartDraft, drafts: ReadonlyMap<string, PartDraft>): Surroundings {
  const line = [draft];
  for (let at = draft; at.parent !== null; ) {
    at = drafts.get(at.parent) as PartDraft;
    line.push(at);
  }
  return {
    boundaries: line.flatMap(({ boundary, facts }) => (boundary === null ? facts.boundaries : [boundary])),
    headers: line.map(({ header }) => header),
  };
}

function bytesOf(email: Buffer, draft: PartDraft | undefined): Uint8Array {
  if (draft === undefined) return new Uint8Array();
  return decodeBody(email.subarray(draft.bodyStart, draft.bodyEnd), draft.facts.encoding).bytes;
}

interface SecondReading {
  /** The parts. The leaves that mailparser lists, too, are marked. */
  readonly tree: readonly MessagePart[];
  /** The leaves that only mailparser lists. Null when their bytes were not kept, so that another reading is needed for them. */
  readonly kept: readonly KeptLeaf[] | null;
}

/** Reads the email through mailparser. It is not read again when a limit ended the first reading. */
async function readAgain(
  { email, limits, warnings, chunkSize }: Context,
  structure: StructureReading,
  read: readonly ReadPart[],
): Promise<SecondReading> {
  const parts = read.map(({ part }) => part);
  if (!structure.isComplete) return { tree: parts, kept: null };
  const leaves = read.flatMap(({ part, draft, content }) =>
    content === null || isUnlisted(draft) ? [] : [expectedLeaf(email, part, content.middle)],
  );
  const middles = read.flatMap(({ content }) => content?.middle ?? []);
  const left = [...structure.padding, ...middles].sort((one, other) => one.start - other.start);
  // An odd message probably needs the leaves that only mailparser lists. Keeping them now saves another reading.
  const isWhole = left.length === 0 && warnings.list().length > 0;
  const stream = await readStream(withoutRanges(email, left), limits, isWhole ? hashesOf(read) : null, chunkSize);
  if (stream.isSkipped) {
    warnings.add('reading_skipped', null, stream.problem ?? 'mailparser was not asked');
    return { tree: parts, kept: null };
  }
  const seen = seenByStream(email, leaves, stream, warnings);
  const tree = parts.map((part): MessagePart => {
    return seen.has(part) ? { ...part, readings: ['structure', 'stream'] } : part;
  });
  return { tree, kept: isWhole ? stream.kept : null };
}

/** mailparser looks for parts in every multipart, so it does not list a web archive that is declared as one. */
function isUnlisted({ facts }: PartDraft): boolean {
  return facts.declaredType.startsWith('multipart/') && isArchiveFile(facts);
}

function hashesOf(read: readonly ReadPart[]): ReadonlySet<string> {
  return new Set(read.flatMap(({ part }) => part.sha256 ?? []));
}

/**
 * Adds everything that an odd message has outside the tree: other decodings, the results of the search, and leaves that only mailparser
 * lists.
 */
async function findMore(
  { email, limits, warnings, chunkSize, tree, kept: known }: Context & SecondReading,
  read: readonly ReadPart[],
  finds: Finds,
): Promise<void> {
  for (const { draft, content } of read)
    for (const find of content?.others ?? containerAsLeaf(email, draft)) await runAsync(finds.addSteps(find));
  const isOdd = (code: string) => warnings.list().some((warning) => warning.code === code);
  await runAsync(recoverySteps(email, { tree, limits, finds, warnings }));
  if (!isOdd('readings_disagree')) return;
  const kept = known ?? (await readStream(email, limits, hashesOf(read), chunkSize)).kept;
  const body = { start: 0, end: email.length };
  for (const leaf of kept) {
    const find = { ...leaf, contentId: null, encoding: 'unknown', header: { start: 0, end: 0 }, body } as const;
    await runAsync(finds.addSteps({ ...find, reading: 'stream' }));
  }
}

/** Adds up the bytes of headers, leaves and delimiters. They must be the whole email, because other bytes are not judged. */
function accountOf(
  email: Buffer,
  { others }: StructureReading,
  read: readonly ReadPart[],
  warnings: WarningList,
): ByteAccount {
  const sum = (ranges: readonly { readonly start: number; readonly end: number }[]) =>
    ranges.reduce((total, { start, end }) => total + end - start, 0);
  const headers = sum(read.map(({ part }) => part.header));
  const bodies = sum(read.flatMap(({ part, content }) => (content === null ? [] : [part.body])));
  const boundariesAndOutside = sum(others);
  const unaccounted = email.length - headers - bodies - boundariesAndOutside;
  if (unaccounted !== 0)
    warnings.add('unaccounted_bytes', null, `${unaccounted} bytes are in no header, part or boundary`);
  return { headers, bodies, boundariesAndOutside, unaccounted };
}
