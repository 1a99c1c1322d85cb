/** A header block: its lines, where they stand, and what is wrong with them. RFC 5322 §2.2, tolerant of bare LF. */
import { CR, LF, lineEndAfter, SPACE, TAB, withoutLineBreak } from './byte-scan.ts';

/** One header field with its folded lines. */
export interface HeaderField {
  /** Lower case. */
  readonly name: string;
  readonly start: number;
  /** After the last line break of the field. */
  readonly end: number;
  /** Offset of the first byte after the colon. */
  readonly valueStart: number;
}

export interface HeaderBlock {
  readonly fields: readonly HeaderField[];
  /** After the blank line, or where the block broke off. */
  readonly end: number;
  readonly lines: number;
  /** `boundary`: a delimiter stood where the blank line should have been. `limit`: the block was not read to its end. */
  readonly endedBy: 'blank' | 'boundary' | 'end' | 'limit';
  /** Plain words; null when every line is well formed. */
  readonly problem: string | null;
}

/** What stops a header block: other parts' delimiters, and the limits of what may still be read. */
export interface HeaderStop {
  isDelimiter(lineStart: number): boolean;
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** Printable ASCII without colon and space: RFC 5322 §3.6.8. */
const FIELD_NAME = /^[!-9;-~]+$/;
/** Longer names are nobody's; they would only be copied around. */
const FIELD_NAME_LENGTH = 200;

interface Draft {
  name: string;
  start: number;
  end: number;
  valueStart: number;
}

/** Reads the header block that starts at `start`. Linear; stops at the limits of `stop`. */
export function readHeaderBlock(email: Buffer, start: number, stop: HeaderStop): HeaderBlock {
  const fields: Draft[] = [];
  let problem: string | null = null;
  let position = start;
  for (let lines = 0; ; lines++) {
    if (position >= email.length) return { fields, end: position, lines, endedBy: 'end', problem };
    if (stop.isDelimiter(position)) return { fields, end: position, lines, endedBy: 'boundary', problem };
    const end = lineEndAfter(email, position);
    if (end - start > stop.maxBytes || lines >= stop.maxLines)
      return { fields, end: position, lines, endedBy: 'limit', problem };
    const textEnd = withoutLineBreak(email, position, end);
    if (textEnd === position) return { fields, end, lines: lines + 1, endedBy: 'blank', problem };
    problem = addLine(email, fields, { start: position, textEnd, end }) ?? problem;
    position = end;
  }
}

/** Adds one line to the fields; returns what is wrong with it, if anything. */
function addLine(
  email: Buffer,
  fields: Draft[],
  line: { readonly start: number; readonly textEnd: number; readonly end: number },
): string | null {
  const { start, textEnd, end } = line;
  const first = email[start];
  const isFolded = first === SPACE || first === TAB;
  const last = fields.at(-1);
  if (isFolded && last !== undefined) {
    last.end = end;
    // Some programs end the header at such a line, others go on: they would see different parts.
    if (isBlankText(email, start, textEnd)) return 'a header line of white space only';
  } else {
    const field = fieldOf(email, start, textEnd, end);
    if (field === null) return 'a line that is not a header field';
    fields.push(field);
    if (!FIELD_NAME.test(field.name)) return 'a malformed header field name';
  }
  return controlProblem(email, start, textEnd);
}

function fieldOf(email: Buffer, start: number, textEnd: number, end: number): Draft | null {
  const nameEnd = email.subarray(start, Math.min(textEnd, start + FIELD_NAME_LENGTH)).indexOf(0x3a);
  if (nameEnd <= 0) return null;
  const name = email.toString('latin1', start, start + nameEnd);
  // The space before the colon is malformed, but every program still takes the field for what it says.
  return { name: name.toLowerCase(), start, end, valueStart: start + nameEnd + 1 };
}

function isBlankText(email: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (email[at] !== SPACE && email[at] !== TAB) return false;
  return true;
}

/** Bare CR ends a line for some programs, NUL ends a string for others. */
function controlProblem(email: Buffer, start: number, end: number): string | null {
  for (let at = start; at < end; at++) {
    const byte = email[at];
    if (byte === CR || byte === 0 || byte === LF) return 'a bare CR or NUL in a header line';
  }
  return null;
}

/** Fields with this lower-case name, in order. A space before the colon does not hide one. */
export function fieldsNamed(block: HeaderBlock, name: string): readonly HeaderField[] {
  return block.fields.filter((field) => field.name === name || field.name.trimEnd() === name);
}

/** The unfolded value of a field, trimmed, one character per byte (latin1), cut after `maxBytes`. */
export function rawValue(email: Buffer, field: HeaderField, maxBytes: number): string {
  const end = Math.min(field.end, field.valueStart + maxBytes);
  return trimBlanks(email.toString('latin1', field.valueStart, end).replace(/\r?\n/g, ''));
}

/**
 * Without spaces and tabs at both ends. Not `trim()`: in a string of bytes U+00A0 is the tail of a UTF-8 letter; and not a
 * regular expression: `[ \t]+$` is quadratic on a run of spaces.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === ' ' || text[start] === '\t')) start++;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(start, end);
}
