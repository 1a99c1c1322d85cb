/**
 * Finds a header where some program might read one: behind junk, with any line ends, with or without a blank line after it. When
 * programs may differ over where the body starts, all places are given.
 */
import { afterLineBreak, lineBreakAt } from '../../formats/byte-scan.ts';
import { readFieldName } from '../../formats/mail/field-names.ts';
import type { HeaderBlock, HeaderField } from '../../formats/mail/header-block.ts';

export interface FoundHeader {
  readonly block: HeaderBlock;
  readonly start: number;
  /** Where the body may start, the likeliest first. */
  readonly bodies: readonly number[];
}

const CONTENT_FIELD = /^[ \t]*content[-_][a-z-]{2,40}[ \t]*:/i;
const ROOT_FIELD =
  /^(?:content-[a-z-]{2,40}|from|to|cc|subject|date|message-id|mime-version|received|return-path|reply-to|sender|x-[a-z-]{2,40})[ \t]*:/i;
const FIELD = /^[!-9;-~]{1,200}[ \t]*:/;
/** Lines of junk and blank lines that are allowed in front of a header, and lines that a header may have. */
const JUNK_LINES = 6;
const BLANK_LINES = 60;
const HEADER_LINES = 2_000;
const LOOK_AHEAD = 5;
const LINE_LOOK = 400;
const BODIES = 4;

interface Line {
  readonly start: number;
  readonly end: number;
  /** The start of the line without NULs. It is long enough to recognise the kind of line. */
  readonly text: string;
}

/**
 * Returns the header at or soon after `start`. Returns null when there is none before `end`. The header of a root may begin with any
 * well-known field.
 */
export function findHeader(bytes: Buffer, start: number, end: number, isRoot: boolean): FoundHeader | null {
  const isFirst = (text: string) => (isRoot ? ROOT_FIELD : CONTENT_FIELD).test(text.replace(/^\xef\xbb\xbf/, ''));
  let at = start;
  let junk = 0;
  for (let seen = 0; seen < BLANK_LINES && junk < JUNK_LINES && at < end; seen++) {
    const line = lineAt(bytes, at, end);
    if (isFirst(line.text)) return readHeader(bytes, at, end);
    if (line.text.trim() !== '') junk++;
    at = line.end;
  }
  return null;
}

function lineAt(bytes: Buffer, start: number, limit: number): Line {
  const end = lineBreakAt(bytes, start, limit);
  const text = bytes.toString('latin1', start, Math.min(end, start + LINE_LOOK)).replaceAll('\0', '');
  return { start, end: Math.min(afterLineBreak(bytes, end), limit), text };
}

function readHeader(bytes: Buffer, start: number, end: number): FoundHeader {
  const fields: HeaderField[] = [];
  const bodies: number[] = [];
  let at = start;
  let lines = 0;
  for (; at < end && lines < HEADER_LINES; lines++) {
    const line = lineAt(bytes, at, end);
    const isBlank = line.text.trim() === '';
    if (isBlank) {
      bodies.push(line.end);
      if (line.text === '' && !hasContentField(bytes, line.end, end, 1)) break;
    } else if (/^[ \t]/.test(line.text) && fields.length > 0) {
      const last = fields.pop() as HeaderField;
      fields.push({ ...last, end: line.end });
    } else if (FIELD.test(line.text.trimStart())) fields.push(fieldOf(bytes, line));
    else {
      bodies.push(line.start);
      if (!hasContentField(bytes, line.end, end, LOOK_AHEAD)) {
        bodies.push(...blankLineAfter(bytes, line.end, end));
        break;
      }
    }
    at = line.end;
  }
  // The last place is the likeliest, because some program reads everything before it as header.
  const places = [...new Set(bodies.length === 0 ? [end] : bodies.reverse())];
  const block: HeaderBlock = { fields, end: places[0] ?? end, lines, endedBy: 'blank', problems: [] };
  return { block, start, bodies: places.slice(0, BODIES) };
}

function fieldOf(bytes: Buffer, line: Line): HeaderField {
  const colon = bytes.indexOf(0x3a, line.start);
  const { name } = readFieldName(bytes.toString('latin1', line.start, colon).replace(/[\0\s]/g, ''));
  return { name, start: line.start, end: line.end, valueStart: colon + 1 };
}

function hasContentField(bytes: Buffer, from: number, end: number, lines: number): boolean {
  for (let at = from, seen = 0; seen < lines && at < end; seen++) {
    const line = lineAt(bytes, at, end);
    if (CONTENT_FIELD.test(line.text)) return true;
    if (line.text === '') return false;
    at = line.end;
  }
  return false;
}

/**
 * Returns the end of a blank line soon after `from`. If there is one, the line before it was junk in the header and not the start of the
 * body.
 */
function blankLineAfter(bytes: Buffer, from: number, end: number): number[] {
  for (let at = from, seen = 0; seen < LOOK_AHEAD && at < end; seen++) {
    const line = lineAt(bytes, at, end);
    if (line.text.trim() === '') return line.end < end ? [line.end] : [];
    at = line.end;
  }
  return [];
}
