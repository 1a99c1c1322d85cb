/**
 * The structure reading: reads the MIME tree of an email with its byte ranges, in one pass. It does not recurse, so nesting cannot
 * exhaust the stack. Every byte is in a header, in the body of a leaf or in `others`.
 */
import { asBuffer, nonBlankRange, skipBlankStart, skipMboxLine, withoutLineBreak } from '../../formats/byte-scan.ts';
import { type HeaderBlock, readHeaderBlock } from '../../formats/mail/header-block.ts';
import type { Steps } from '../../formats/steps.ts';
import type { WarningList } from '../headers/warnings.ts';
import type { ByteRange, ReadingLimits, Repair } from '../model.ts';
import { isArchiveFile } from './archive-file.ts';
import { inferBoundarySteps, isSpent, standsInBodySteps, startsWithHeader } from './boundaries.ts';
import { type Delimiter, delimiterSteps, matchDelimiter } from './delimiters.ts';
import type { PartDraft } from './part-draft.ts';
import { type PartFacts, readPartFacts } from './part-facts.ts';
import { roleOf, warnOfHeader } from './part-role.ts';
import {
  addOutsideText,
  addPart,
  CUT_OFF,
  closeAbove,
  giveUp,
  openMultiparts,
  type Place,
  type Scan,
  startScan,
} from './structure-scan.ts';

export interface StructureReading {
  readonly parts: readonly PartDraft[];
  /** The header block of the message itself. */
  readonly rootHeader: HeaderBlock;
  /** The bytes in no header and no leaf: delimiters, text outside parts, an mbox line. */
  readonly others: readonly ByteRange[];
  /** White space behind delimiters, which is legal and which mailparser does not know. */
  readonly padding: readonly ByteRange[];
  /** See MessageReading. */
  readonly repairs: readonly Repair[];
  /** False when a limit ended the reading. The rest of the email is then one leaf. */
  readonly isComplete: boolean;
}

const NO_HEADER: HeaderBlock = { fields: [], end: 0, lines: 0, endedBy: 'limit', problems: [] };
/** Delimiters for each part that a message may have. A flood of closing ones opens no part, and reading it would take seconds. */
const DELIMITERS_PER_PART = 4;
const DELIMITERS_PER_STEP = 100;

/** Reads the tree, in pieces. Linear in the length of the email times its depth. Never throws on content. */
export function* structureSteps(
  bytes: Uint8Array,
  limits: ReadingLimits,
  warnings: WarningList,
): Steps<StructureReading> {
  const email = asBuffer(bytes);
  const blank = skipBlankStart(email);
  const start = blank + skipMboxLine(email.subarray(blank));
  const scan = startScan(email, start, limits, warnings);
  if (blank > 0) warnings.add('odd_start', '1', 'blank lines or a byte order mark in front of the header');
  scan.others.push({ start: 0, end: start });
  yield* openEntity(scan, { parent: null, start, defaultType: 'text/plain' });
  while (scan.isComplete && (yield* readUpToDelimiter(scan))) {}
  closeAbove(scan, null, email.length);
  return {
    parts: scan.parts,
    others: scan.others,
    padding: scan.padding,
    repairs: scan.repairs,
    isComplete: scan.isComplete,
    rootHeader: scan.rootHeader ?? NO_HEADER,
  };
}

/** Reads up to the next delimiter and past it. False at the end of the email. */
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
  if (kind === 'next' && draft.children > 0 && paddingEnd === textEnd && isLastLine(scan.email, lineEnd)) {
    // A program that reads on would open an empty part.
    scan.warnings.add('cut_off', draft.path, CUT_OFF);
    scan.repairs.push({ start: textEnd, end: lineEnd, text: '--' });
    scan.padding.push({ start: lineStart, end: lineEnd });
    draft.isClosed = true;
  } else if (kind === 'next') {
    const defaultType = draft.facts.declaredType === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    yield* openEntity(scan, { parent: draft, start: lineEnd, defaultType });
  } else draft.isClosed = true;
}

const isLastLine = (email: Buffer, lineEnd: number) =>
  nonBlankRange(email, lineEnd, email.length).end === nonBlankRange(email, lineEnd, email.length).start;

/** Opens the part at `place`, and the message inside it if it is a message part. */
function* openEntity(scan: Scan, place: Place): Steps<void> {
  let next: Place | null = place;
  while (next !== null) {
    const { parent, start, defaultType } = next as Place;
    const block: HeaderBlock | null = scan.parts.length < scan.limits.parts ? readHeader(scan, start) : null;
    if (block === null) {
      giveUp(scan, next);
      return;
    }
    const facts = readPartFacts({ email: scan.email, block, defaultType });
    const isOpened = facts.declaredType.startsWith('multipart/') && !isArchiveFile(facts);
    const boundary = isOpened ? yield* chooseBoundary(scan, facts, block.end) : null;
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

/** Reads the header at `start`. Returns null when a header limit is exceeded. */
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

/**
 * Returns the first named boundary that the body contains. Otherwise returns the one that the lines of the body show, or the first named
 * one.
 */
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
