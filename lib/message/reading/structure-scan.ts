/** The state of the structure reading: which parts are open, and which bytes are accounted for. */
import { nonBlankRange, withoutLineBreak } from '../../formats/byte-scan.ts';
import type { HeaderBlock } from '../../formats/mail/header-block.ts';
import type { WarningList } from '../headers/warnings.ts';
import type { ByteRange, ReadingLimits, Repair } from '../model.ts';
import { type BoundaryBudget, boundaryBudgetOf } from './boundaries.ts';
import { closingOf, isCutOff, isHeaderAlone, wholeEnd } from './cut-off.ts';
import type { PartDraft } from './part-draft.ts';
import { NO_FACTS } from './part-facts.ts';

/** The state of the reading. */
export interface Scan {
  readonly email: Buffer;
  readonly limits: ReadingLimits;
  readonly warnings: WarningList;
  readonly parts: PartDraft[];
  readonly others: ByteRange[];
  readonly padding: ByteRange[];
  readonly repairs: Repair[];
  /** The nodes from the root down to the one that is being read. */
  readonly open: PartDraft[];
  rootHeader: HeaderBlock | null;
  headerBytes: number;
  headerLines: number;
  /** Every byte before this one is accounted for, except the body of the open leaf. */
  cursor: number;
  /** The search for the next delimiter continues here, at the start of a line. */
  searchFrom: number;
  readonly searches: BoundaryBudget;
  delimiters: number;
  isComplete: boolean;
}

/** The place where a part begins. */
export interface Place {
  readonly parent: PartDraft | null;
  readonly start: number;
  readonly defaultType: string;
}

/** Returns the state in front of the first part. */
export function startScan(email: Buffer, start: number, limits: ReadingLimits, warnings: WarningList): Scan {
  return {
    email,
    limits,
    warnings,
    parts: [],
    others: [],
    padding: [],
    repairs: [],
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
}

/**
 * Bytes of a customary note in front of the parts: "This is a multi-part message in MIME format." A longer text may be meant for
 * readers.
 */
const CUSTOMARY_NOTE_BYTES = 200;

/** Adds a part below `parent` and opens it. */
export function addPart(
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

/** Ends the reading at a limit. The rest of the email becomes one attachment, so that it is still judged. */
export function giveUp(scan: Scan, { parent, start }: Place): void {
  const draft = addPart(scan, parent, { facts: NO_FACTS, boundary: null }, { start, end: start });
  scan.isComplete = false;
  scan.warnings.add('limit_exceeded', draft.path, 'too many parts or too much header: the rest was not read');
}

/** Returns the open multiparts whose delimiters count, outermost first. */
export function openMultiparts(scan: Scan): { readonly boundary: Buffer; readonly draft: PartDraft }[] {
  return scan.open.flatMap((draft) =>
    draft.role === 'multipart' && !draft.isClosed && draft.boundary !== null
      ? [{ boundary: draft.boundary, draft }]
      : [],
  );
}

/** Ends every open node inside `owner` at `at`, which is a delimiter or the end of the email. Null ends all nodes. */
export function closeAbove(scan: Scan, owner: PartDraft | null, at: number): void {
  for (let top = scan.open.at(-1); top !== undefined && top !== owner; top = scan.open.at(-1)) {
    scan.open.pop();
    // The line break in front of a delimiter belongs to the delimiter (RFC 2046 §5.1.1).
    top.bodyEnd = owner === null ? at : withoutLineBreak(scan.email, top.bodyStart, at);
    const isCut = scan.isComplete && isCutOff(scan.open, owner);
    if (top.role === 'multipart') closeMultipart(scan, top, at, isCut);
    else if (top.role !== 'message') {
      if (isCut && scan.open.length > 0) cutToWholeBytes(scan, top, owner === null);
      scan.cursor = top.bodyEnd;
    }
  }
}

/** The words that every warning about a cut-off message has. */
export const CUT_OFF = 'it ends before its closing boundary';

/** Leaves out the digits of a last byte that is not whole. The body of a leaf ends in front of them. */
function cutToWholeBytes(scan: Scan, draft: PartDraft, isEnd: boolean): void {
  const range = { start: wholeEnd(scan.email, draft), end: draft.bodyEnd };
  if (range.start === range.end) return;
  scan.warnings.add('cut_off', draft.path, 'it ends in the middle of a file');
  draft.bodyEnd = range.start;
  scan.repairs.push({ ...range, text: '' });
  scan.padding.push(range);
  if (isEnd) scan.others.push(range);
}

function closeMultipart(scan: Scan, draft: PartDraft, at: number, isCut: boolean): void {
  if (isCut && isHeaderAlone(scan.email, draft)) {
    addOutsideText(scan, draft, draft.bodyEnd);
    return;
  }
  if (!draft.isClosed && isCut && draft.children > 0) {
    scan.warnings.add('cut_off', draft.path, CUT_OFF);
    scan.repairs.push(closingOf(scan.email, draft));
  } else if (!draft.isClosed && scan.isComplete)
    scan.warnings.add('broken_multipart', draft.path, 'a multipart whose closing boundary is missing');
  if (draft.children === 0) {
    // None of its parts was found, so its bytes are judged unchanged.
    draft.role = 'attachment';
    scan.cursor = draft.bodyEnd;
  } else if (draft.isClosed) addOutsideText(scan, draft, at);
}

/** Accounts for [cursor, end), which is before or after the parts of a multipart. */
export function addOutsideText(scan: Scan, draft: PartDraft, end: number): void {
  const text = nonBlankRange(scan.email, scan.cursor, end);
  const allowed = draft.children === 0 ? CUSTOMARY_NOTE_BYTES : 0;
  if (text.end - text.start > allowed)
    scan.warnings.add('text_outside_parts', draft.path, 'text in front of or behind the parts of a multipart');
  scan.others.push({ start: scan.cursor, end });
  scan.cursor = end;
}
