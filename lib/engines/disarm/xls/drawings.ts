/** Drawings of a workbook. One tree of records is spread over many records of the sheet ([MS-XLS] 2.4.170, 2.4.171). */
import { type BiffRecord, RECORD } from '../../../formats/office/biff-records.ts';
import { filterDrawing, type Note } from '../compound/drawing.ts';

/** The place of the length of an object's text and of its formats ([MS-XLS] 2.4.329): characters, then bytes. */
const TEXT_LENGTH_AT = 10;
const FORMATS_LENGTH_AT = 12;

/** The rest of the text of an object that is still to come, in the following continuations. */
interface OpenText {
  characters: number;
  formatBytes: number;
}

/** Returns the filtered payload of every record that belongs to a drawing, continuations included. */
export function filterDrawings(records: readonly BiffRecord[], note: Note): ReadonlyMap<BiffRecord, Buffer> {
  const filtered = new Map<BiffRecord, Buffer>();
  // Each level is a substream: a chart within a sheet has its own drawing.
  const levels: BiffRecord[][] = [];
  let owner = 0;
  const text: OpenText = { characters: 0, formatBytes: 0 };
  for (const record of records) {
    if (record.id === RECORD.begin) levels.push([]);
    if (record.id === RECORD.drawing || record.id === RECORD.drawingGroup) levels.at(-1)?.push(record);
    if (record.id === RECORD.textObject) openText(record.data, text);
    const isOfText = record.id === RECORD.continued && owner === RECORD.textObject && takeText(record.data, text);
    if (record.id === RECORD.continued && !isOfText && CONTINUED.has(owner)) levels.at(-1)?.push(record);
    if (record.id !== RECORD.continued) owner = record.id;
    if (record.id === RECORD.eof) filterTree(levels.pop() ?? [], filtered, note);
  }
  return filtered;
}

/** Excel also continues a long drawing after the object, or the text of the object, that interrupted it. */
const CONTINUED = new Set<number>([RECORD.drawing, RECORD.drawingGroup, RECORD.object, RECORD.textObject]);

function openText(data: Buffer, text: OpenText): void {
  const isWhole = data.length >= FORMATS_LENGTH_AT + 2;
  text.characters = isWhole ? data.readUInt16LE(TEXT_LENGTH_AT) : 0;
  text.formatBytes = isWhole && text.characters > 0 ? data.readUInt16LE(FORMATS_LENGTH_AT) : 0;
}

/** Returns whether a continuation belongs to the text or its formats. Each one with characters begins with their width. */
function takeText(data: Buffer, text: OpenText): boolean {
  if (text.characters > 0) {
    const isWide = ((data[0] ?? 0) & 1) === 1;
    text.characters -= Math.max(1, Math.floor((data.length - 1) / (isWide ? 2 : 1)));
    return true;
  }
  if (text.formatBytes <= 0) return false;
  text.formatBytes -= Math.max(1, data.length);
  return true;
}

function filterTree(chunks: readonly BiffRecord[], filtered: Map<BiffRecord, Buffer>, note: Note): void {
  if (chunks.length === 0) return;
  const tree = Buffer.concat(chunks.map(({ data }) => data));
  filterDrawing(tree, note);
  let at = 0;
  for (const chunk of chunks) {
    filtered.set(chunk, tree.subarray(at, at + chunk.data.length));
    at += chunk.data.length;
  }
}
