/** The data stream of a Word 97 to 2003 document: pictures, contents of form fields, long paragraph properties ([MS-DOC] 2.4.4). */
import { ReadBudget } from '../../../formats/read-budget.ts';
import { EngineError } from '../../engine.ts';
import { filterDrawing, type Note } from '../compound/drawing.ts';
import type { FormattingPages } from './runs.ts';

const HEADER_BYTES = 68;
const SHAPE = 0x64;
const SHAPE_FILE = 0x66;
const FORM_FIELD = 0xffffffff;
const IS_TEXT_FIELD = 0;

/**
 * Returns the stream with zeros in all ranges to which no text points. The rest is filtered in place. Throws EngineError `unreadable` when
 * the ranges overlap so much that they are many times the stream.
 */
export function filterData(stream: Buffer, dataAt: FormattingPages['dataAt'], note: Note): Buffer {
  const out = Buffer.alloc(stream.length);
  const budget = new ReadBudget(stream.length);
  for (const [from, kind] of dataAt) {
    if (from + 4 > stream.length) continue;
    const end = kind === 'paragraph' ? endOfParagraph(stream, from) : endOfObject(stream, from, kind);
    if (end === null) continue;
    if (!budget.allows(end - from)) throw new EngineError('unreadable', 'the pictures of the document overlap');
    stream.copy(out, from, from, end);
    if (kind !== 'paragraph') filterObject(out.subarray(from, end), kind, note);
  }
  return out;
}

function endOfParagraph(stream: Buffer, from: number): number {
  return Math.min(stream.length, from + 2 + stream.readUInt16LE(from));
}

/** Returns null for an object that is not kept. */
function endOfObject(stream: Buffer, from: number, kind: 'picture' | 'field'): number | null {
  const length = stream.readUInt32LE(from);
  const end = from + length;
  if (length < HEADER_BYTES + 4 || end > stream.length || stream.readUInt16LE(from + 4) !== HEADER_BYTES) return null;
  // Other fields with content here are hyperlinks. Their target is also in the field code.
  return isField(stream, from, kind) && !isForm(stream, from, kind) ? null : end;
}

const isField = (stream: Buffer, from: number, kind: 'picture' | 'field') =>
  kind === 'field' || stream.readUInt16LE(from + 6) === 0;

const isForm = (stream: Buffer, from: number, kind: 'picture' | 'field') =>
  isField(stream, from, kind) && stream.readUInt32LE(from + HEADER_BYTES) === FORM_FIELD;

/** Filters a copied object in place. */
function filterObject(object: Buffer, kind: 'picture' | 'field', note: Note): void {
  const content = object.subarray(HEADER_BYTES);
  const isOfForm = isForm(object, 0, kind);
  if (isOfForm ? filterFormField(content, note) : filterPicture(object.readUInt16LE(6), content, note)) return;
  object.fill(0);
  note(isOfForm ? 'form field' : 'metafile picture');
}

/** Filters a picture in place ([MS-DOC] 2.9.192). Returns false for pictures from before Word 97, which are metafiles without a frame. */
function filterPicture(kind: number, content: Buffer, note: Note): boolean {
  if (kind !== SHAPE && kind !== SHAPE_FILE) return false;
  let at = 0;
  if (kind === SHAPE_FILE) {
    at = 1 + (content[0] ?? 0);
    const name = content.subarray(1, at);
    if (name.some((byte) => byte !== 0)) note('linked picture');
    name.fill(0);
  }
  filterDrawing(content.subarray(at), note);
  return true;
}

/**
 * Removes the names of the macros that run when a form field is entered or left ([MS-DOC] 2.9.78). Returns false when it cannot be read.
 */
function filterFormField(content: Buffer, note: Note): boolean {
  if (content.length < 10) return false;
  const type = content.readUInt16LE(4) & 0x03;
  let at = 10;
  const skipText = (): boolean => {
    if (at + 2 > content.length) return false;
    at += 2 + content.readUInt16LE(at) * 2 + 2;
    return at <= content.length;
  };
  if (!skipText()) return false;
  if (type === IS_TEXT_FIELD) {
    if (!skipText()) return false;
  } else {
    at += 2;
  }
  // The format, the help text and the status text.
  if (!skipText() || !skipText() || !skipText()) return false;
  for (let macro = 0; macro < 2; macro++) {
    const from = at;
    if (!skipText()) return false;
    const name = content.subarray(from + 2, at - 2);
    if (name.length > 0 && name.some((byte) => byte !== 0)) note('macro');
    name.fill(0);
  }
  return true;
}
