/**
 * Fields of a Word 97 to 2003 document ([MS-DOC] 2.8.25): marks in the text (begin, separator, end) and a table that repeats their places.
 * A denied field keeps its marks and its result, and its code becomes spaces. If the marks and the table of a story disagree, none of its
 * fields stays, because programs then disagree about the code.
 */

import { isSafeFieldCode } from '../office/fields.ts';
import type { DocText } from './pieces.ts';

const BEGIN = 0x13;
const SEPARATOR = 0x14;
const END = 0x15;
const OBJECT = 0x01;
const SPACE = 0x20;
/** The type of a field whose keyword has no meaning here. */
const NO_TYPE = 0x02;
/** The greatest depth of nested fields. Word itself allows 20. */
const MAX_NESTING = 64;
/** Ordinary codes are short. One of megabytes is an attack on the program that reads it. */
const MAX_CODE_LENGTH = 16_384;

/** Types (flt) that ask, link, load or run. Type and keyword must both be harmless, because programs differ in which one they use. */
const LIVE_TYPES = new Set([
  0x06, 0x07, 0x23, 0x24, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x32, 0x33, 0x37, 0x38,
  0x3a, 0x40, 0x43, 0x44, 0x4d, 0x4e, 0x4f, 0x51, 0x52, 0x56, 0x57, 0x59, 0x5b, 0x5d, 0x5e,
]);

export interface Story {
  readonly first: number;
  readonly length: number;
}

interface Field {
  readonly begin: number;
  separator: number;
  end: number;
  hasNestedCode: boolean;
}

interface Mark {
  readonly position: number;
  readonly kind: number;
  /** At the begin of a field its type, at its end its flags. */
  readonly value: number;
}

/** Removes the denied fields of one story from `text`. Returns the new table, which is empty when no field is left. */
export function filterFields(text: DocText, story: Story, table: Buffer | null, note: (kind: string) => void): Buffer {
  const marks = marksOf(text, story);
  const listed = table === null ? [] : readTable(table);
  const fields = nest(text, marks);
  const agree =
    marks.length === listed.length &&
    marks.every((position, index) => {
      const mark = listed[index];
      return mark?.position === position - story.first && mark.kind === text.at(position);
    });
  if (!agree || fields === null) {
    if (marks.length > 0 || listed.length > 0) note('field code');
    dissolve(text, marks);
    return Buffer.alloc(0);
  }
  const kept = new Map(listed.map((mark) => [mark.position + story.first, mark]));
  for (const field of fields) if (kept.has(field.begin)) judge(text, field, kept, note);
  return writeTable([...kept.values()], table?.readUInt32LE(listed.length * 4) ?? 0);
}

function marksOf(text: DocText, { first, length }: Story): number[] {
  const marks: number[] = [];
  for (let position = first; position < first + length; position++) {
    const character = text.at(position);
    if (character >= BEGIN && character <= END) marks.push(position);
  }
  return marks;
}

/** Returns the fields, outer ones first; null when the marks do not pair up. */
function nest(text: DocText, marks: readonly number[]): Field[] | null {
  const fields: Field[] = [];
  const open: Field[] = [];
  for (const position of marks) {
    const kind = text.at(position);
    const inner = open.at(-1);
    if (kind === BEGIN) {
      if (open.length >= MAX_NESTING) return null;
      fields.push(begin(position, open));
    } else if (inner === undefined || (kind === SEPARATOR && inner.separator !== -1)) {
      return null;
    } else if (kind === SEPARATOR) {
      inner.separator = position;
    } else {
      inner.end = position;
      open.pop();
    }
  }
  return open.length === 0 ? fields : null;
}

function begin(position: number, open: Field[]): Field {
  for (const outer of open) if (outer.separator === -1) outer.hasNestedCode = true;
  const field = { begin: position, separator: -1, end: -1, hasNestedCode: false };
  open.push(field);
  return field;
}

function readTable(table: Buffer): Mark[] {
  const count = Math.max(0, Math.floor((table.length - 4) / 6));
  return Array.from({ length: count }, (_, index) => {
    const at = (count + 1) * 4 + index * 2;
    return {
      position: table.readUInt32LE(index * 4),
      kind: (table[at] ?? 0) & 0x1f,
      value: table.readUInt16LE(at),
    };
  });
}

function writeTable(marks: readonly Mark[], end: number): Buffer {
  if (marks.length === 0) return Buffer.alloc(0);
  const out = Buffer.alloc(marks.length * 6 + 4);
  for (const [index, { position, value }] of marks.entries()) {
    out.writeUInt32LE(position, index * 4);
    out.writeUInt16LE(value, (marks.length + 1) * 4 + index * 2);
  }
  out.writeUInt32LE(end, marks.length * 4);
  return out;
}

function judge(text: DocText, field: Field, kept: Map<number, Mark>, note: (kind: string) => void): void {
  const codeEnd = field.separator === -1 ? field.end : field.separator;
  const code = codeOf(text, field.begin + 1, codeEnd);
  const begin = kept.get(field.begin);
  const type = (begin?.value ?? 0) >> 8;
  if (type === NO_TYPE && code.trim() === '') return;
  if (!LIVE_TYPES.has(type) && isSafeFieldCode(code, field.hasNestedCode)) {
    // The object behind the code of a link repeats its target in another form. The object behind a form field is its content, so it stays.
    if (!/^\s*FORM/i.test(code)) blankObjects(text, field.begin + 1, codeEnd);
    return;
  }
  const keyword = /^\W*([A-Za-z]{1,20})/.exec(code)?.[1] ?? '';
  note(/^DDE/i.test(keyword) || type === 0x2d || type === 0x2e ? 'DDE field' : 'field code');
  if (showLabel(text, field, code, kept)) return;
  for (let position = field.begin + 1; position < codeEnd; position++) {
    kept.delete(position);
    text.set(position, SPACE);
  }
  if (begin !== undefined) kept.set(field.begin, { ...begin, value: (begin.value & 0xff) | (NO_TYPE << 8) });
}

/** Makes the label of a button plain text. It is part of the code, and a reader sees nothing else. Returns false when this is no button. */
function showLabel(text: DocText, field: Field, code: string, kept: Map<number, Mark>): boolean {
  const command = /^\s*(?:MACROBUTTON|GOTOBUTTON)\s+[^\s"]+\s/i.exec(code)?.[0];
  const codeEnd = field.separator === -1 ? field.end : field.separator;
  const hasResult = field.separator !== -1 && field.end > field.separator + 1;
  // The code as read leaves out objects. If it contains one, the places of its characters are not known.
  const isPlain = !field.hasNestedCode && code.length === codeEnd - field.begin - 1;
  if (command === undefined || hasResult || !isPlain) return false;
  for (let position = field.begin; position <= field.begin + command.length; position++) text.set(position, SPACE);
  for (const mark of [field.begin, codeEnd, field.end]) {
    text.set(mark, SPACE);
    kept.delete(mark);
  }
  return true;
}

function codeOf(text: DocText, from: number, end: number): string {
  if (end - from > MAX_CODE_LENGTH) return 'TOO-LONG';
  let code = '';
  for (let position = from; position < end; position++) {
    const character = text.at(position);
    if (character !== OBJECT) code += String.fromCharCode(character);
  }
  return code;
}

function blankObjects(text: DocText, from: number, end: number): void {
  for (let position = from; position < end; position++) if (text.at(position) === OBJECT) text.set(position, SPACE);
}

/** Turns all marks and everything that could be code into spaces. */
function dissolve(text: DocText, marks: readonly number[]): void {
  const open: { inCode: boolean }[] = [];
  let codes = 0;
  let from = -1;
  for (const position of marks) {
    const kind = text.at(position);
    if (codes > 0) for (let at = from; at < position; at++) text.set(at, SPACE);
    if (kind === BEGIN) {
      open.push({ inCode: true });
      codes++;
    } else {
      const field = open.at(-1);
      if (field?.inCode === true) {
        field.inCode = false;
        codes--;
      }
      if (kind === END) open.pop();
    }
    text.set(position, SPACE);
    from = position + 1;
  }
}
