/**
 * Finds text in a leaf that looks like a part of a message: a header of Content-* fields behind a line of dashes or in front of
 * encoded bytes. A program that reads headers or lines of dashes more leniently than both readings shows it as a part.
 */
import { LF, lineEndAfter, nonBlankRange } from '../../formats/byte-scan.ts';
import { STEP_BYTES, type Steps } from '../../formats/steps.ts';
import type { WarningList } from '../headers/warnings.ts';
import type { ByteRange, TransferEncoding } from '../model.ts';
import type { PartDraft } from './part-draft.ts';

const CONTENT = 'content';
/** The most blanks and NULs in front of a field. */
const INDENT = 8;
const FIELD =
  /^[\0 \t]*content[-_](?:type|transfer[-_]encoding|disposition)[^\w:\r\n][^:\r\n]{0,60}:|^[\0 \t]*content[-_](?:type|transfer[-_]encoding|disposition):/i;
/** Fields that the header of a quoted message has, and the header of a part does not. */
const MESSAGE_FIELDS = /^(?:from|to|subject|date|received|return-path|message-id)[ \t]*:/gim;
const ENCODED = /^[\0 \t]*content[-_]transfer[-_]encoding\b[^\n]*(?:base64|quoted|uu)/im;
const HEADERS = /^(?:message\/|text\/rfc822-headers$)/;
/** Matches encoded bytes, and no words of a language. */
const LONG_WORD = /^\s*\S{20}/;
const LOOK_BYTES = 200;
/** The bytes of a header block that are read before its first Content-* field, and after it. */
const BLOCK_BYTES = 16 * 1024;
/** Most blocks of one leaf. A leaf with more is no text, so it is reported. */
const BLOCKS = 2_000;
const BLOCKS_PER_STEP = 100;
const TOKEN_LENGTH = 200;

/** The surroundings of a leaf. */
export interface Surroundings {
  /** The boundaries of the multiparts around it, and those that its own header names. */
  readonly boundaries: readonly Buffer[];
  /** Its own header, and the headers of the parts around it. */
  readonly headers: readonly ByteRange[];
}

/** Returns true for a body with a line that is a field of a part. Encoded bodies hold no such lines. */
export function* holdsContentFieldSteps(body: Buffer, encoding: TransferEncoding): Steps<boolean> {
  return encoding !== 'base64' && encoding !== 'uuencode' && (yield* contentFieldSteps(body, 0)) >= 0;
}

/** Warns when some program may show a stretch of a leaf's body as a part of its own. The body has a line that is a field of a part. */
export function* warnOfEmbeddedPartsSteps(
  email: Buffer,
  draft: PartDraft,
  around: Surroundings,
  warnings: WarningList,
): Steps<void> {
  const body = email.subarray(draft.bodyStart, draft.bodyEnd);
  const isPart = !HEADERS.test(draft.facts.declaredType);
  if (yield* holdsPartSteps(body, { isBody: draft.role === 'body', isPart, names: namesOf(email, around) }))
    warnings.add('hidden_file', draft.path, 'a text with what some programs take for a part of the message in it');
}

interface Context {
  readonly isBody: boolean;
  /** False for a leaf whose declared type is a header or a message. */
  readonly isPart: boolean;
  /** Returns true when a header around the text contains this token, or a boundary resembles it. */
  readonly names: (token: string) => boolean;
}

function namesOf(email: Buffer, { boundaries, headers }: Surroundings): Context['names'] {
  const tokens = boundaries.map((boundary) => squeezed(boundary.toString('latin1'))).filter((token) => token !== '');
  let text: string | null = null;
  return (token) => {
    if (token === '') return boundaries.length > 0;
    if (tokens.some((known) => known.includes(token) || token.includes(known))) return true;
    text ??= squeezed(
      headers.map(({ start, end }) => email.toString('latin1', start, Math.min(end, start + BLOCK_BYTES))).join(' '),
    );
    return text.includes(token);
  };
}

/** Returns the letters and digits of a text. Junk and quotes in a boundary make no difference then. */
function squeezed(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function* holdsPartSteps(body: Buffer, context: Context): Steps<boolean> {
  let first = -1;
  let isQuoted = false;
  let floor = 0;
  for (let blocks = 0; blocks < BLOCKS; blocks++) {
    const at = yield* contentFieldSteps(body, floor);
    if (at < 0) return false;
    if (blocks % BLOCKS_PER_STEP === BLOCKS_PER_STEP - 1) yield;
    if (first < 0) first = nonBlankRange(body, 0, at).start;
    const block = blockAround(body, floor, at);
    const isFirst = block.start <= first;
    const messageFields = block.text.match(MESSAGE_FIELDS)?.length ?? 0;
    // The header of the part continues here: a blank line was put in front of this field.
    if (isFirst && messageFields === 0 && context.isPart) return true;
    // A person who quotes a message first writes his own words. Everything that follows belongs to the quoted message.
    isQuoted ||= messageFields > 1 && !isFirst;
    if (block.token !== null && context.names(block.token)) return true;
    if (context.isBody && !isQuoted && (isFirst || isPartInText(body, block))) return true;
    floor = block.end;
  }
  return true;
}

function isPartInText(body: Buffer, { token, text, end }: Block): boolean {
  if (token !== null) return true;
  return ENCODED.test(text) && LONG_WORD.test(body.toString('latin1', end, end + LOOK_BYTES));
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The text of a line of dashes in front of the block. Null when there is none. */
  readonly token: string | null;
}

/** Returns the lines around a field, up to a blank line or a line of dashes. */
function blockAround(body: Buffer, floor: number, at: number): Block {
  let start = at;
  let token: string | null = null;
  while (start > floor && at - start < BLOCK_BYTES) {
    const before = body.lastIndexOf(LF, start - 2) + 1;
    const line = body.toString('latin1', before, Math.min(start, before + TOKEN_LENGTH));
    if (line.trim() === '' || before < floor) break;
    start = before;
    if (!line.startsWith('--')) continue;
    token = squeezed(line);
    break;
  }
  let end = at;
  while (end < body.length && end - at < BLOCK_BYTES) {
    const next = lineEndAfter(body, end);
    if (nonBlankRange(body, end, next).start === next) break;
    end = next;
  }
  const text = body.toString('latin1', start, Math.min(end, at + BLOCK_BYTES));
  return { start, end: Math.max(end, at + 1), text, token };
}

/** Returns the start of the next line that is a field of a part, or -1. */
function* contentFieldSteps(body: Buffer, from: number): Steps<number> {
  for (let at = from + CONTENT.length; at < body.length; at += STEP_BYTES) {
    const found = contentFieldIn(body, from, at, Math.min(at + STEP_BYTES, body.length));
    if (found >= 0) return found;
    yield;
  }
  return -1;
}

/** The search is written as a loop, because a call of the native search for each of a flood of dashes would take seconds. */
function contentFieldIn(body: Buffer, floor: number, from: number, to: number): number {
  for (let dash = from; dash < to; dash++) {
    if ((body[dash] !== 0x2d && body[dash] !== 0x5f) || !endsInContent(body, dash)) continue;
    const start = lineStart(body, floor, dash - CONTENT.length);
    if (start >= floor && FIELD.test(body.toString('latin1', start, dash + 120))) return start;
  }
  return -1;
}

function endsInContent(body: Buffer, end: number): boolean {
  for (let index = 0; index < CONTENT.length; index++)
    if (((body[end - CONTENT.length + index] ?? 0) | 0x20) !== CONTENT.charCodeAt(index)) return false;
  return true;
}

/** Returns the start of the line if there are only blanks in front of `at`; otherwise -1. */
function lineStart(body: Buffer, floor: number, at: number): number {
  let start = at;
  while (
    start > floor &&
    at - start < INDENT &&
    (body[start - 1] === 0x20 || body[start - 1] === 0x09 || body[start - 1] === 0)
  )
    start--;
  const before = body[start - 1];
  return start === 0 || before === LF || before === 0x0d ? start : -1;
}
