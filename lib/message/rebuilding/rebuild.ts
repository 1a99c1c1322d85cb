/** Rebuilds a message from the email's own bytes, with some ranges replaced. */
import { asBuffer, lineEndAfter, nonBlankRange, withoutLineBreak } from '../../formats/byte-scan.ts';
import type { AddedHeader, ByteRange, MessagePart, MessageReading, Replacement } from '../model.ts';
import { type CleanRule, cleanHeader, type HeaderPiece, type LinkRule } from './clean-header.ts';
import { addedHeaderLine, freshPart } from './fresh-part.ts';
import { isHarmlessOutside } from './outside-text.ts';
import { type SecondHeader, secondFields, withoutFirst } from './second-header.ts';

export interface RebuildPlan {
  /** Replacements by the path of the leaf. */
  readonly replacements: ReadonlyMap<string, Replacement>;
  /**
   * The name that replaces all claimed names of a part, by path. A part without an entry keeps its names if all programs read them alike.
   * Otherwise it gets none.
   */
  readonly names: ReadonlyMap<string, string>;
  readonly links: LinkRule;
  /** The servers whose Authentication-Results stay in the header of the message. @default all servers */
  readonly trustedServers?: readonly string[];
  /** Headers that are written at the top of the message, in this order. */
  readonly headers: readonly AddedHeader[];
  /** Set when the message replaces an earlier one. @default it is the first */
  readonly second?: SecondHeader | null;
}

/** How many fields of a part's header are not delivered, or are changed. */
export interface HeaderChange {
  readonly path: string;
  readonly leftOut: number;
  readonly rewritten: number;
}

export interface Rebuilt {
  readonly bytes: Uint8Array;
  /** The changes to headers of parts that stay. A replaced part gets a new header. */
  readonly changes: readonly HeaderChange[];
}

/** The message has parts that only some programs find, so it cannot be rebuilt safely. */
export class RecoveredPartsError extends Error {
  readonly code = 'recovered_parts';
  constructor() {
    super('a message with parts that only lenient programs find cannot be rebuilt');
    this.name = 'RecoveredPartsError';
  }
}

/** Bytes that replace a range. The ranges of one message do not overlap. */
interface Splice extends ByteRange {
  readonly bytes: Uint8Array;
}

const NOTHING = Buffer.alloc(0);

/**
 * Rebuilds the message. The encoded bodies of untouched parts stay byte for byte, and so do the fields of their headers that are
 * allowed (`clean-header.ts`). A replaced leaf gets a new header. If the leaf is the whole body of a message, the other fields of
 * that message stay. An mbox line is left out, and so is text outside the parts that is not harmless (`outside-text.ts`). `reading`
 * must be of these bytes.
 *
 * @throws RecoveredPartsError when the reading lists parts that have no place in the tree. Such text cannot be taken out, because only
 * lenient programs show a part there.
 * @throws TypeError when a replacement names a path that is no leaf of the reading, or an added header is not `X-Airlock-…`.
 */
export function rebuildMessage(email: Uint8Array, reading: MessageReading, plan: RebuildPlan): Rebuilt {
  const buffer = asBuffer(email);
  if (reading.parts.some((part) => part.recovered !== null)) throw new RecoveredPartsError();
  const root = reading.parts[0];
  if (root === undefined) throw new TypeError('a reading without parts cannot be rebuilt');
  const eol = eolOf(buffer, root.header);
  const byPath = new Map(reading.parts.map((part) => [part.path, part]));
  const splices: Splice[] = [];
  const changes: HeaderChange[] = [];
  for (const path of plan.replacements.keys())
    if ((byPath.get(path)?.sha256 ?? null) === null) throw new TypeError(`no leaf to replace at ${path}`);
  for (const part of reading.parts) {
    const isMessageRoot = part.parent === null || byPath.get(part.parent)?.role === 'message';
    const rule = ruleOf(part, plan, { isMessageRoot, eol });
    const cleaned = cleanHeader(buffer, part, rule);
    const { pieces, inFront } = headerOf(buffer, part, cleaned, { plan, eol });
    splices.push(...inFront);
    const replacement = plan.replacements.get(part.path);
    if (replacement === undefined) splices.push(...changed(pieces));
    else {
      const isRepaired = reading.repairs.some(({ start }) => start === part.body.end);
      splices.push(replaceLeaf(buffer, part, replacement, { pieces: isMessageRoot ? pieces : null, eol, isRepaired }));
    }
    if (replacement === undefined || isMessageRoot)
      changes.push(...changeOf(part.path, cleaned, replacement === undefined));
    if (part.role === 'multipart') splices.push(...withoutOutsideText(buffer, part, reading.parts));
  }
  for (const { start, end, text } of reading.repairs) splices.push({ start, end, bytes: Buffer.from(text, 'latin1') });
  return { bytes: splice(buffer, splices), changes };
}

/** Yields the pieces that are delivered, and the text before the first field of the message. */
function headerOf(
  email: Buffer,
  part: MessagePart,
  cleaned: readonly HeaderPiece[],
  { plan, eol }: { readonly plan: RebuildPlan; readonly eol: string },
): { readonly pieces: readonly HeaderPiece[]; readonly inFront: readonly Splice[] } {
  if (part.parent !== null) return { pieces: cleaned, inFront: [] };
  const second = plan.second ?? null;
  const added = plan.headers.map((header) => addedHeaderLine(header, eol)).join('');
  const anew = second === null ? '' : secondFields(email, cleaned, second, eol);
  const inFront = [{ start: 0, end: part.header.start, bytes: Buffer.from(added + anew, 'latin1') }];
  return { pieces: second === null ? cleaned : withoutFirst(cleaned), inFront };
}

function ruleOf(part: MessagePart, plan: RebuildPlan, root: Pick<CleanRule, 'isMessageRoot' | 'eol'>): CleanRule {
  // Other servers checked a message inside the message, long ago.
  const trustedServers = part.parent === null ? (plan.trustedServers ?? []) : [];
  return { ...root, safeName: plan.names.get(part.path) ?? null, links: plan.links, trustedServers };
}

/** Returns the line break that this message uses in its header. */
function eolOf(email: Buffer, header: ByteRange): string {
  const at = email.subarray(header.start, header.end).indexOf('\n');
  return at === 0 || (at > 0 && email[header.start + at - 1] !== 0x0d) ? '\n' : '\r\n';
}

function changed(pieces: readonly HeaderPiece[]): Splice[] {
  return pieces.flatMap(({ start, end, text }) =>
    text === null ? [] : [{ start, end, bytes: Buffer.from(text, 'latin1') }],
  );
}

/** Replaces a leaf. `pieces` is the header of the message whose whole body is the leaf; null for a leaf beside others. */
function replaceLeaf(
  email: Buffer,
  part: MessagePart,
  replacement: Replacement,
  {
    pieces,
    eol,
    isRepaired,
  }: { readonly pieces: readonly HeaderPiece[] | null; readonly eol: string; readonly isRepaired: boolean },
): Splice {
  const fresh = freshPart(replacement, part.untrustedContentId, eol);
  const kept = pieces === null ? '' : keptFields(email, pieces, eol);
  // An empty body has no line break before the next delimiter. An added boundary brings its own.
  const needsBreak = !isRepaired && (part.body.end === part.body.start || part.body.end === email.length);
  const text = [kept, fresh.header, eol, fresh.body, needsBreak ? eol : ''];
  return { start: part.header.start, end: part.body.end, bytes: Buffer.from(text.join(''), 'latin1') };
}

/** Returns the fields of a message (latin1) without those that describe its old body. */
function keptFields(email: Buffer, pieces: readonly HeaderPiece[], eol: string): string {
  const own = pieces.filter(({ name, text }) => !isContentField(name) && text !== '');
  const lines = own.map(({ start, end, text }) => {
    if (text !== null) return text;
    const textEnd = withoutLineBreak(email, start, end);
    return email.toString('latin1', start, textEnd === end ? textEnd : end) + (textEnd === end ? eol : '');
  });
  const hasVersion = own.some(({ name }) => name === 'mime-version');
  return lines.join('') + (hasVersion ? '' : `MIME-Version: 1.0${eol}`);
}

function changeOf(path: string, pieces: readonly HeaderPiece[], hasContentFields: boolean): HeaderChange[] {
  const counted = pieces.filter(({ name }) => hasContentFields || !isContentField(name));
  const leftOut = counted.filter(({ text }) => text === '').length;
  const rewritten = counted.filter(({ text }) => text !== null && text !== '').length;
  return leftOut + rewritten > 0 ? [{ path, leftOut, rewritten }] : [];
}

const isContentField = (name: string) => name.startsWith('content-');

/** Removes text before the first and after the last part of a multipart, unless it is harmless. It is in no part, so it was not judged. */
function withoutOutsideText(email: Buffer, multipart: MessagePart, parts: readonly MessagePart[]): Splice[] {
  const children = parts.filter((part) => part.parent === multipart.path);
  const first = children[0];
  const last = children.at(-1);
  if (first === undefined || last === undefined) return [];
  const delimiterEnd = withoutLineBreak(email, multipart.body.start, first.header.start);
  const delimiterStart = Math.max(multipart.body.start, email.lastIndexOf('\n', delimiterEnd - 1) + 1);
  const closeStart = last.body.end + breakLength(email, last.body.end);
  const epilogueStart = Math.min(lineEndAfter(email, closeStart), multipart.body.end);
  const outside = [
    { start: multipart.body.start, end: delimiterStart },
    { start: epilogueStart, end: multipart.body.end },
  ];
  return outside
    .filter((range) => !isBlank(email, range) && !isHarmlessOutside(email, range, multipart))
    .map((range) => ({ ...range, bytes: NOTHING }));
}

function isBlank(email: Buffer, { start, end }: ByteRange): boolean {
  const text = nonBlankRange(email, start, end);
  return text.end === text.start;
}

function breakLength(email: Buffer, at: number): number {
  if (email[at] === 0x0a) return 1;
  return email[at] === 0x0d && email[at + 1] === 0x0a ? 2 : 0;
}

function splice(email: Buffer, splices: readonly Splice[]): Uint8Array {
  const chunks: Uint8Array[] = [];
  let position = 0;
  for (const { start, end, bytes } of [...splices].sort(
    (one, other) => one.start - other.start || one.end - other.end,
  )) {
    chunks.push(email.subarray(position, start), bytes);
    position = Math.max(position, end);
  }
  chunks.push(email.subarray(position));
  return Buffer.concat(chunks);
}
