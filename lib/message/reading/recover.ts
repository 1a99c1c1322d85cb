/**
 * Searches the bytes of an email as a lenient program would. The search runs when a reading met something odd. It follows no boundary and
 * no structure. It treats everything that looks like the header of a part as one. A leaf that no reading lists becomes an additional leaf,
 * so that it is judged.
 */
import { isAscii } from 'node:buffer';
import { asBuffer, CR, withoutLineBreak } from '../../formats/byte-scan.ts';
import { encodingOf, isUnsaid } from '../../formats/charsets/labels.ts';
import { hidesAscii } from '../../formats/charsets/utf7.ts';
import { fromUtf16 } from '../../formats/charsets/utf16.ts';
import type { Steps } from '../../formats/steps.ts';
import { base64Variants } from '../encodings/base64.ts';
import { unlabelledBase64Steps, writtenFileSteps } from '../encodings/hidden-encodings.ts';
import { decodeSteps } from '../encodings/transfer-encodings.ts';
import type { WarningList } from '../headers/warnings.ts';
import type { ByteRange, MessagePart, ReadingLimits, TransferEncoding } from '../model.ts';
import { isArchiveFile } from './archive-file.ts';
import type { Find, Finds } from './finds.ts';
import { NO_FACTS, type PartFacts, readPartFacts } from './part-facts.ts';
import { findHeader } from './recovery-header.ts';
import { type DashedLine, dashedLineSteps } from './recovery-lines.ts';

/** Most encoded multiparts and messages that are searched, and how deep they may be nested. */
const VIEWS = 32;
const VIEW_DEPTH = 8;
/** Bytes that are decoded of one email: at most this many times its size. The bodies found may overlap. */
const DECODE_FACTOR = 2;
/** At most this many bytes of a small email are decoded. */
const DECODE_FLOOR = 16 * 1024 * 1024;
/** Malformed base64 up to this size is decoded in every way. */
const VARIANT_BYTES = 256 * 1024;
const MESSAGES_IN_A_SEGMENT = 20;
const LINES_PER_STEP = 1_000;
const SEGMENTS_PER_STEP = 20;
/** Bytes by which two readings of one body may differ: the line breaks around it. */
const BREAK_BYTES = 4;
/** A text with this share of base64 characters may be base64 with junk in it. */
const ALPHABET_SHARE = 0.75;
const LOOK_BYTES = 4_096;
const IDENTITY = new Set<TransferEncoding>(['7bit', '8bit', 'binary', 'unknown']);

/** Bytes to search: the email, or bytes that were decoded from it. */
interface View {
  readonly bytes: Buffer;
  readonly depth: number;
  /** Its origin in the email. Null for the email itself. */
  readonly origin: ByteRange | null;
}

interface Search {
  /** The leaves of the first reading, by the start of their bodies. */
  readonly leavesByStart: ReadonlyMap<number, readonly MessagePart[]>;
  readonly limits: ReadingLimits;
  readonly finds: Finds;
  readonly warnings: WarningList;
  readonly views: View[];
  viewsLeft: number;
  /** Encoded bytes that may still be decoded. */
  bytesLeft: number;
}

/** Searches an email, in pieces. Linear in its length. Never throws on content. */
export function* recoverySteps(
  email: Buffer,
  { tree, ...context }: Pick<Search, 'limits' | 'finds' | 'warnings'> & { readonly tree: readonly MessagePart[] },
): Steps<void> {
  const search: Search = {
    ...context,
    leavesByStart: leavesByStart(tree),
    views: [{ bytes: email, depth: 0, origin: null }],
    viewsLeft: VIEWS,
    bytesLeft: Math.max(email.length * DECODE_FACTOR, DECODE_FLOOR),
  };
  const wide = fromUtf16(email);
  if (wide !== null) {
    search.warnings.add('odd_start', '1', 'a message in UTF-16');
    addView(search, { bytes: wide, depth: 1, origin: { start: 0, end: email.length } });
  }
  for (let view = search.views.shift(); view !== undefined; view = search.views.shift())
    yield* searchView(search, view);
}

function addView(search: Search, view: View): void {
  if (view.depth <= VIEW_DEPTH && search.viewsLeft-- > 0) search.views.push(view);
  else search.warnings.add('limit_exceeded', null, 'too many encoded containers: the rest was not searched');
}

function* searchView(search: Search, view: View): Steps<void> {
  const { bytes } = view;
  const { lines, end } = yield* dashedLineSteps(bytes);
  if (end < bytes.length) search.warnings.add('limit_exceeded', null, 'too many lines that look like boundaries');
  const first = lines[0]?.start ?? bytes.length;
  const opening = yield* openingSteps(bytes, lines);
  yield* searchSegment(search, view, { start: 0, next: first, end: endOf(bytes, lines, -1, opening), isRoot: true });
  for (const [at, line] of lines.entries()) {
    if (search.finds.isFull()) return;
    if (!opening.has(line.token)) continue;
    const next = lines[at + 1]?.start ?? end;
    yield* searchSegment(search, view, {
      start: line.end,
      next,
      end: endOf(bytes, lines, at, opening),
      isRoot: false,
    });
    if (at % SEGMENTS_PER_STEP === SEGMENTS_PER_STEP - 1) yield;
  }
  for (const file of yield* writtenFileSteps(bytes))
    yield* addFind(search, view, { ...NO_FACTS, names: [file.name] }, { start: file.start, end: file.end }, file.bytes);
}

/** Returns the texts of the dashed lines that a header follows. */
function* openingSteps(bytes: Buffer, lines: readonly DashedLine[]): Steps<ReadonlySet<string>> {
  const opening = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (at % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    if (!opening.has(line.token) && opens(bytes, line, lines[at + 1])) opening.add(line.token);
  }
  return opening;
}

/** Returns true when a header follows a dashed line before the next one. */
function opens(bytes: Buffer, line: DashedLine, next: DashedLine | undefined): boolean {
  return findHeader(bytes, line.end, next?.start ?? bytes.length, false) !== null;
}

/** Returns the end of the part behind line `at`: the next line with the text of a boundary. Other dashed lines may belong to the part. */
function endOf(bytes: Buffer, lines: readonly DashedLine[], at: number, opening: ReadonlySet<string>): number {
  for (let index = at + 1; index < lines.length; index++) {
    const line = lines[index] as DashedLine;
    if (opening.has(line.token)) return line.start;
  }
  return bytes.length;
}

interface Segment {
  readonly start: number;
  /** The next dashed line, with any text. */
  readonly next: number;
  /** The next dashed line that looks like a boundary. */
  readonly end: number;
  readonly isRoot: boolean;
}

/** Adds everything in one segment that may be a leaf. It also looks into messages. */
function* searchSegment(search: Search, view: View, segment: Segment): Steps<void> {
  let { start, isRoot } = segment;
  for (let level = 0; level < MESSAGES_IN_A_SEGMENT; level++) {
    const header = findHeader(view.bytes, start, segment.next, isRoot);
    if (header === null) return;
    const facts = readPartFacts({ email: view.bytes, block: header.block, defaultType: 'text/plain' });
    for (const body of header.bodies) yield* searchBody(search, view, facts, { header, body, segment });
    if (!/^message\//.test(facts.declaredType)) return;
    [start, isRoot] = [header.bodies[0] ?? segment.next, true];
  }
}

interface Place {
  readonly header: { readonly start: number };
  readonly body: number;
  readonly segment: Segment;
}

function* searchBody(search: Search, view: View, facts: PartFacts, place: Place): Steps<void> {
  const { bytes } = view;
  const next = withoutAnyBreak(bytes, place.body, place.segment.next);
  const end = withoutAnyBreak(bytes, place.body, place.segment.end);
  const encoded = bytes.subarray(place.body, next);
  const types = [facts.declaredType, ...facts.otherTypes];
  const isContainer = isContainerType(facts.declaredType);
  for (const encoding of yield* encodingSteps(facts, encoded)) {
    const isIdentity = IDENTITY.has(encoding);
    const body = { start: place.body, end: isIdentity ? end : next };
    if (isReadAlready(search, view, facts, { body, encoding })) continue;
    search.bytesLeft -= body.end - body.start;
    if (search.bytesLeft < 0) {
      search.warnings.add('limit_exceeded', null, 'too much that lenient programs might decode');
      return;
    }
    const decoded = yield* decodeSteps(bytes.subarray(body.start, body.end), encoding);
    if (types.some(isContainerType) && !isIdentity)
      addView(search, { bytes: asBuffer(decoded.bytes), depth: view.depth + 1, origin: view.origin ?? body });
    if (isContainer || isInTree(search, view, body, encoding)) continue;
    yield* addFind(search, view, { ...facts, encoding }, body, decoded.bytes);
    if (encoding !== 'base64' || decoded.isWellFormed || encoded.length > VARIANT_BYTES) continue;
    for (const variant of yield* base64Variants(encoded)) yield* addFind(search, view, facts, body, variant);
  }
}

const isContainerType = (type: string) => /^(?:multipart|message)\//.test(type);

/**
 * Returns true for a container, which is read part by part. Also returns true for a web archive that is a leaf of the tree, because none of
 * its bytes are delivered.
 */
function isReadAlready(
  search: Search,
  view: View,
  facts: PartFacts,
  { body, encoding }: { readonly body: ByteRange; readonly encoding: TransferEncoding },
): boolean {
  if (IDENTITY.has(encoding)) return isContainerType(facts.declaredType);
  return isArchiveFile(facts) && isInTree(search, view, body, encoding);
}

/** Moves `end` back over one line break of any kind, but not past `floor`. */
function withoutAnyBreak(bytes: Buffer, floor: number, end: number): number {
  const cut = withoutLineBreak(bytes, floor, Math.max(floor, end));
  return cut === end && cut > floor && bytes[cut - 1] === CR ? cut - 1 : cut;
}

/** Returns true for a body that is in the tree. Line breaks around it make no difference. */
function isInTree({ leavesByStart }: Search, view: View, body: ByteRange, encoding: TransferEncoding): boolean {
  if (view.origin !== null) return false;
  for (let start = body.start - BREAK_BYTES; start <= body.start + BREAK_BYTES; start++)
    for (const part of leavesByStart.get(start) ?? [])
      if (isAlike(part.encoding, encoding) && Math.abs(part.body.end - body.end) <= BREAK_BYTES) return true;
  return false;
}

function isAlike(one: TransferEncoding, other: TransferEncoding): boolean {
  return one === other || (IDENTITY.has(one) && IDENTITY.has(other));
}

/** Returns the leaves by the start of their bodies. Comparing every part with every body that is found would take seconds. */
function leavesByStart(tree: readonly MessagePart[]): ReadonlyMap<number, readonly MessagePart[]> {
  const byStart = new Map<number, MessagePart[]>();
  for (const part of tree)
    if (part.sha256 !== null) byStart.set(part.body.start, [...(byStart.get(part.body.start) ?? []), part]);
  return byStart;
}

/** Returns the encodings in which a body is decoded: the labelled ones, base64 for a body that is base64, and 8bit for any other. */
function* encodingSteps(facts: PartFacts, body: Buffer): Steps<TransferEncoding[]> {
  const encodings: TransferEncoding[] = [facts.encoding, ...facts.otherEncodings];
  const isBase64 = !encodings.includes('base64') && (yield* unlabelledBase64Steps(body, false));
  if (isBase64) encodings.push('base64');
  const isLie = encodings[0] === 'base64' && alphabetShare(body) < ALPHABET_SHARE;
  return isLie ? [...encodings, '8bit'] : encodings;
}

function alphabetShare(body: Buffer): number {
  const head = body.subarray(0, LOOK_BYTES);
  let digits = 0;
  for (const byte of head) if (/[A-Za-z0-9+/=\s_-]/.test(String.fromCharCode(byte))) digits++;
  return head.length === 0 ? 1 : digits / head.length;
}

function* addFind(search: Search, view: View, facts: PartFacts, body: ByteRange, bytes: Uint8Array): Steps<void> {
  const { names, declaredType, charset, encoding, contentId, disposition } = facts;
  const range = view.origin ?? body;
  const find: Find = {
    names,
    declaredType,
    charset,
    encoding,
    contentId,
    disposition,
    bytes,
    header: { start: range.start, end: range.start },
    body: range,
    reading: 'recovery',
    isOnlyText: view.origin === null && isOnlyText(facts, bytes),
  };
  yield* search.finds.addSteps(find);
}

/** Returns true for ASCII text that every possible charset leaves unchanged, and whose header only says that it is plain text. */
function isOnlyText(
  { declaredType, otherTypes, otherEncodings, names, charset, encoding, problems }: PartFacts,
  bytes: Uint8Array,
) {
  const isPlain = declaredType === 'text/plain' && names.length === 0 && problems.length === 0;
  const isOnce =
    otherTypes.length === 0 && otherEncodings.length === 0 && IDENTITY.has(encoding) && encoding !== 'unknown';
  const isNamed =
    charset === null || isUnsaid(charset) || /^(?:utf-8|windows-125\d|iso-8859-\d+)$/.test(encodingOf(charset) ?? '');
  return isPlain && isOnce && isNamed && isAscii(bytes) && !bytes.includes(0x1b) && !hidesAscii(bytes);
}
