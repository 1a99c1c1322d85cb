/** Reads a header block: its fields with their places, and its oddities. RFC 5322 §2.2, with bare LF allowed. */
import { CR, lineEndAfter, SPACE, TAB, withoutLineBreak } from '../byte-scan.ts';
import { readFieldName } from './field-names.ts';
import { trimBlanks } from './trim-blanks.ts';

/** Something odd in a header block. */
export interface HeaderProblem {
  readonly code: 'odd_header' | 'bare_carriage_return' | 'nul_in_header';
  /** Plain words, without text of the sender. */
  readonly detail: string;
}

/** One header field with its folded lines. */
export interface HeaderField {
  /** In lower case. A field that decides the structure has its standard name, however it is spelt. */
  readonly name: string;
  readonly start: number;
  /** The offset after the last line break of the field. */
  readonly end: number;
  /** The offset of the first byte after the colon. */
  readonly valueStart: number;
}

export interface HeaderBlock {
  readonly fields: readonly HeaderField[];
  /** The offset after the blank line, or where the block broke off. */
  readonly end: number;
  readonly lines: number;
  /**
   * `boundary`: a delimiter replaces the blank line. `text`: the lines before that delimiter, or before the end, are no header, but the
   * body. `limit`: the block was not read to its end.
   */
  readonly endedBy: 'blank' | 'boundary' | 'text' | 'end' | 'limit';
  /** The first problem of each code. Empty when every line is well formed. */
  readonly problems: readonly HeaderProblem[];
}

/** The lines and limits that end a header block, such as the delimiters of other parts. */
export interface HeaderStop {
  isDelimiter(lineStart: number): boolean;
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** Bytes of a line in which the name is looked for. No program knows a longer name. */
const FIELD_NAME_LENGTH = 200;

interface Draft {
  name: string;
  start: number;
  end: number;
  valueStart: number;
}

/** Reads the header block that starts at `start`, up to the limits of `stop`. Linear. */
export function readHeaderBlock(email: Buffer, start: number, stop: HeaderStop): HeaderBlock {
  const fields: Draft[] = [];
  const problems = new Map<string, HeaderProblem>();
  const ended = (endedBy: HeaderBlock['endedBy'], end: number, lines: number): HeaderBlock => ({
    fields,
    end,
    lines,
    endedBy,
    problems: [...problems.values()],
  });
  let position = start;
  // The start of the lines after the last field that are no fields.
  let textStart = -1;
  for (let lines = 0; ; lines++) {
    const stopped = position >= email.length ? 'end' : stop.isDelimiter(position) ? 'boundary' : null;
    if (stopped !== null) return textStart >= 0 ? ended('text', textStart, lines) : ended(stopped, position, lines);
    const end = lineEndAfter(email, position);
    if (end - start > stop.maxBytes || lines >= stop.maxLines) return ended('limit', position, lines);
    const textEnd = withoutLineBreak(email, position, end);
    if (textEnd === position) return ended('blank', end, lines + 1);
    const before = fields.length;
    const problem = addLine(email, fields, { start: position, textEnd, end });
    note(problems, problem);
    textStart = textStartAfter(textStart, position, {
      hasField: fields.length > before,
      isFirst: before === 0,
      problem,
    });
    position = end;
  }
}

function textStartAfter(
  textStart: number,
  position: number,
  line: { readonly hasField: boolean; readonly isFirst: boolean; readonly problem: HeaderProblem | null },
): number {
  if (line.hasField) return -1;
  return line.problem?.detail === NO_FIELD && textStart < 0 && !line.isFirst ? position : textStart;
}

function note(problems: Map<string, HeaderProblem>, problem: HeaderProblem | null): void {
  if (problem !== null && !problems.has(problem.code)) problems.set(problem.code, problem);
}

/** A folded line that is a field to programs that drop the blanks at its start, or the line in front of it. */
const FOLDED_FIELD =
  /^[ \t]+content[-_](?:type[ \t]*:[ \t"]*[a-z]+[ \t]*\/|transfer[-_]encoding[ \t]*:[ \t"]*(?:base64|quoted|uu|x-|[78]bit|binary))/i;
const NO_FIELD = 'a line that is not a header field';
const odd = (detail: string): HeaderProblem => ({ code: 'odd_header', detail });

/** Adds one line to the fields. Returns its oddity, or null. */
function addLine(
  email: Buffer,
  fields: Draft[],
  line: { readonly start: number; readonly textEnd: number; readonly end: number },
): HeaderProblem | null {
  const { start, textEnd, end } = line;
  const first = email[start];
  const isFolded = first === SPACE || first === TAB;
  const last = fields.at(-1);
  if (isFolded && last !== undefined) {
    last.end = end;
    // Some programs end the header at such a line and others continue, so they see different parts.
    if (isBlankText(email, start, textEnd)) return odd('a header line of white space only');
    const text = email.toString('latin1', start, Math.min(textEnd, start + FIELD_NAME_LENGTH));
    if (FOLDED_FIELD.test(text)) return odd('a folded header line that some programs take for a field');
    return controlProblem(email, start, textEnd);
  }
  const name = nameAt(email, start, textEnd);
  if (name === null) return controlProblem(email, start, textEnd) ?? odd(NO_FIELD);
  const field = readFieldName(name);
  fields.push({ name: field.name, start, end, valueStart: start + name.length + 1 });
  return field.problem === null ? controlProblem(email, start, textEnd) : odd(field.problem);
}

/** Returns the bytes in front of the colon of a field. Returns null for a line that is no field. */
function nameAt(email: Buffer, start: number, textEnd: number): string | null {
  const length = email.subarray(start, Math.min(textEnd, start + FIELD_NAME_LENGTH)).indexOf(0x3a);
  return length <= 0 ? null : email.toString('latin1', start, start + length);
}

function isBlankText(email: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (email[at] !== SPACE && email[at] !== TAB) return false;
  return true;
}

/** Reports a bare CR, which ends a line for some programs, and a NUL, which ends a string for others. */
function controlProblem(email: Buffer, start: number, end: number): HeaderProblem | null {
  for (let at = start; at < end; at++) {
    if (email[at] === CR) return { code: 'bare_carriage_return', detail: 'a bare CR in a header line' };
    if (email[at] === 0) return { code: 'nul_in_header', detail: 'a NUL in a header line' };
  }
  return null;
}

/** Fields with this lower-case name, in order. Blanks before the colon do not hide one. */
export function fieldsNamed(block: HeaderBlock, name: string): readonly HeaderField[] {
  return block.fields.filter((field) => field.name === name || field.name.trimEnd() === name);
}

/** Returns the unfolded value of a field, trimmed, one character per byte (latin1), cut after `maxBytes`. */
export function rawValue(email: Buffer, field: HeaderField, maxBytes: number): string {
  const end = Math.min(field.end, field.valueStart + maxBytes);
  return trimBlanks(email.toString('latin1', field.valueStart, end).replace(/\r?\n/g, ''));
}
