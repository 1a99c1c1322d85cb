/**
 * The structure reading: one pass over the bytes of an email yields its MIME tree with byte ranges. Iterative, so no nesting
 * can exhaust the stack; every byte is in a header, a leaf's body or `others`.
 */

import { asBuffer, nonBlankRange, skipBlankStart, skipMboxLine, withoutLineBreak } from '../../formats/byte-scan.ts';
import { type HeaderBlock, readHeaderBlock } from '../../formats/mail/header-block.ts';
import type { Steps } from '../../formats/steps.ts';
import type { WarningList } from '../headers/warnings.ts';
import type { ByteRange, PartRole, ReadingLimits } from '../model.ts';
import {
  type BoundaryBudget,
  boundaryBudgetOf,
  inferBoundarySteps,
  isSpent,
  standsInBodySteps,
  startsWithHeader,
} from './boundaries.ts';
import { type Delimiter, delimiterSteps, matchDelimiter } from './delimiters.ts';
import { NO_FACTS, type PartFacts, readPartFacts } from './part-facts.ts';
import { roleOf, warnOfHeader } from './part-role.ts';

/** A node of the tree while it is read; `bodyEnd` is final once the node is no longer open. */
export interface PartDraft {
  readonly path: string;
  readonly parent: string | null;
  readonly depth: number;
  role: PartRole;
  readonly facts: PartFacts;
  /** What its parts are found by; null when it is no multipart, or no boundary can be used. */
  readonly boundary: Buffer | null;
  readonly header: ByteRange;
  readonly bodyStart: number;
  bodyEnd: number;
  children: number;
  /** Its closing delimiter was seen; what follows is its epilogue. */
  isClosed: boolean;
}

export interface StructureReading {
  readonly parts: readonly PartDraft[];
  /** The header block of the message itself. */
  readonly rootHeader: HeaderBlock;
  /** Delimiters, text outside parts, an mbox line: the bytes in no header and no leaf. */
  readonly others: readonly ByteRange[];
  /** White space behind delimiters: legal, and unknown to mailparser. */
  readonly padding: readonly ByteRange[];
  /** False when a limit ended the reading; the rest of the email is then one leaf. */
  readonly isComplete: boolean;
}

/** "This is a multi-part message in MIME format." and its kin. More text in front of the parts could be meant for somebody. */
const CUSTOMARY_NOTE_BYTES = 200;
const NO_HEADER: HeaderBlock = { fields: [], end: 0, lines: 0, endedBy: 'limit', problems: [] };
/** Delimiters for each part that a message may have: a flood of closing ones opens no part, and would go on for seconds. */
const DELIMITERS_PER_PART = 4;
const DELIMITERS_PER_STEP = 100;

interface Scan {
  readonly email: Buffer;
  readonly limits: ReadingLimits;
  readonly warnings: WarningList;
  readonly parts: PartDraft[];
  readonly others: ByteRange[];
  readonly padding: ByteRange[];
  /** From the root down to the node that is being read. */
  readonly open: PartDraft[];
  rootHeader: HeaderBlock | null;
  headerBytes: number;
  headerLines: number;
  /** Up to here every byte is accounted for, except the body of the open leaf. */
  cursor: number;
  /** The next delimiter is looked for from here: the start of a line. */
  searchFrom: number;
  readonly searches: BoundaryBudget;
  delimiters: number;
  isComplete: boolean;
}

interface Place {
  readonly parent: PartDraft | null;
  readonly start: number;
  readonly defaultType: string;
}

/** Reads the tree, in pieces. Never throws on content; linear in the email's length times its open depth. */
export function* structureSteps(
  bytes: Uint8Array,
  limits: ReadingLimits,
  warnings: WarningList,
): Steps<StructureReading> {
  const email = asBuffer(bytes);
  const blank = skipBlankStart(email);
  const start = blank + skipMboxLine(email.subarray(blank));
  const scan: Scan = {
    email,
    limits,
    warnings,
    parts: [],
    others: [],
    padding: [],
    open: [],
    rootHeader: null,
    headerBytes: 0,
    headerLines: 0,
    cursor: start,
    searchFrom: start,
    searches: boundaryBudgetOf(email),
    delimiters: 0,
    isComplete: true,
  };
  if (blank > 0) warnings.add('odd_start', '1', 'blank lines or a byte order mark in front of the header');
  scan.others.push({ start: 0, end: start });
  yield* openEntity(scan, { parent: null, start, defaultType: 'text/plain' });
  while (scan.isComplete && (yield* readUpToDelimiter(scan))) {}
  closeAbove(scan, null, email.length);
  return {
    parts: scan.parts,
    others: scan.others,
    padding: scan.padding,
    isComplete: scan.isComplete,
    rootHeader: scan.rootHeader ?? NO_HEADER,
  };
}

/** Opens the part at `place`; a message part opens the message inside it as well. */
function* openEntity(scan: Scan, place: Place): Steps<void> {
  let next: Place | null = place;
  while (next !== null) {
    const { parent, start, defaultType } = next as Place;
    const block: HeaderBlock | null = scan.parts.length < scan.limits.parts ? readHeader(scan, start) : null;
    if (block === null) {
      giveUp(scan, next);
      return;
    }
    const facts = readPartFacts(scan.email, block, { defaultType });
    const boundary = facts.declaredType.startsWith('multipart/') ? yield* chooseBoundary(scan, facts, block.end) : null;
    const draft = addPart(scan, parent, { facts, boundary: boundary?.bytes ?? null }, { start, end: block.end });
    if (boundary?.isInferred)
      scan.warnings.add('boundary_inferred', draft.path, 'a multipart whose boundary is not the one its header names');
    scan.rootHeader ??= block;
    scan.cursor = block.end;
    scan.searchFrom = block.end;
    const isMessageRoot = parent === null || parent.role === 'message';
    warnOfHeader(scan.warnings, { path: draft.path, facts, isMessageRoot }, block);
    if (block.fields.length === 0 && defaultType === 'text/plain' && startsWithHeader(scan.email, block.end))
      scan.warnings.add('odd_header', draft.path, 'a blank line in front of what looks like a header');
    draft.role = roleOf(scan.warnings, draft, {
      maxDepth: scan.limits.depth,
      open: openMultiparts(scan).map(({ boundary }) => boundary),
    });
    next = draft.role === 'message' ? { parent: draft, start: block.end, defaultType: 'text/plain' } : null;
  }
}

/** The first boundary named that stands in the body; else one that the body itself shows; else the first one named. */
function* chooseBoundary(
  scan: Scan,
  { boundaries }: PartFacts,
  from: number,
): Steps<{ readonly bytes: Buffer; readonly isInferred: boolean } | null> {
  const [first] = boundaries;
  const { email, searches } = scan;
  for (const bytes of boundaries) {
    if (yield* standsInBodySteps(email, from, bytes, searches)) return { bytes, isInferred: false };
    yield;
  }
  const inferred = yield* inferBoundarySteps(email, from, searches);
  const isTaken = inferred !== null && openMultiparts(scan).some(({ boundary }) => boundary.equals(inferred));
  if (inferred !== null && !isTaken) return { bytes: inferred, isInferred: true };
  if (isSpent(searches)) scan.warnings.add('limit_exceeded', null, 'boundaries that stand too far from their headers');
  return first === undefined ? null : { bytes: first, isInferred: false };
}

/** Null when a header limit is exceeded. */
function readHeader(scan: Scan, start: number): HeaderBlock | null {
  const boundaries = openMultiparts(scan);
  const block = readHeaderBlock(scan.email, start, {
    isDelimiter: (lineStart) => matchDelimiter(scan.email, lineStart, boundaries).found !== null,
    maxBytes: scan.limits.headerBytes - scan.headerBytes,
    maxLines: scan.limits.headerLines - scan.headerLines,
  });
  scan.headerBytes += block.end - start;
  scan.headerLines += block.lines;
  return block.endedBy === 'limit' ? null : block;
}

function addPart(
  scan: Scan,
  parent: PartDraft | null,
  { facts, boundary }: Pick<PartDraft, 'facts' | 'boundary'>,
  header: ByteRange,
): PartDraft {
  if (parent !== null) parent.children++;
  const draft: PartDraft = {
    path: parent === null ? '1' : `${parent.path}.${parent.children}`,
    parent: parent?.path ?? null,
    depth: parent === null ? 0 : parent.depth + 1,
    role: 'attachment',
    facts,
    boundary,
    header,
    bodyStart: header.end,
    bodyEnd: header.end,
    children: 0,
    isClosed: false,
  };
  scan.parts.push(draft);
  scan.open.push(draft);
  return draft;
}

/** A limit is hit: the rest of the email becomes one attachment, so that it is still judged. */
function giveUp(scan: Scan, { parent, start }: Place): void {
  const draft = addPart(scan, parent, { facts: NO_FACTS, boundary: null }, { start, end: start });
  scan.isComplete = false;
  scan.warnings.add('limit_exceeded', draft.path, 'too many parts or too much header: the rest was not read');
}

function openMultiparts(scan: Scan): { readonly boundary: Buffer; readonly draft: PartDraft }[] {
  return scan.open.flatMap((draft) =>
    draft.role === 'multipart' && !draft.isClosed && draft.boundary !== null
      ? [{ boundary: draft.boundary, draft }]
      : [],
  );
}

/** Reads on to the next delimiter and past it. False at the end of the email. */
function* readUpToDelimiter(scan: Scan): Steps<boolean> {
  const { found, resembled, behindBareCr } = yield* delimiterSteps(scan.email, scan.searchFrom, openMultiparts(scan));
  if (behindBareCr !== null)
    scan.warnings.add('bare_carriage_return', behindBareCr.draft.path, 'a boundary behind a bare CR');
  if (resembled !== null)
    scan.warnings.add('broken_multipart', resembled.draft.path, 'a line that some programs take for a boundary');
  if (found === null) return false;
  if (++scan.delimiters > scan.limits.parts * DELIMITERS_PER_PART) {
    closeAbove(scan, found.owner.draft, found.lineStart);
    giveUp(scan, { parent: found.owner.draft, start: scan.cursor, defaultType: 'text/plain' });
    return false;
  }
  closeAbove(scan, found.owner.draft, found.lineStart);
  yield* passDelimiter(scan, found, found.owner.draft);
  if (scan.delimiters % DELIMITERS_PER_STEP === 0) yield;
  return true;
}

/** Ends every open node inside `owner` (all of them for null) in front of the delimiter or the end of the email. */
function closeAbove(scan: Scan, owner: PartDraft | null, at: number): void {
  for (let top = scan.open.at(-1); top !== undefined && top !== owner; top = scan.open.at(-1)) {
    scan.open.pop();
    // The line break in front of a delimiter belongs to it: RFC 2046 §5.1.1.
    top.bodyEnd = owner === null ? at : withoutLineBreak(scan.email, top.bodyStart, at);
    if (top.role === 'multipart') closeMultipart(scan, top, at);
    else if (top.role !== 'message') scan.cursor = top.bodyEnd;
  }
}

function closeMultipart(scan: Scan, draft: PartDraft, at: number): void {
  if (!draft.isClosed && scan.isComplete)
    scan.warnings.add('broken_multipart', draft.path, 'a multipart whose closing boundary is missing');
  if (draft.children === 0) {
    // Nothing in it was found: its bytes are judged as they stand.
    draft.role = 'attachment';
    scan.cursor = draft.bodyEnd;
  } else if (draft.isClosed) addOutsideText(scan, draft, at);
}

/** Accounts for [cursor, end) in front of or behind the parts of a multipart. */
function addOutsideText(scan: Scan, draft: PartDraft, end: number): void {
  const text = nonBlankRange(scan.email, scan.cursor, end);
  const allowed = draft.children === 0 ? CUSTOMARY_NOTE_BYTES : 0;
  if (text.end - text.start > allowed)
    scan.warnings.add('text_outside_parts', draft.path, 'text in front of or behind the parts of a multipart');
  scan.others.push({ start: scan.cursor, end });
  scan.cursor = end;
}

function* passDelimiter(
  scan: Scan,
  { kind, lineStart, textEnd, lineEnd }: Delimiter<{ readonly draft: PartDraft }>,
  draft: PartDraft,
): Steps<void> {
  scan.searchFrom = lineEnd;
  const paddingEnd = withoutLineBreak(scan.email, textEnd, lineEnd);
  if (paddingEnd > textEnd) scan.padding.push({ start: textEnd, end: paddingEnd });
  if (draft.children === 0) {
    if (kind === 'close') {
      scan.warnings.add('broken_multipart', draft.path, 'a closing boundary before the first part');
      return;
    }
    addOutsideText(scan, draft, lineStart);
  }
  scan.others.push({ start: scan.cursor, end: lineEnd });
  scan.cursor = lineEnd;
  if (kind === 'next') {
    const defaultType = draft.facts.declaredType === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    yield* openEntity(scan, { parent: draft, start: lineEnd, defaultType });
  } else draft.isClosed = true;
}
