/** The rebuilt message: the email's own bytes, with some ranges of them exchanged. */
import { asBuffer, inkOf, lineEndAfter, withoutLineBreak } from './byte-scan.ts';
import { addedHeaderLine, freshPart } from './fresh-part.ts';
import { type HeaderField, readHeaderBlock } from './header-block.ts';
import type { AddedHeader, ByteRange, MessagePart, MessageReading, Replacement } from './model.ts';

/** Headers of ours in incoming mail are forged. */
const OUR_HEADERS = 'x-airlock-';

export interface RebuildPlan {
  /** By the path of the leaf. */
  readonly replacements: ReadonlyMap<string, Replacement>;
  /** Go to the top of the message, in this order. */
  readonly headers: readonly AddedHeader[];
}

/** The message has parts that only some programs find, so no rebuilt form of it is safe. */
export class RecoveredPartsError extends Error {
  readonly code = 'recovered_parts';
  constructor() {
    super('a message with parts that only lenient programs find cannot be rebuilt');
    this.name = 'RecoveredPartsError';
  }
}

/** These bytes instead of the range. Ranges of one message do not overlap. */
interface Splice extends ByteRange {
  readonly bytes: Uint8Array;
}

const NOTHING = Buffer.alloc(0);

/**
 * Builds the message anew. Untouched parts stay byte for byte, header and encoded body; a replaced leaf gets headers of ours
 * only, except that the leaf that is a message's whole body keeps that message's own headers. An mbox line, incoming
 * X-Airlock- headers and text outside the parts are left out. `reading` must be of these bytes.
 *
 * @throws RecoveredPartsError when the reading lists parts that stand in no place of the tree: what a lenient program would show
 * for them cannot be taken out.
 * @throws TypeError when a replacement names a path that is no leaf of the reading, or for a header that is not ours.
 */
export function rebuildMessage(email: Uint8Array, reading: MessageReading, plan: RebuildPlan): Uint8Array {
  const buffer = asBuffer(email);
  if (reading.parts.some((part) => part.recovered !== null)) throw new RecoveredPartsError();
  const root = reading.parts[0];
  if (root === undefined) throw new TypeError('a reading without parts cannot be rebuilt');
  const eol = eolOf(buffer, root.header);
  const byPath = new Map(reading.parts.map((part) => [part.path, part]));
  const added = plan.headers.map((header) => addedHeaderLine(header, eol)).join('');
  const splices: Splice[] = [{ start: 0, end: root.header.start, bytes: Buffer.from(added) }];
  for (const path of plan.replacements.keys())
    if ((byPath.get(path)?.sha256 ?? null) === null) throw new TypeError(`no leaf to replace at ${path}`);
  if (!plan.replacements.has(root.path)) splices.push(...withoutOurHeaders(buffer, root));
  for (const part of reading.parts) {
    const replacement = plan.replacements.get(part.path);
    if (replacement !== undefined) splices.push(replaceLeaf(buffer, part, replacement, { byPath, eol }));
    if (part.role === 'multipart') splices.push(...withoutOutsideText(buffer, part, reading.parts));
  }
  return splice(buffer, splices);
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

/** The line break this message uses in its header. */
function eolOf(email: Buffer, header: ByteRange): string {
  const at = email.subarray(header.start, header.end).indexOf('\n');
  return at === 0 || (at > 0 && email[header.start + at - 1] !== 0x0d) ? '\n' : '\r\n';
}

function headerFields(email: Buffer, { header }: MessagePart): readonly HeaderField[] {
  const bounds = { maxBytes: Number.POSITIVE_INFINITY, maxLines: Number.POSITIVE_INFINITY };
  const view = email.subarray(0, header.end);
  return readHeaderBlock(view, header.start, { isDelimiter: () => false, ...bounds }).fields;
}

function withoutOurHeaders(email: Buffer, root: MessagePart): Splice[] {
  return headerFields(email, root)
    .filter((field) => field.name.startsWith(OUR_HEADERS))
    .map(({ start, end }) => ({ start, end, bytes: NOTHING }));
}

function replaceLeaf(
  email: Buffer,
  part: MessagePart,
  replacement: Replacement,
  { byPath, eol }: { readonly byPath: ReadonlyMap<string, MessagePart>; readonly eol: string },
): Splice {
  const fresh = freshPart(replacement, part.untrustedContentId, eol);
  const parent = part.parent === null ? undefined : byPath.get(part.parent);
  const isWholeMessage = part.parent === null || parent?.role === 'message';
  const kept = isWholeMessage ? keptHeaders(email, part, eol) : '';
  // An empty body has no line break of its own in front of the next delimiter.
  const needsBreak = part.body.end === part.body.start || part.body.end === email.length;
  const text = [kept, fresh.header, eol, fresh.body, needsBreak ? eol : ''];
  return { start: part.header.start, end: part.body.end, bytes: Buffer.from(text.join(''), 'latin1') };
}

/** A message's own headers, byte for byte (latin1), without those that described its old body, and forged ones of ours. */
function keptHeaders(email: Buffer, part: MessagePart, eol: string): string {
  const fields = headerFields(email, part).filter(
    ({ name }) => !name.startsWith('content-') && !(part.parent === null && name.startsWith(OUR_HEADERS)),
  );
  const lines = fields.map(({ start, end }) => {
    const textEnd = withoutLineBreak(email, start, end);
    return email.toString('latin1', start, textEnd === end ? textEnd : end) + (textEnd === end ? eol : '');
  });
  const hasVersion = fields.some(({ name }) => name === 'mime-version');
  return lines.join('') + (hasVersion ? '' : `MIME-Version: 1.0${eol}`);
}

/** Drops text in front of the first and behind the last part of a multipart: no part, so nobody judged it. */
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
    .filter(({ start, end }) => inkOf(email, start, end).end > inkOf(email, start, end).start)
    .map((range) => ({ ...range, bytes: NOTHING }));
}

function breakLength(email: Buffer, at: number): number {
  if (email[at] === 0x0a) return 1;
  return email[at] === 0x0d && email[at + 1] === 0x0a ? 2 : 0;
}
