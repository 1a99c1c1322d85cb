/** Inspects the main stream of a Word 97-2003 document ([MS-DOC] 2.4.1): its text, piece by piece, and its fields. */

import type { Findings } from '../fact.ts';
import { isLiveFieldCode } from '../live-values.ts';
import { openReadBudget } from '../read-budget.ts';
import { tallyText, type WordTally } from '../word-tally.ts';
import type { CompoundFile } from './compound.ts';
import { picturesInText, picturesOfStore } from './legacy-pictures.ts';

/** Flags of the file information block, and offsets of the tables it names ([MS-DOC] 2.5.1, 2.5.6), each with the place and the length. */
const FLAGS = 0x0a;
const ENCRYPTED = 0x0100;
const SECOND_TABLE = 0x0200;
/** The toolbar and macro commands. */
const COMMANDS = 0x015a;
const PIECES = 0x01a2;
/** The pages of character properties, which give the places of pictures, and the store of drawings. */
const CHARACTER_PAGES = 0x00fa;
const DRAWINGS = 0x022a;
/** Fields of the text, headers, footnotes, comments, endnotes, text boxes, and text boxes of headers. */
const FIELD_TABLES = [0x011a, 0x0122, 0x012a, 0x0132, 0x021a, 0x0262, 0x0272];
/** DDE, DDEAUTO, LINK, INCLUDE, INCLUDEPICTURE, INCLUDETEXT, IMPORT, EMBED, MACROBUTTON, DATABASE, CONTROL, HTMLACTIVEX. */
const LIVE_FIELDS = new Set([0x2d, 0x2e, 0x38, 0x24, 0x43, 0x44, 0x37, 0x3a, 0x33, 0x4e, 0x57, 0x5b]);
/** The characters of a field: begin, end of its code, end. */
const [BEGIN, SEPARATOR, END] = ['\u0013', '\u0014', '\u0015'] as const;
const MARKS = new RegExp(`([${BEGIN}${SEPARATOR}${END}])`);
/** No program writes a longer field code. The rest of it is not read. */
const MAX_CODE_LENGTH = 16_384;
/** Fields in fields. Word allows twenty. */
const MAX_OPEN = 64;

/** Counts words and pictures. With findings it also searches the stream. Returns null when the document is encrypted or too short. */
export function readDocument(
  document: Uint8Array,
  file: CompoundFile,
  tally: WordTally,
  findings: Findings | null,
): { readonly units: null; readonly pictures: number } | null {
  const view = new DataView(document.buffer, document.byteOffset, document.byteLength);
  if (document.length < PIECES + 8) {
    findings?.add('doc-damaged', 'WordDocument');
    return null;
  }
  const flags = view.getUint16(FLAGS, true);
  if ((flags & ENCRYPTED) !== 0) {
    findings?.add('doc-encrypted', 'WordDocument');
    return null;
  }
  if (view.getUint32(COMMANDS + 4, true) !== 0) findings?.add('doc-macro-command', 'WordDocument');
  const table = file.read((flags & SECOND_TABLE) === 0 ? '0Table' : '1Table');
  if (table === null) {
    findings?.add('doc-damaged', 'table stream');
    return null;
  }
  const listed = (at: number) => {
    if (at + 8 > document.length) return new Uint8Array();
    const start = view.getUint32(at, true);
    return table.subarray(start, start + view.getUint32(at + 4, true));
  };
  if (findings !== null) for (const at of FIELD_TABLES) judgeFieldTable(listed(at), findings);
  const fields = openFields(tally, findings);
  for (const text of piecesOf(document, listed(PIECES))) fields.read(text);
  const drawings = listed(DRAWINGS);
  const storeEnd = drawings.length < 8 ? 0 : 8 + new DataView(drawings.buffer, drawings.byteOffset).getUint32(4, true);
  const drawn = picturesOfStore(drawings.subarray(0, storeEnd), document);
  return { units: null, pictures: drawn + picturesInText(document, listed(CHARACTER_PAGES), file.read('Data')) };
}

/** Returns the text by its pieces ([MS-DOC] 2.8.35): positions first, then eight bytes for each piece. */
function* piecesOf(document: Uint8Array, clx: Uint8Array): Generator<string> {
  const view = new DataView(clx.buffer, clx.byteOffset, clx.byteLength);
  let at = 0;
  while (clx[at] === 1 && at + 3 <= clx.length) at += 3 + view.getUint16(at + 1, true);
  if (clx[at] !== 2 || at + 5 > clx.length) return;
  const count = Math.floor((Math.min(view.getUint32(at + 1, true), clx.length - at - 5) - 4) / 12);
  const positions = at + 5;
  const spend = openReadBudget(document.length);
  for (let piece = 0; piece < count; piece++) {
    const from = view.getUint32(positions + piece * 4, true);
    const length = Math.max(0, view.getUint32(positions + piece * 4 + 4, true) - from);
    const packed = view.getUint32(positions + (count + 1) * 4 + piece * 8 + 2, true);
    const isCompressed = (packed & 0x40000000) !== 0;
    const offset = isCompressed ? (packed & 0x3fffffff) / 2 : packed;
    const bytes = Buffer.from(document.subarray(offset, offset + length * (isCompressed ? 1 : 2)));
    spend(bytes.length);
    yield bytes.toString(isCompressed ? 'latin1' : 'utf16le');
  }
}

interface Field {
  code: string;
  isCode: boolean;
}

/** Reads the text: counts shown text and judges field codes. A code inside another code is part of that code. */
function openFields(tally: WordTally, findings: Findings | null) {
  const open: Field[] = [];
  const judge = ({ code }: Field) => {
    // Characters that represent objects are not text.
    const text = code.replace(/\p{Cc}/gu, '');
    if (findings !== null && isLiveFieldCode(text)) findings.add('doc-field', text.slice(0, 60));
  };
  // Fields that are nested deeper than any program nests them are a finding, and belong to the code around them.
  let tooDeep = 0;
  const mark = (sign: string) => {
    if (sign === BEGIN && open.length === MAX_OPEN) {
      tooDeep += 1;
      findings?.add('doc-field', 'fields that are nested too deep');
      return;
    }
    if (tooDeep > 0) {
      if (sign === END) tooDeep -= 1;
      return;
    }
    if (sign === BEGIN) {
      open.push({ code: '', isCode: true });
      return;
    }
    const field = open.at(-1);
    if (field?.isCode === true) judge(field);
    if (field !== undefined) field.isCode = false;
    if (sign === END) open.pop();
  };
  const take = (text: string) => {
    const codes = open.filter(({ isCode }) => isCode);
    if (codes.length === 0) tallyText(tally, text);
    for (const field of codes) if (field.code.length < MAX_CODE_LENGTH) field.code += text;
  };
  return {
    read(text: string): void {
      for (const piece of text.split(MARKS)) {
        if (MARKS.test(piece)) mark(piece);
        else if (piece !== '') take(piece);
      }
    },
  };
}

/** Reads the fields for programs that use the table instead of the text ([MS-DOC] 2.8.25): positions, then two bytes for each mark. */
function judgeFieldTable(table: Uint8Array, findings: Findings): void {
  const count = Math.floor((table.length - 4) / 6);
  for (let index = 0; index < count; index++) {
    const at = (count + 1) * 4 + index * 2;
    const isBegin = ((table[at] ?? 0) & 0x1f) === 0x13;
    if (isBegin && LIVE_FIELDS.has(table[at + 1] ?? 0)) findings.add('doc-field', `type ${table[at + 1]}`);
  }
}
